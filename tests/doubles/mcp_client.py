"""PluginEval as its users meet it: a home with a settings file, a server on any transport, a client of either era."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, Literal, TypeAlias

import httpx2
import jsonschema_rs
from mcp import Client, StdioServerParameters
from mcp.client.session import MessageHandlerFnT
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from plugineval.pccf.values import Json
from plugineval.server.app.factory import create_app
from plugineval.server.settings.loading import load_settings
from plugineval.server.workspace import Workspace

Mode: TypeAlias = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
PROTOCOLS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
COMMAND = (sys.executable, "-c", "from plugineval.server.cli import main; main()")
TOKEN = "a-token-for-tests-only"


@dataclass(frozen=True)
class Home:
    """A folder with a `plugineval.toml`."""

    path: Path
    environ: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def at(cls, path: Path, settings: str = "", **environ: str) -> "Home":
        """Make one with these settings."""
        path.mkdir(parents=True, exist_ok=True)
        (path / "plugineval.toml").write_text(settings, encoding="utf-8")
        return cls(path, environ)

    @property
    def surroundings(self) -> dict[str, str]:
        """The environment of a process that works in this home."""
        return {"PATH": os.environ["PATH"], "PLUGINEVAL_HOME": str(self.path), **self.environ}

    def workspace(self) -> Workspace:
        """The home, opened in this process."""
        settings = load_settings(config=None, home=self.path, environ=self.surroundings, cwd=self.path)
        return Workspace(settings, environ=self.surroundings)


def plugin_table(name: str, script: Path, *flags: str, **fields: Json) -> str:
    """The settings of a plugin that is a Python script."""
    table = {"command": sys.executable, "args": ["-S", str(script), *flags], **fields}
    return "\n".join([f"[plugins.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items()), ""])


@asynccontextmanager
async def in_memory(home: Home, mode: Mode, handler: MessageHandlerFnT | None = None) -> AsyncGenerator[Client]:
    """A client of a server in this process."""
    async with Client(create_app(home.workspace()), mode=mode, message_handler=handler) as client:
        yield client


@asynccontextmanager
async def over_stdio(home: Home, mode: Mode, handler: MessageHandlerFnT | None = None) -> AsyncGenerator[Client]:
    """A client of `plugineval serve`, which it starts."""
    parameters = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "serve"], env=home.surroundings, cwd=home.path
    )
    with (home.path / "stderr.txt").open("a", encoding="utf-8") as errlog:
        transport = stdio_client(parameters, errlog)
        async with Client(transport, mode=mode, message_handler=handler) as client:
            yield client


@asynccontextmanager
async def over_http(
    url: str, mode: Mode, handler: MessageHandlerFnT | None = None, *, token: str = TOKEN
) -> AsyncGenerator[Client]:
    """A client of a running HTTP server."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, message_handler=handler) as client:
            yield client


class Served:
    """A `plugineval serve --http` process; `url` ends with `/mcp`."""

    def __init__(self, home: Home, *options: str, token: str | None = TOKEN, command: Sequence[str] = COMMAND) -> None:
        given = {} if token is None else {"PLUGINEVAL_TOKEN": token}
        self.process = subprocess.Popen(
            [*command, "serve", "--http", "--port", "0", *options],
            env=home.surroundings | given,
            cwd=home.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        self.url = _address(self.process.stderr, self.said)
        # A full pipe would hold the server up.
        self._listener = Thread(target=_listen, args=(self.process.stderr, self.said), daemon=True)
        self._listener.start()

    def end(self) -> None:
        """Stop it however it is, and wait."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def served(home: Home, *options: str, token: str | None = TOKEN, command: Sequence[str] = COMMAND) -> Generator[Served]:
    """A `plugineval serve --http` process on a free loopback port."""
    server = Served(home, *options, token=token, command=command)
    try:
        yield server
    finally:
        server.end()


def _address(stderr: IO[str], said: list[str]) -> str:
    for line in stderr:
        said.append(line)
        if " at http://" in line:
            return line.split(" at ")[1].strip()
    raise AssertionError(f"the server does not serve: {said}")


def _listen(stderr: IO[str], said: list[str]) -> None:
    said.extend(stderr)


class Agent:
    """A client that checks what every answer promises: its schema, its text, its links."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.called: set[str] = set()
        self._schemas: dict[str, dict[str, object]] = {}

    async def call(self, tool: str, **arguments: object) -> dict[str, Json]:
        """The structured content of a call that works, valid against the tool's output schema."""
        self.called.add(tool)
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, text_of(result)
        return await self.checked(tool, result)

    async def checked(self, tool: str, result: CallToolResult) -> dict[str, Json]:
        """The structured content of a result, once it keeps its promises."""
        if not self._schemas:
            self._schemas = {each.name: each.output_schema or {} for each in (await self.client.list_tools()).tools}
        assert result.structured_content is not None
        jsonschema_rs.validate(self._schemas[tool], result.structured_content)
        assert text_of(result).strip()
        for block in result.content:
            if block.type == "resource_link":
                assert (await self.read(block.uri)).strip()
        content: dict[str, Json] = result.structured_content
        return content

    async def refused(self, tool: str, **arguments: object) -> str:
        """The text of a call that is refused as a tool error, with all that such a text owes."""
        result = await self.client.call_tool(tool, arguments)
        text = text_of(result)
        assert result.is_error, text
        assert "Next: " in text, text
        assert "Error executing tool" not in text
        assert "Traceback" not in text
        return text

    async def read(self, uri: str) -> str:
        """The text of a resource."""
        contents = (await self.client.read_resource(uri)).contents
        assert len(contents) == 1
        assert isinstance(contents[0], TextResourceContents)
        return contents[0].text


def text_of(result: CallToolResult) -> str:
    """All text blocks of a result."""
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))
