"""The stdio transport to a plugin: a process of ours on one side, two message streams for the SDK on the other.

Beyond the SDK's own it gives an untrusted child only the environment on our list, bounds the length of a line, hands
a broken answer to the call that waits for it, and leaves no member of the process's tree behind.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import anyio
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)

from plugineval.clients.plugins.guarding import Guard
from plugineval.clients.plugins.kin import Kin
from plugineval.clients.plugins.last_words import LastWords
from plugineval.clients.plugins.processes import Launch, end_process, open_process, release
from plugineval.clients.plugins.wire import HEAD_BYTES, BrokenAnswer, Line, LineSplitter, Wire
from plugineval.pccf.observations import ObservationKind

Inbox: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]
Outbox: TypeAlias = MemoryObjectSendStream[SessionMessage]
Streams: TypeAlias = tuple[Inbox, Outbox]

EXIT_POLL_S = 0.1
_CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)


@dataclass(frozen=True, kw_only=True)
class Stdio:
    """All that a stdio connection is made of."""

    launch: Launch
    wire: Wire
    words: LastWords
    guard: Guard
    longest_line: int


@asynccontextmanager
async def stdio_transport(stdio: Stdio) -> AsyncGenerator[Streams, None]:
    """Start the process and carry messages until the context is left; then end the process and its tree.

    Raises `OSError` where the process cannot be started.
    """
    process = await open_process(stdio.launch)
    # No await between the start and the task group: a cancellation there would leave the process alone.
    stdio.guard.watch(process.pid)
    pipes = _Pipes(stdio=stdio, process=process)
    async with anyio.create_task_group() as readers:
        readers.start_soon(pipes.read_stdout)
        readers.start_soon(pipes.read_stderr)
        readers.start_soon(pipes.write_stdin)
        readers.start_soon(pipes.watch_exit)
        try:
            yield pipes.inbox, pipes.outbox
        finally:
            with anyio.CancelScope(shield=True):
                await pipes.shut_down()
            readers.cancel_scope.cancel()


@dataclass(kw_only=True)
class _Pipes:
    stdio: Stdio
    process: Process
    inbox: Inbox = field(init=False)
    outbox: Outbox = field(init=False)

    def __post_init__(self) -> None:
        self._arrivals: MemoryObjectSendStream[SessionMessage | Exception]
        self._departures: MemoryObjectReceiveStream[SessionMessage]
        self._arrivals, self.inbox = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.outbox, self._departures = anyio.create_memory_object_stream[SessionMessage](0)
        self._stderr_read = anyio.Event()
        self._kin = Kin(self.process.pid, self._tell_guard)

    async def read_stdout(self) -> None:
        """Deliver messages until the end of stdout, which ends the connection."""
        splitter = LineSplitter(self.stdio.longest_line)
        assert self.process.stdout is not None
        delivering = True
        try:
            async for chunk in self.process.stdout:
                # After the session is gone the pipe is still drained: a server that is stuck writing cannot end.
                self._kin.glance()
                for line in splitter.feed(chunk) if delivering else ():
                    delivering = await self._deliver(line)
        except _CLOSED:
            pass
        finally:
            self.stdio.wire.ended.set()
            self._arrivals.close()

    async def read_stderr(self) -> None:
        """Keep the last words."""
        assert self.process.stderr is not None
        try:
            async for chunk in self.process.stderr:
                self.stdio.words.feed(chunk)
        except _CLOSED:
            pass
        finally:
            self.stdio.words.finish()
            self._stderr_read.set()

    async def write_stdin(self) -> None:
        """Send messages; a pipe that breaks ends the connection, so that no request waits for ever."""
        assert self.process.stdin is not None
        try:
            async for item in self._departures:
                message = item.message
                self._note_sent(message)
                await self.process.stdin.send(
                    message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                )
        except _CLOSED:
            self.stdio.wire.ended.set()
            self._arrivals.close()

    async def watch_exit(self) -> None:
        """End the connection with the process: a child that inherited stdout would keep it open, and calls waiting."""
        while self.process.returncode is None:
            self._kin.look()
            await anyio.sleep(EXIT_POLL_S)
        await anyio.sleep(EXIT_POLL_S)
        self.stdio.wire.ended.set()
        self._arrivals.close()

    async def shut_down(self) -> None:
        """Close the streams, end the process, and let the readers see the end of its pipes."""
        self.inbox.close()
        self.outbox.close()
        self.stdio.wire.end = await end_process(self.process, self._kin, grace_s=self.stdio.launch.grace_s)
        with anyio.move_on_after(EXIT_POLL_S):
            await self._stderr_read.wait()
        self.stdio.wire.last_words = self.stdio.words.text
        await release(self.process)
        self._departures.close()
        self._arrivals.close()
        self.stdio.guard.forget(self.process.pid)

    def _tell_guard(self, pid: int, start: int) -> None:
        self.stdio.guard.watch(self.process.pid, (pid, start))

    def _note_sent(self, message: JSONRPCMessage) -> None:
        waiting = self.stdio.wire.waiting
        if isinstance(message, JSONRPCRequest):
            waiting.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            waiting.discard((message.params or {}).get("requestId"))

    async def _deliver(self, line: Line) -> bool:
        """Pass one line on; False once the session no longer listens."""
        message = _read(line)
        if isinstance(message, JSONRPCNotification):
            # Nobody here listens to any, and the SDK would quote one that it cannot read in our log.
            return True
        if message is None:
            message = self._accusation(line)
        elif not isinstance(message, JSONRPCRequest):
            self.stdio.wire.waiting.discard(getattr(message, "id", None))
        if message is None:
            return True
        try:
            await self._arrivals.send(SessionMessage(message))
        except _CLOSED:
            return False
        return True

    def _accusation(self, line: Line) -> JSONRPCError | None:
        """The error that tells a waiting call that this was its answer; None where it may be a mere log line."""
        wire = self.stdio.wire
        if not line.data.strip():
            return None
        line = line._replace(data=wire.redactor.secrets(line.data))
        wire.note_broken(line.data)
        if line.whole and b'"jsonrpc"' not in line.data:
            return None
        meant = wire.meant(line.data)
        if meant is None:
            return None
        wire.waiting.discard(meant)
        broken = _broken(line, self.stdio.longest_line)
        error = ErrorData(code=INTERNAL_ERROR, message=broken.detail, data=broken)
        return JSONRPCError(jsonrpc="2.0", id=meant, error=error)


def _read(line: Line) -> JSONRPCMessage | None:
    if not line.whole:
        return None
    try:
        return jsonrpc_message_adapter.validate_json(line.data, by_name=False)
    except ValueError:
        return None


def _broken(line: Line, longest: int) -> BrokenAnswer:
    head = line.data[:HEAD_BYTES].decode(errors="replace")
    if line.whole:
        return BrokenAnswer(
            kind=ObservationKind.GARBAGE, detail="the plugin answered with a message that is no JSON-RPC", head=head
        )
    return BrokenAnswer(
        kind=ObservationKind.TOO_LARGE, detail=f"the plugin's answer is longer than {longest} bytes", head=head
    )
