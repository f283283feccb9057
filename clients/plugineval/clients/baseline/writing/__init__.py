"""The baseline as writer of scenarios and queries: values from schemas, phrasings from templates, nothing random."""
