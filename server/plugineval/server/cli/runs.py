"""`plugineval runs`: what was measured so far, the newest first."""

import typer

from plugineval.server.cli.benchmarks import Limit
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.store.summaries import RunSummary
from plugineval.server.wording import counted


@with_shared_options
def runs_command(limit: Limit = 20, *, shared: SharedOptions) -> None:
    """List runs, newest first."""
    found = run(lambda: _found(limit, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"runs": [item.model_dump(mode="json") for item in found]})
    else:
        typer.echo("\n".join(map(_line, found)) or f"There are none yet. Next: {shared.command('demo')}")


async def _found(limit: int, shared: SharedOptions) -> tuple[RunSummary, ...]:
    async with engine_for(read_settings(shared)) as engine:
        return (await (await engine.workspace.store()).runs.page(limit=limit)).items


def _line(item: RunSummary) -> str:
    began, models = f"{item.started_at:%Y-%m-%d %H:%M}", ", ".join(item.models)
    return printable(f"{item.id}  {began}  {item.source}: {models}; {counted(item.rows, 'row')}, {item.state.value}")
