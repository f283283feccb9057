"""The parts of a construction run: its plan, the examination of one candidate, the accounts, the result."""
