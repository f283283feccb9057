"""`baseline:lexical`: a deterministic floor without a key or a network; named as a floor wherever it appears."""
