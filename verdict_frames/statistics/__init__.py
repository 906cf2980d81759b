"""Numbers about items and groups of items: intervals, tallies, rates."""
