"""`python -m tests.benchmarks [NAME ...] [--large] [--json]`."""

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    # As for the tests, whose doubles the benchmarks share.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import_module("benchmarks.running").main()
