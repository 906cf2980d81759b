"""Draw the pictures of the README from the sample store, next to it in `data/pictures/`.

    python data/make_pictures.py [FOLDER]

Needs the package; a folder may be named to draw into it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import verdict_frames as vf

DATA = Path(__file__).parent


def main(folder: Path) -> None:
    """Draw every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = vf.read_results(DATA / "results")
    by_variant = vf.tally(corpus.filter(experiment_name="jury-outage"), by="variant")
    by_experiment = vf.tally(corpus, by="experiment_name")
    for name, axes in (
        ("pass_rates", vf.plot_pass_rates(by_variant)),
        ("composition", vf.plot_composition(by_experiment)),
    ):
        path = folder / f"{name}.png"
        axes.figure.savefig(path, dpi=130, bbox_inches="tight")
        print(f"drawn: {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "pictures")
