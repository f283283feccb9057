"""The connected agent as a model: every call of a role becomes an item of work that waits for the agent's answer."""
