"""Deterministic equality of two calls, driven by the original schema of the tool: equivalent surface forms are equal
(P42), plausible ones are not (P41). `arguments.compare` is the door; what it cannot decide is a difference.
"""
