"""Jobs: long work that survives a crash and repeats no paid call."""
