"""Models: OpenAI-compatible endpoints and the degenerate baselines."""
