"""What people see on a terminal: one console for results, one for progress and errors, neutralised plugin text.

Progress and errors go to stderr, so that stdout holds results alone and can be piped.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import typer

from plugineval.server.cli.plain_text import one_line, printable

if TYPE_CHECKING:
    from rich.console import Console


class ProgressSink(Protocol):
    """Told how far a job is."""

    def __call__(self, done: int, total: int, message: str) -> None:
        """`total` 0 means unknown."""
        ...


def out() -> "Console":
    """The console of results."""
    from rich.console import Console

    return Console()


def err() -> "Console":
    """The console of progress and errors."""
    from rich.console import Console

    return Console(stderr=True)


def echo_json(value: object) -> None:
    """One object on stdout: ASCII alone, so that no encoding of a pipe can break it and no terminal obeys it."""
    typer.echo(json.dumps(value))


def say(text: str) -> None:
    """One line on stderr, whatever it holds."""
    err().print(printable(text), markup=False, highlight=False, soft_wrap=True)


def say_line(text: str) -> None:
    """One line on stderr, which nothing that it quotes can end."""
    err().print(one_line(text), markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress_bar(title: str, job_id: str) -> Generator[ProgressSink]:
    """A progress bar on stderr, which leaves no trace; one line where that is no terminal and nobody watches."""
    console = err()
    if not console.is_terminal:
        say(f"{title}: job {job_id}")
        yield lambda done, total, message: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)

        def show(done: int, total: int, message: str) -> None:
            bar.update(
                task, completed=done, total=total or None, description=f"{title}: {message}" if message else title
            )

        yield show
