"""Models: OpenAI-compatible endpoints, as models under test and in roles."""
