"""PluginEval over HTTP as `plugineval serve --http` serves it, with the fixtures that the conformance suite calls.

The suite sends no token, so whatever comes in is given one here; everything behind that is the shipped app.
Run as `python -m foreign.suite.server HOME`: prints its URL, and serves until it is ended.
"""

import os
import socket
import sys
from functools import partial
from pathlib import Path
from unittest.mock import patch

import anyio
import uvicorn
from mcp.server import MCPServer
from starlette.types import ASGIApp, Receive, Scope, Send

from doubles.mcp_client import TOKEN
from foreign.suite.contents import content_tools
from foreign.suite.jobs import Questions, job_runners, job_tools
from foreign.suite.questions import question_tools
from foreign.suite.readings import add_readings
from foreign.suite.rounds import round_tools
from plugineval.server.app import http
from plugineval.server.app.additions import Additions
from plugineval.server.app.factory import create_app
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.settings.loading import load_settings
from plugineval.server.workspace import Workspace

HOST = "127.0.0.1"


class Fixtures(Additions):
    """All that the suite calls by name."""

    def install(self, app: MCPServer[JobEngine]) -> None:
        """Resources and prompts."""
        add_readings(app)


class Doorkeeper:
    """Gives every request the token."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]
        await self._app(scope, receive, send)


def fixtures() -> Fixtures:
    """Those of one server."""
    questions = Questions()
    tools = [*content_tools(), *question_tools(), *round_tools(), *job_tools()]
    return Fixtures(tools=tools, runners=job_runners(questions), sources=(questions,))


def app_at(home: Path, port: int) -> ASGIApp:
    """The shipped HTTP app of a home, with the fixtures."""
    settings = load_settings(config=None, home=home, environ=os.environ, cwd=home)
    with patch.object(http, "create_app", partial(create_app, additions=fixtures())):
        served = http.http_app(Workspace(settings, environ=os.environ), token=TOKEN, host=HOST, port=port)
    return Doorkeeper(served)


async def serve(home: Path) -> None:
    """Serve until ended."""
    with socket.create_server((HOST, 0)) as listening:
        port = int(listening.getsockname()[1])
        config = uvicorn.Config(app_at(home, port), log_level="warning")
        sys.stdout.write(f"http://{HOST}:{port}/mcp\n")
        sys.stdout.flush()
        await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    anyio.run(serve, Path(sys.argv[1]))
