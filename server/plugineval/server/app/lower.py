"""The low-level server below `MCPServer`, which alone takes handlers of methods: the one place that reaches for it."""

from mcp.server import MCPServer
from mcp.server.lowlevel import Server

from plugineval.server.jobs.engine import JobEngine


def low_level(app: MCPServer[JobEngine]) -> Server[JobEngine]:
    """The server that `app` is built on; the SDK has no public way to it."""
    return app._lowlevel_server  # pyright: ignore[reportPrivateUsage]
