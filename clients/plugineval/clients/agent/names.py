"""The ids under which settings, command lines and records know a connected agent."""

AGENT = "agent"
SAMPLING = "sampling"
"""The same queue, answered through MCP sampling while a client that declares it is connected."""
WORK_MODELS = (AGENT, SAMPLING)
