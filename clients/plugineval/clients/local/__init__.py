"""Models that run on this machine, each behind an OpenAI-compatible server of its own process, on loopback alone."""
