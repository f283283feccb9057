"""A question that only a person answers: at a terminal, or with `--yes` by whoever wrote the command line."""

import signal
import sys

import typer

from plugineval.pccf.errors import ConfigurationError


def somebody_there() -> bool:
    """Whether a person reads what is asked and can answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agreed(question: str, *, yes: bool) -> bool:
    """Whether a person says yes; `ConfigurationError` where none is there and `yes` was not given."""
    if yes:
        return True
    if not somebody_there():
        problem, step = "nobody is there to ask", "read what is shown above, and give --yes if you agree"
        raise ConfigurationError(problem, field="--yes", next_step=step)
    return asked(question)


def asked(question: str) -> bool:
    """The answer at the terminal, which is no where just Enter is pressed. `KeyboardInterrupt` where there is none."""
    # In an event loop Ctrl-C would only be noted, and the question would wait for an answer for ever.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return typer.confirm(question, default=False, err=True)
    except typer.Abort as nothing:
        raise KeyboardInterrupt from nothing
    finally:
        signal.signal(signal.SIGINT, before)
