"""`plugineval drift`: what moved between an older and a newer run. It fails where anything did, for scheduled runs."""

from typing import Annotated

import typer

from plugineval.harness.drift import Drift
from plugineval.harness.rendering.drift_tables import drift_sentence, drift_tables
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out


@with_shared_options
def drift_command(
    old: Annotated[str, typer.Argument(metavar="OLD_RUN", help="The older run, or a grading of one.")],
    new: Annotated[str, typer.Argument(metavar="NEW_RUN", help="The newer run, or a grading of one.")],
    *,
    shared: SharedOptions,
) -> None:
    """Compare two runs. Exit code 1: a metric moved by more than its interval and the run-to-run spread."""
    found = run(lambda: _drift(old, new, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"moved": found.moved, "sentence": drift_sentence(found), **found.model_dump(mode="json")})
    else:
        console = out()
        show_sentence(drift_sentence(found), console, style="bold")
        show_tables(drift_tables(found), console)
    raise typer.Exit(ExitCode.CHECK_FAILED if found.moved else ExitCode.OK)


async def _drift(old: str, new: str, shared: SharedOptions) -> Drift:
    from plugineval.server.jobs.drift import drift_between

    async with engine_for(read_settings(shared)) as engine:
        return await drift_between(await engine.workspace.store(), old, new)
