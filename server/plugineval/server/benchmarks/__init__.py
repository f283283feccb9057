"""Benchmarks as things that are kept, told and handed on: versions, cards, folders."""
