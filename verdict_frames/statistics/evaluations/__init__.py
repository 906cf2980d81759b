"""Numbers about stored evaluations: outcomes, thresholds, labels, cost."""
