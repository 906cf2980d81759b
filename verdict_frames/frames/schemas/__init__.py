"""Every column of every table, declared once, and the polars and Arrow schemas that follow from it."""
