"""What each component of a construction is worth: variants that leave one out, on the same seeds and candidates."""
