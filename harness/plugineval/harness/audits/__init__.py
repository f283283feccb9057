"""Audits: what independent reviewers say of a benchmark's gold, and of the verdicts of a run."""
