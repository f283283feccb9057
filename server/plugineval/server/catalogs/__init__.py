"""Scenario catalogs as files: derived once, edited by a person, and built from (P21)."""
