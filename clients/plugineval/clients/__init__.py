"""The other side of every protocol: models, plugins under test, host configurations, dataset formats."""
