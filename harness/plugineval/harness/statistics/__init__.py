"""What the numbers allow to be said: pairs, intervals, noise, and how many cases would settle a question (D11)."""
