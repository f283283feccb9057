"""Stage II: which example is missing? Scenarios, coverage units and budgets, filtering of candidates."""
