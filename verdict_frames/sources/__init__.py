"""What lies on disk → runs and items with their stored verdicts, and what could not be read."""
