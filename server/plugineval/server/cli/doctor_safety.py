"""What `plugineval doctor` says of trust: what is left alone, what waits for a person, and who else could decide here.

Nothing is started and nothing is written.
"""

import os
import shlex
import stat
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.cli.findings import Finding, Status
from plugineval.server.cli.program import command_line
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.requests import Requests
from plugineval.server.trust.tool_lists import ToolLists

PACKAGES = ("plugineval", "mcp", "pydantic")
SDK_MAJOR = "2"
"""Of the MCP SDK: another one has another API."""
MOST_REQUESTS = 5


def safety_findings(settings: Settings) -> Iterator[Finding]:
    """All of them."""
    yield versions_finding()
    if settings.untrusted is not None:
        where, step = settings.untrusted.path, settings.untrusted.next_step
        why = "was changed since it was trusted" if settings.untrusted.changed else "is not trusted"
        detail = f"{where} {why}, so nothing in it is used or run"
        yield Finding(name="trust", status=Status.WARN, detail=detail, fix=step)
    for registration in settings.plugins.values():
        yield from _declared(registration)
    try:
        yield from _waiting(settings)
    except ConfigurationError as error:
        yield Finding.of_error("approvals", error)
    if os.name == "posix":
        yield from private_findings(settings.home, settings.source)


def versions_finding() -> Finding:
    """Which versions work together here."""
    found = {name: _version(name) for name in PACKAGES}
    detail = ", ".join(f"{name} {number}" for name, number in found.items())
    if found["mcp"].split(".")[0] == SDK_MAJOR:
        return Finding(name="versions", status=Status.OK, detail=detail)
    fix = "install PluginEval again into an environment of its own; it brings the versions it was tested with"
    return Finding(name="versions", status=Status.FAIL, detail=detail, fix=fix)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source" if name == "plugineval" else "missing"


def _declared(registration: PluginRegistration) -> Iterator[Finding]:
    """Choices that take a protection away."""
    name, field = f"policy of {registration.name}", registration.field
    bold = [tool for tool, policy in registration.tools.items() if policy is ExecutionPolicy.SANDBOXED]
    whole = registration.policy is ExecutionPolicy.SANDBOXED
    if (whole or bold) and registration.sandbox is None:
        which = "every tool" if whole else ", ".join(bold)
        detail = f"{which} is executed as the process stands: nothing is copied (sandboxed, without a sandbox table)"
        fix = (
            f'write [{field}.sandbox] with copy = "FOLDER", or policy = "ask", unless all it reaches may be thrown away'
        )
        yield Finding(name=name, status=Status.WARN, detail=detail, fix=fix)
    if registration.approve == "always":
        detail = 'whatever tools it lists count as approved (approve = "always")'
        fix = f"leave approve out of [{field}], unless its tools differ from start to start"
        yield Finding(name=f"approvals of {registration.name}", status=Status.WARN, detail=detail, fix=fix)


def _waiting(settings: Settings) -> Iterator[Finding]:
    lists = ToolLists(settings.home)
    for name, registration in settings.plugins.items():
        changes = lists.pending(registration)
        if changes is not None:
            detail = f"its tools changed and nothing of it is executed: {changes.sentence}"
            fix = f"run `{command_line('approve', name)}`"
            yield Finding(name=f"approvals of {name}", status=Status.FAIL, detail=detail, fix=fix)
    pending = Requests(settings.home).pending()
    for request in pending[:MOST_REQUESTS]:
        detail = f"job {request.job_id} asks to execute {request.tool} of {request.plugin}"
        fix = f"run `{command_line('approve', '--request', request.id)}`"
        yield Finding(name="requests", status=Status.WARN, detail=detail, fix=fix)
    if len(pending) > MOST_REQUESTS:
        detail = f"and {len(pending) - MOST_REQUESTS} more wait for an answer"
        yield Finding(name="requests", status=Status.WARN, detail=detail, fix=f"run `{command_line('approve')}`")


def private_findings(home: Path, source: Path | None) -> Iterator[Finding]:
    """Whether somebody else on this machine could read what is kept, or decide in its owner's place."""
    if home.is_dir():
        yield from _open_to_others(home, stat.S_IRWXG | stat.S_IRWXO, "read what is kept here", "700", Status.WARN)
        for place in ("trust", "approvals"):
            if (home / place).is_dir():
                yield from _open_to_others(
                    home / place, stat.S_IWGRP | stat.S_IWOTH, "approve here", "700", Status.FAIL
                )
    token = home / "http-token"
    if token.is_file():
        yield from _open_to_others(
            token, stat.S_IRWXG | stat.S_IRWXO, "read the token of the server", "600", Status.FAIL
        )
    if source is not None and source.is_file():
        yield from _open_to_others(source, stat.S_IWOTH, "add commands to it", "600", Status.FAIL)


def _open_to_others(path: Path, forbidden: int, what: str, mode: str, status: Status) -> Iterator[Finding]:
    found = path.stat()
    if found.st_uid != os.getuid() and os.getuid() != 0:
        detail = f"{path} belongs to another user"
        yield Finding(name="privacy", status=Status.FAIL, detail=detail, fix="choose a home of your own with --home")
    elif found.st_mode & forbidden:
        detail = f"others on this machine can {what}: {path} has mode {stat.S_IMODE(found.st_mode):o}"
        yield Finding(
            name="privacy", status=status, detail=detail, fix=f"run `{shlex.join(['chmod', mode, str(path)])}`"
        )
