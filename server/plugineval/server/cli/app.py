"""The typer app: one line per command."""

from importlib.metadata import version
from typing import Annotated

import typer

from plugineval.server.cli.build import build_command
from plugineval.server.cli.demo import demo_command
from plugineval.server.cli.doctor import doctor_command
from plugineval.server.cli.evaluate import evaluate_command
from plugineval.server.cli.init import init_command
from plugineval.server.cli.plugins import plugins_command
from plugineval.server.cli.report import report_command
from plugineval.server.cli.resume import resume_command
from plugineval.server.cli.serve import serve_command

app = typer.Typer(
    name="plugineval",
    help="Build, verify and run function-calling benchmarks on your own MCP servers.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for name, command in (
    ("demo", demo_command),
    ("init", init_command),
    ("doctor", doctor_command),
    ("serve", serve_command),
    ("plugins", plugins_command),
    ("build", build_command),
    ("evaluate", evaluate_command),
    ("resume", resume_command),
    ("report", report_command),
):
    app.command(name)(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plugineval {version('plugineval')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Build, verify and run function-calling benchmarks on your own MCP servers."""
