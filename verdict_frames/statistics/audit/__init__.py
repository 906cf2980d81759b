"""What files say of themselves, held against what their verdicts say."""
