"""`plugineval serve`: the MCP server, on stdio for a host that starts it, or on HTTP with a token."""

import os
import signal
from functools import partial
from typing import Annotated

import anyio
import typer

from plugineval.clients.hosts.variables import unfilled
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.options import ConfigOption, HomeOption, SharedOptions


def serve_command(
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of stdio.")] = False,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    config: ConfigOption = None,
    home: HomeOption = None,
) -> None:
    """Serve MCP: on stdio for a host that starts this command, or over HTTP.

    Environment: PLUGINEVAL_TOKEN (the bearer token), PLUGINEVAL_ALLOWED_HOSTS (further names of this server),
    PLUGINEVAL_SERVER_KEY (shared by servers on several machines); with PLUGINEVAL_ISSUER, tokens of that OAuth issuer
    are taken instead (PLUGINEVAL_RESOURCE: the public URL, PLUGINEVAL_JWKS: where its keys are, PLUGINEVAL_SCOPES).
    """
    from plugineval.server.cli.settings_here import read_settings
    from plugineval.server.cli.terminal import err
    from plugineval.server.workspace import Workspace

    for name in unfilled(os.environ):
        del os.environ[name]
    with reported():
        workspace = Workspace(read_settings(SharedOptions(config=config, home=home)), environ=os.environ)
        if not http:
            from plugineval.server.app.factory import serve_stdio

            # Stdin is read in a thread that nothing can wake: Ctrl-C ends the process as SIGTERM and kill -9 do, which
            # loses nothing that was done.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            anyio.run(serve_stdio, workspace)
            return
        from plugineval.server.app.http import serve_http
        from plugineval.server.app.oauth import ISSUER
        from plugineval.server.app.tokens import VARIABLE, load_token, token_path

        token, where = load_token(workspace.settings.home, os.environ), f"in {token_path(workspace.settings.home)}"
        if VARIABLE in os.environ:
            where = f"in {VARIABLE}"
        if issuer := os.environ.get(ISSUER):
            where = f"one of {issuer}"
        err().print(f"Clients send `Authorization: Bearer TOKEN`; the token is {where}", markup=False, soft_wrap=True)
        anyio.run(partial(serve_http, workspace, token=token, host=host, port=port))
