"""Every column of every table: pandera models, and the polars and Arrow schemas that follow from them."""
