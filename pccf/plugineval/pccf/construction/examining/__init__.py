"""From a written or real query to a verdict: votes, Stage I, depth, repetition, calibration, tags."""
