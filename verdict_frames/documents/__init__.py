"""What any JSON file needs before anybody knows what it holds: listing, decoding, cleaning, and words for trouble."""
