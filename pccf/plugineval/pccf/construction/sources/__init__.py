"""Where candidates come from: real queries, writing for what is short, and strengthening of what proved too easy."""
