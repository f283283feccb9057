"""Who is connected: what a client says of itself, and the owner of its token."""

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.session import ServerSession

from plugineval.clients.agent.answers import Worker
from plugineval.server.app.access import Ctx

UNKNOWN = "unknown client"
LENGTH = 120
"""Characters of a name that are kept; whatever a client says of itself ends up in records."""


def worker_of(ctx: Ctx, model: str = "", *, via: str = "") -> Worker:
    """The agent behind a call, with the model that it declares."""
    return worker_in(ctx.session, model, via=via)


def worker_in(session: ServerSession, model: str = "", *, via: str = "") -> Worker:
    """The same for a request that is no call of a tool."""
    params = session.client_params
    info = params.client_info if params is not None else None
    token = get_access_token()
    return Worker(
        client=_short(info.name) if info is not None else UNKNOWN,
        version=_short(info.version) if info is not None else "",
        model=_short(model),
        owner=token.client_id if token is not None else "",
        via=via,
    )


def _short(name: str) -> str:
    return " ".join(name.split())[:LENGTH]
