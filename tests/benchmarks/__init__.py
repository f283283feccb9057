"""How fast the product is, on anybody's machine: `python -m tests.benchmarks` from the repository's folder.

One module for each theme, with `measure() -> list[Measured]` and, where more takes long, `measure_large()`.
"""
