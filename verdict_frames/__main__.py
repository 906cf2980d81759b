"""`python -m verdict_frames` does what the console script does."""

from verdict_frames.cli.main import run

if __name__ == "__main__":
    run()
