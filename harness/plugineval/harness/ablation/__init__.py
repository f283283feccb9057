"""What the variants of a construction are worth against the full pipeline: measures, tests, and the report of both."""
