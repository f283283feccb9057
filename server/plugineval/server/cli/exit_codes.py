"""What an exit code means, and the one boundary where an error becomes a sentence and a code.

0 ok; 1 a gate or check failed; 2 usage, settings, input or surroundings (a plugin that does not start, a database that
cannot be opened); 3 incomplete (an outage, or a database that failed during a job): what was done
is kept, and `plugineval resume` goes on; 130 and 143: stopped by Ctrl-C
or SIGTERM, with everything closed in order, and `plugineval resume` goes on as well.

The sentence goes to stderr. With `--json`, stdout gets one object as always: {"error": {"kind", "problem", "field",
"allowed", "next_step", "exit_code", "job_id"}}.
"""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

import typer

from plugineval.pccf.errors import IncompleteError, PluginEvalError, StoreError
from plugineval.server.cli.plain_text import one_line, printable
from plugineval.server.cli.stopping import StoppedError
from plugineval.server.cli.terminal import echo_json, err

if TYPE_CHECKING:
    from rich.console import Console


class ExitCode(IntEnum):
    """The exit codes that scripts rely on."""

    OK = 0
    CHECK_FAILED = 1
    USAGE = 2
    INCOMPLETE = 3


def exit_code_of(error: PluginEvalError) -> int:
    """3 for unfinished work that can go on, 2 for all that a person has to mend first; signals have their own."""
    if isinstance(error, StoppedError):
        return error.exit_code
    left_open = isinstance(error, StoreError) and error.job_id is not None
    return ExitCode.INCOMPLETE if left_open or isinstance(error, IncompleteError) else ExitCode.USAGE


@contextmanager
def reported(console_err: "Console | None" = None, *, as_json: bool = False) -> Generator[None]:
    """Errors a person can mend leave this block as one red sentence and an exit code; our bugs leave it as they are.

    Without a console, that of errors is made when there is one to tell of: it takes long to import.

    Task groups wrap what happens in them: a group that holds nothing but such errors is reported by its first.
    """
    try:
        yield
    except PluginEvalError as error:
        _exit(error, console_err, as_json=as_json)
    except KeyboardInterrupt:
        _exit(StoppedError(signal.SIGINT), console_err, as_json=as_json)
    except BaseExceptionGroup as group:
        mendable, others = group.split(PluginEvalError)
        if mendable is None or others is not None:
            raise
        _exit(_first(mendable), console_err, as_json=as_json)


def _exit(error: PluginEvalError, console_err: "Console | None", *, as_json: bool) -> None:
    code = exit_code_of(error)
    if as_json:
        echo_json({"error": error_object(error)})
    console = console_err or err()
    console.print(printable(str(error)), style="red", markup=False, highlight=False, soft_wrap=True)
    for detail in error.details:
        console.print(f"  {one_line(detail)}", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(code) from error


def error_object(error: PluginEvalError) -> dict[str, object]:
    """The error as scripts read it."""
    return {
        "kind": type(error).__name__,
        "problem": error.problem,
        "field": error.field,
        "allowed": list(error.allowed),
        "next_step": error.next_step,
        "exit_code": int(exit_code_of(error)),
        "job_id": error.job_id,
    }


def _first(group: BaseExceptionGroup[PluginEvalError]) -> PluginEvalError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
