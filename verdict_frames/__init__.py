"""Data frames for corpora of jury verdicts."""
