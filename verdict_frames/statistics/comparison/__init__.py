"""Two or more sides on the same items: what changed, and whether it is more than chance."""
