"""Readers of the public data sets: every record becomes a case, or is counted with the reason why it cannot."""
