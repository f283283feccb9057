"""Header values without the blanks around them, which are no part of a value (RFC 9110, 5.5).

The parser that uvicorn uses where it is installed keeps those at the end, so that a header would not say the same as
the request whose routing it mirrors.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

BLANKS = b" \t"


class TrimmedHeaders:
    """Passes every request on with its header values trimmed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] == "http":
            scope["headers"] = [(name, value.strip(BLANKS)) for name, value in scope["headers"]]
        await self._app(scope, receive, send)
