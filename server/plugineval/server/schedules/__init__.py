"""Measurements that come again: when, by whom, and what moved since."""
