"""Numbers about the stages of verdicts: where cascades stopped, what meta juries were made of."""
