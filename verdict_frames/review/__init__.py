"""Packs of questions, their review rules, and stored evaluations: one at a time and without data frames."""
