"""The MCP app over streamable HTTP: loopback by default, a bearer token always, Host and Origin always checked."""

import logging
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING

from mcp.server import MCPServer
from mcp.server.auth.settings import AuthSettings
from mcp.server.subscriptions import ListenHandler
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.factory import create_app
from plugineval.server.app.headers import TrimmedHeaders
from plugineval.server.app.hosts import in_url, is_loopback, security_of
from plugineval.server.app.known_hosts import KnownHosts
from plugineval.server.app.lower import low_level
from plugineval.server.app.oauth import OAuth
from plugineval.server.app.tokens import StaticTokenVerifier
from plugineval.server.jobs.collecting import short_collections
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from starlette.applications import Starlette

GRACE_S = 3
"""Seconds for open requests to be answered once the process was told to stop."""
IDLE_S = 75
"""For which a connection without a request stays open. Agents think between calls: one that is closed just as the next
call comes in fails that call.
"""
OPEN = (
    "Other machines can reach it, and the token travels unencrypted: put TLS in front of it. Requests must name this "
    "machine in their Host header; list further names in PLUGINEVAL_ALLOWED_HOSTS, separated by commas.\n"
)


def http_app(workspace: Workspace, *, token: str, host: str, port: int) -> "Starlette":
    """The ASGI app: `/mcp` behind the token, or behind those of an issuer; `/health` open and empty of information."""
    address = f"http://{in_url(host)}:{port}"
    oauth = OAuth.of(workspace.environ, resource=f"{address}/mcp")
    if oauth is not None:
        from plugineval.server.app.issued_tokens import IssuedTokens

        app = create_app(workspace, auth=oauth.settings, token_verifier=IssuedTokens(oauth))
    else:
        # Without a resource URL the SDK publishes no OAuth metadata, which would send clients to an issuer that is
        # none.
        auth = AuthSettings(issuer_url=AnyHttpUrl(address), resource_server_url=None)
        app = create_app(workspace, auth=auth, token_verifier=StaticTokenVerifier(token))
    app.custom_route("/health", methods=["GET"])(_health)
    security = security_of(host, workspace.environ)
    served = app.streamable_http_app(host=host, transport_security=security)
    served.router.redirect_slashes = False
    served.add_middleware(KnownHosts, security=security)
    served.add_middleware(TrimmedHeaders)
    served.state.leave = partial(_leave, app, workspace)
    return served


def _leave(app: MCPServer[JobEngine], workspace: Workspace) -> None:
    """Let requests that last end with an answer: waits with how far their job is, listen streams with their result."""
    workspace.leaving = True
    listening = low_level(app).get_request_handler("subscriptions/listen")
    if listening is not None and isinstance(listening.handler, ListenHandler):
        listening.handler.close()
    # Streams of clients that shook hands have no end; that they are cut off then is no news.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


async def serve_http(workspace: Workspace, *, token: str, host: str, port: int) -> None:
    """Serve until the process is told to stop; open requests get a few seconds to end. Port 0 takes a free one."""
    import uvicorn

    from plugineval.server.app.arenas import steady_memory
    from plugineval.server.app.leaving import LeavingServer

    steady_memory()
    short_collections()
    with _listening(host, port) as listening:
        bound = int(listening.getsockname()[1])
        app = http_app(workspace, token=token, host=host, port=bound)
        sys.stderr.write(f"PluginEval serves MCP at http://{in_url(host)}:{bound}/mcp\n")
        if not is_loopback(host):
            sys.stderr.write(OPEN)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE_S, timeout_keep_alive=IDLE_S)
        await LeavingServer(config, app.state.leave).serve(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {in_url(host)}:{port}: {error.strerror or error}",
            field="host, port",
            next_step="give another --port, or an address of this machine as --host",
        ) from error
    # An answer is written in two parts. asyncio sends the second at once (TCP_NODELAY) only on a connection that says
    # that it is TCP; on any other it would wait 40 ms for the client to acknowledge the first.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())


async def _health(request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})
