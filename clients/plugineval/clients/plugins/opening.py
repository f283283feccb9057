"""Opens a connection to a registered plugin, over stdio or streamable HTTP, and says why one could not be had."""

import os
from collections.abc import Awaitable, Callable
from typing import NamedTuple, cast

from plugineval.clients.plugins.commands import resolve_command
from plugineval.clients.plugins.connection import Connection
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.http import http_transport
from plugineval.clients.plugins.last_words import LastWords
from plugineval.clients.plugins.processes import Launch
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.stdio import Stdio, stdio_transport
from plugineval.clients.plugins.surroundings import Folders, environment, prepare_folders
from plugineval.clients.plugins.wire import Wire
from plugineval.pccf.errors import PluginUnavailableError

SHORTEST_LIMIT = 8_388_608
"""Bytes that a message may always have: tools/list of a large server is no tool output."""
ESCAPES = 8
"""JSON escapes and the copy in structured content make a message longer than its text."""


class Opened(NamedTuple):
    """A connection that is about to start, with what its process says on stderr."""

    connection: Connection
    words: LastWords | None
    tidy: Callable[[], Awaitable[None]] | None = None
    """What is to be done once it has ended."""


def open_connection(
    registration: PluginRegistration, household: Household, redactor: Redactor, folders: Folders | None = None
) -> Opened:
    """Prepare a connection; its process starts when the connection is owned. Raises `PluginUnavailableError`.

    `folders`: other places than the plugin's own.
    """
    wire = Wire(redactor=redactor)
    longest = max(SHORTEST_LIMIT, ESCAPES * registration.output_cap_bytes)
    if registration.url is not None:
        remote = http_transport(registration, longest=longest)
        return Opened(Connection(remote, wire, remote=True), None)
    folders = folders or prepare_folders(registration, household.home)
    variables = environment(registration, folders, os.environ)
    words = LastWords(folders.stderr, redactor)
    stdio = Stdio(
        launch=Launch(
            command=(resolve_command(registration, variables), *registration.args),
            environment=variables,
            directory=str(folders.work),
            grace_s=household.grace_s,
        ),
        wire=wire,
        words=words,
        guard=household.guard,
        longest_line=longest,
    )
    return Opened(Connection(stdio_transport(stdio), wire, remote=False), words)


def unavailable(registration: PluginRegistration, opened: Opened, redactor: Redactor) -> PluginUnavailableError:
    """The error for a connection that did not come up: what happened, the last words, what to try."""
    problem = redactor.text(_happened(registration, opened.connection))
    words = opened.words.text if opened.words is not None else ""
    if words:
        problem += f". Its last words on stderr:\n{words}"
    target = redactor.text(registration.command or registration.url or "")
    return PluginUnavailableError(
        problem,
        field=registration.field,
        next_step=f"raise {registration.field}.start_timeout_s, or run {target!r} by hand to see where it waits"
        if opened.connection.hung
        else f"see that {target!r} works by hand, with the arguments and environment that are registered",
    )


def _happened(registration: PluginRegistration, connection: Connection) -> str:
    failure = _innermost(connection.failure)
    if isinstance(failure, TimeoutError):
        return f"did not answer within {registration.start_timeout_s:g} s of its start"
    if registration.command is not None and connection.end:
        return f"did not start: {connection.end}"
    if registration.url is not None:
        return f"{registration.url} cannot be reached: {failure or connection.end}"
    return f"did not start: {failure}"


def _innermost(failure: BaseException | None) -> BaseException | None:
    found = failure
    while isinstance(found, BaseExceptionGroup):
        found = cast("BaseExceptionGroup[BaseException]", found).exceptions[0]
    return found
