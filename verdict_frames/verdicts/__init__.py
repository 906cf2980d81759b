"""Typed values for the seven-component verdict that a judge written in Python builds, in the stored form of 0.17."""
