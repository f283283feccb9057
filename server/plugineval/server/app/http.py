"""The MCP app over streamable HTTP: loopback by default, a bearer token always, Host and Origin checked by the SDK."""

import sys
from typing import TYPE_CHECKING

from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse

from plugineval.server.app.factory import create_app
from plugineval.server.app.tokens import StaticTokenVerifier
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from starlette.applications import Starlette


def http_app(workspace: Workspace, *, token: str, host: str, port: int) -> "Starlette":
    """The ASGI app: `/mcp` behind the token, `/health` open and empty of information."""
    # Without a resource URL the SDK publishes no OAuth metadata, which would send clients to an issuer that is none.
    auth = AuthSettings(issuer_url=AnyHttpUrl(f"http://{_in_url(host)}:{port}"), resource_server_url=None)
    app = create_app(workspace, auth=auth, token_verifier=StaticTokenVerifier(token))

    app.custom_route("/health", methods=["GET"])(_health)
    return app.streamable_http_app(host=host)


async def serve_http(workspace: Workspace, *, token: str, host: str, port: int) -> None:
    """Serve until the process is told to stop; open requests get a few seconds to end."""
    import uvicorn

    config = uvicorn.Config(
        http_app(workspace, token=token, host=host, port=port),
        host=host,
        port=port,
        log_level="warning",
        timeout_graceful_shutdown=5,
    )
    sys.stderr.write(f"PluginEval serves MCP at http://{_in_url(host)}:{port}/mcp\n")
    await uvicorn.Server(config).serve()


async def _health(request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
