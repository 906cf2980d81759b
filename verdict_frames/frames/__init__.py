"""The tables: `schemas` owns every column, `flatten` fills them from records, `corpus` holds them as one value."""
