"""Results in words and tables for people: sentences, descriptions, and renderers for each output format."""
