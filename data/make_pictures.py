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
    outage = corpus.filter(experiment_name="jury-outage")
    uplift = corpus.filter(experiment_name="coverage-uplift")
    comparison = vf.compare(outage, by="variant", baseline="baseline", treatment="guided+retry")
    for name, axes in (
        ("pass_rates", vf.plot_pass_rates(vf.tally(outage, by="variant"))),
        ("composition", vf.plot_composition(vf.tally(corpus, by="experiment_name"))),
        ("grid", vf.plot_grid(vf.item_grid(uplift))),
        ("judges", vf.plot_judges(vf.judge_table(outage))),
        ("bounds", vf.plot_bounds(vf.bounds(outage, by="variant"))),
        ("transitions", vf.plot_transitions(comparison)),
    ):
        path = folder / f"{name}.png"
        axes.figure.savefig(path, dpi=130, bbox_inches="tight")
        print(f"drawn: {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "pictures")
