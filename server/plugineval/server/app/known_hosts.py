"""Host and Origin are checked before anything else, and `/mcp/` is `/mcp`.

The SDK checks them behind its routes, where a path with a slash too much has been answered already: by a redirect to
whatever host the request named. Open are the check of health and what OAuth publishes, which say nothing of a host.
"""

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
OPEN = ("/health", "/.well-known/")


class KnownHosts:
    """Refuses a request to another host (421), or from a page of another origin (403)."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on, or refuse it."""
        if scope["type"] == "http":
            refusal = None
            if not scope["path"].startswith(OPEN):
                refusal = await self._check.validate_request(Request(scope))
            if refusal is not None:
                await refusal(scope, receive, send)
                return
            if scope["path"] == f"{PATH}/":
                scope = {**scope, "path": PATH, "raw_path": PATH.encode()}
        await self._app(scope, receive, send)
