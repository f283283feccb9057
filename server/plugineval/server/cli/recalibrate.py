"""`plugineval recalibrate`: the negatives' difficulty as another reference router shows it, in a new version."""

from typing import Annotated

import typer

from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.cli.version_told import version_told
from plugineval.server.jobs.versioning import VersionOutcome


@with_shared_options
def recalibrate_command(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="The newest version: an id or a name.")],
    router: Annotated[str | None, typer.Option(help="A registered model; else the router of [roles].")] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="K, runs of each negative; else that of [build].")] = None,
    note: Annotated[str, typer.Option(help="What the new version is for, in one sentence.")] = "",
    *,
    shared: SharedOptions,
) -> None:
    """Calibrate the negatives anew: a benchmark calibrated on another router is another version."""
    outcome = run(lambda: _recalibrate(benchmark, router, runs, note, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        typer.echo(version_told(outcome, shared))


async def _recalibrate(
    benchmark: str, router: str | None, runs: int | None, note: str, shared: SharedOptions
) -> VersionOutcome:
    from plugineval.server.jobs.recalibrate import plan_recalibration

    async with engine_for(read_settings(shared)) as engine:
        params = await plan_recalibration(engine.workspace, benchmark, router=router, runs=runs, note=note)
        return VersionOutcome.model_validate(await run_job(engine, "recalibrate", params, shared))
