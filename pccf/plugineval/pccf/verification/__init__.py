"""Stage I: is the example trustworthy? Gates in the order of P12, selection, refinement with evidence."""
