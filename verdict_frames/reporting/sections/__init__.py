"""One module a section of the report: from a result to a `Section`."""
