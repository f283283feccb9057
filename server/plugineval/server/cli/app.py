"""The typer app. A command's module is imported when the command is called, so that `serve` answers its host early."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from keyword import iskeyword
from typing import Annotated

import typer

COMMANDS = (
    "demo",
    "init",
    "doctor",
    "trust",
    "approve",
    "hosts",
    "serve",
    "serve-model",
    "plugins",
    "scenarios",
    "queries",
    "build",
    "evaluate",
    "resume",
    "worker",
    "work",
    "report",
    "regrade",
    "drift",
    "rerun",
    "schedules",
    "decide",
    "judge",
    "selftest",
    "verify",
    "ablate",
    "audit",
    "benchmarks",
    "card",
    "versions",
    "revise",
    "recalibrate",
    "record",
    "export",
    "import",
    "runs",
)
"""Each lives in the module of its name as the function `NAME_command`, with `_` for `-`."""


def create_app(called: str | None = None) -> typer.Typer:
    """The app with the command `called`, or with all of them where that is none of its commands."""
    app = typer.Typer(
        name="plugineval",
        help="Build, verify and run function-calling benchmarks on your own MCP servers.",
        no_args_is_help=True,
        pretty_exceptions_show_locals=False,
        # Rich would take `[run]` in a help text for a style, and swallow it.
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": _usual},
    )
    app.callback()(_options)
    for name in (called,) if called in COMMANDS else COMMANDS:
        function = _function(str(name))
        app.command(name, short_help=_summary(function))(function)
    return app


def _usual(token: str) -> str:
    """The name that is shown for one that scripts may still say: the file a command writes is `--out` everywhere."""
    return {"output": "out"}.get(token, token)


def _summary(function: Callable[..., None]) -> str:
    """The first paragraph of its docstring, whole: without one, the listing breaks off in the middle of a sentence."""
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


def _function(name: str) -> Callable[..., None]:
    plain = name.replace("-", "_")
    module = f"{plain}_" if iskeyword(plain) else plain
    function: Callable[..., None] = getattr(import_module(f"plugineval.server.cli.{module}"), f"{plain}_command")
    return function


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plugineval {version('plugineval')}")
        raise typer.Exit


def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Build, verify and run function-calling benchmarks on your own MCP servers."""
