"""The words of the prompts, one file each."""
