"""Gates for CI: whether the measurement is fit to judge by, and then whether the agent holds what was asked."""
