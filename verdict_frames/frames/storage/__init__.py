"""Tables as Parquet files: one file for each table of each run, written so that only complete runs are ever seen."""
