"""Command lines with `--json`: whatever happens, stdout holds one object, a mistyped option included."""

import sys
from collections.abc import Callable
from typing import NoReturn

import typer

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.terminal import err


def run_for_scripts(app: typer.Typer) -> NoReturn:
    """Run the command line of this process and exit."""
    try:
        with reported(err(), as_json=True):
            sys.exit(_called(app) or 0)
    except typer.Exit as done:
        sys.exit(done.exit_code)


def _called(app: typer.Typer) -> int | None:
    try:
        code: int | None = app(standalone_mode=False)
    except typer.TyperException as error:
        describe: Callable[[], str] = getattr(error, "format_message", error.__str__)
        raise ConfigurationError(describe(), field="command line", next_step="see `plugineval COMMAND -h`") from error
    return code
