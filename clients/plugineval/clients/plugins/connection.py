"""One live session with a plugin, of either protocol era, owned by a task of its own.

The SDK's client must be entered and left in one task, so an owner task holds it while any task may call. A call ends
in an answer or in a `BrokenAnswer` that says which boundary broke; only the caller's own cancellation passes through.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeAlias

import anyio
from mcp import Client, MCPError
from mcp.client import Transport
from mcp.types import (
    CONNECTION_CLOSED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    InputRequiredResult,
    Tool,
)
from pydantic import TypeAdapter, ValidationError

from plugineval.clients.plugins.wire import BrokenAnswer, Wire
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.values import Arguments

Answer: TypeAlias = CallToolResult | InputRequiredResult
MOST_PAGES = 1000
SILENCES = 2
"""Timeouts in a row, without an answer between them, after which a connection is replaced."""
LAST_LINES = 3
GOODBYE_S = 3.0
"""How long a remote server may take to acknowledge the end of a session."""
NEWS_S = 1.0
"""How long a call that lost its connection waits to learn how the connection ended."""

_SESSION_LOST = "Session terminated"
_TOO_LONG = "byte limit"

# Asked for by type, the SDK gives the answer as it came: its own check of the output schema would raise and lose it.
_ANSWER: TypeAdapter[Answer] = TypeAdapter(CallToolResult | InputRequiredResult)


class Connection:
    """Run `own` in a task group, wait for `settled`, then call while `alive`."""

    def __init__(self, transport: Transport, wire: Wire, *, remote: bool) -> None:
        self._transport = transport
        self._wire = wire
        self._remote = remote
        self._client: Client | None = None
        self._in_flight = 0
        self._silences = 0
        self._retired = False
        self._came_up = False
        self.settled = anyio.Event()
        """Set once it is usable, or has failed to become so."""
        self.ended = anyio.Event()
        """Set once everything is released."""
        self.ended_at = 0.0
        self.answers = 0
        self.failure: BaseException | None = None
        self.folder: Path | None = None
        """Where the sandbox copy lies that its process works on; None without a sandbox."""
        self._start = anyio.CancelScope()

    @property
    def alive(self) -> bool:
        """Whether a new call has a chance."""
        return self.settled.is_set() and not self._wire.ended.is_set() and not self._retired

    @property
    def came_up(self) -> bool:
        """Whether it ever was alive."""
        return self._came_up

    @property
    def retired(self) -> bool:
        """Whether it gets no new calls because it fell silent."""
        return self._retired

    @property
    def hung(self) -> bool:
        """Whether it used up the start timeout."""
        return isinstance(self.failure, TimeoutError)

    @property
    def client(self) -> Client:
        """The SDK's client, for what the server says of itself."""
        assert self._client is not None
        return self._client

    @property
    def end(self) -> str:
        """How it ended, for a person; empty while it is alive."""
        return self._wire.end

    def dismiss(self) -> None:
        """Ask it to end, also while it starts; `ended` says when it has."""
        self._wire.ended.set()
        if not self._came_up:
            self._start.cancel()

    async def own(self, start_timeout_s: float) -> None:
        """The life of the connection; what breaks it is kept in `failure`, never raised."""
        try:
            with self._start as scope:
                scope.deadline = anyio.current_time() + start_timeout_s
                async with Client(self._transport, client_info=_identity(), cache=None) as client:
                    self._client = client
                    if self._remote:
                        # Over HTTP the SDK derives request headers from the schemas that it has seen listed.
                        await self.tools()
                    scope.deadline = float("inf")
                    self._came_up = True
                    self.settled.set()
                    await self._wire.ended.wait()
                    scope.deadline = anyio.current_time() + GOODBYE_S
            if scope.cancelled_caught and not self._came_up:
                self.failure = TimeoutError()
        except Exception as error:  # noqa: BLE001 - an untrusted server's session ends by whatever it provokes
            self.failure = error
        finally:
            self.ended_at = anyio.current_time()
            self._wire.ended.set()
            self.settled.set()
            self.ended.set()

    async def tools(self) -> tuple[Tool, ...]:
        """All tools, page by page. Raises what the SDK raises, and `ValueError` for pages without an end."""
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self.client.list_tools(cursor=cursor)
            found.extend(page.tools)
            if page.next_cursor is None:
                return tuple(found)
            cursor = page.next_cursor
        raise ValueError(f"its tools/list has more than {MOST_PAGES} pages")

    async def call(self, name: str, arguments: Arguments, timeout_s: float) -> Answer | BrokenAnswer:
        """Call once, for at most `timeout_s`."""
        self._in_flight += 1
        try:
            return await self._bounded_call(name, arguments, timeout_s)
        finally:
            self._in_flight -= 1
            if self._retired and not self._in_flight:
                self.dismiss()

    async def _bounded_call(self, name: str, arguments: Arguments, timeout_s: float) -> Answer | BrokenAnswer:
        broken_before = self._wire.broken_lines
        request = CallToolRequest(params=CallToolRequestParams(name=name, arguments=arguments))
        try:
            with anyio.move_on_after(timeout_s):
                answer = await self.client.session.send_request(request, _ANSWER)
                self._heard()
                return answer
        except MCPError as error:
            return await self._broken(error)
        except ValidationError as error:
            self._heard()
            return BrokenAnswer(
                kind=ObservationKind.GARBAGE, detail=f"the answer is no tool result: {first_problem(error)}"
            )
        return self._silent(timeout_s, self._wire.broken_lines > broken_before)

    def _heard(self) -> None:
        self.answers += 1
        self._silences = 0

    def _silent(self, timeout_s: float, broken: bool) -> BrokenAnswer:
        self._silences += 1
        self._retired = self._retired or self._silences >= SILENCES
        detail = f"no answer within {timeout_s:g} s"
        if not broken:
            return BrokenAnswer(kind=ObservationKind.TIMEOUT, detail=detail)
        detail += f"; what came on stdout was no JSON-RPC message: {self._wire.latest_broken!r}"
        return BrokenAnswer(kind=ObservationKind.GARBAGE, detail=detail)

    async def _broken(self, error: MCPError) -> BrokenAnswer:
        if isinstance(error.data, BrokenAnswer):
            self._heard()
            return error.data
        if self._wire.ended.is_set() or self._lost(error):
            self.dismiss()
            with anyio.move_on_after(NEWS_S):
                await self.ended.wait()
            return BrokenAnswer(kind=ObservationKind.DIED, detail=self._obituary(error))
        self._heard()
        too_long = self._remote and _TOO_LONG in error.message
        kind = ObservationKind.TOO_LARGE if too_long else ObservationKind.RPC_ERROR
        data = "" if error.data is None else f" {self._wire.redactor.text(str(error.data))[:300]}"
        return BrokenAnswer(kind=kind, detail=f"JSON-RPC error {error.code}: {error.message}{data}")

    def _obituary(self, error: MCPError) -> str:
        end = self._wire.end or f"the connection ended: {error.message}"
        words = self._wire.last_words.splitlines()[-LAST_LINES:]
        return f"{end}; its last words on stderr: {' / '.join(words)}" if words else end

    def _lost(self, error: MCPError) -> bool:
        """Over stdio only the end of stdout ends a connection, whatever code a server uses for its own errors."""
        if not self._remote or _TOO_LONG in error.message:
            return False
        return error.code == CONNECTION_CLOSED or error.message == _SESSION_LOST


@cache
def _identity() -> Implementation:
    try:
        return Implementation(name="plugineval", version=version("plugineval"))
    except PackageNotFoundError:
        return Implementation(name="plugineval", version="source")


def first_problem(error: ValidationError) -> str:
    """Where and what, of the first of a message's problems."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
