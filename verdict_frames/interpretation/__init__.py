"""One stored verdict → one Interpretation.

Rules R1–R107 live here, one file each for the tolerant fields, judgments, evidence, seats, stages, the decision walk,
the support checks and the summary.
"""
