"""What rules find in cases that somebody else wrote: before they are measured on, and without asking any model."""
