"""`plugineval benchmarks`: what was built so far, the newest first."""

from typing import Annotated

import typer

from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.store.states import BenchmarkState
from plugineval.server.store.summaries import BenchmarkSummary, Construction
from plugineval.server.wording import counted


class ListedBenchmark(BenchmarkSummary):
    """A line of the listing."""

    construction: Construction


Limit = Annotated[int, typer.Option("--limit", min=1, max=500, help="How many are listed at most.")]


@with_shared_options
def benchmarks_command(limit: Limit = 20, *, shared: SharedOptions) -> None:
    """List benchmarks, newest first."""
    found = run(lambda: _found(limit, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"benchmarks": [item.model_dump(mode="json") for item in found]})
    else:
        typer.echo("\n".join(map(_line, found)) or f"There are none yet. Next: {shared.command('demo')}")


async def _found(limit: int, shared: SharedOptions) -> tuple[ListedBenchmark, ...]:
    async with engine_for(read_settings(shared)) as engine:
        shelf = (await engine.workspace.store()).benchmarks
        items = (await shelf.page(limit=limit)).items
        asked = await shelf.constructions([item.id for item in items])
        return tuple(ListedBenchmark(**dict(item), construction=asked[item.id]) for item in items)


def _line(item: ListedBenchmark) -> str:
    made, asked, state = f"{item.created_at:%Y-%m-%d %H:%M}", item.construction, item.state.value
    holds = counted(item.examples, "example")
    if asked.size is not None and item.examples < asked.size:
        holds = f"{item.examples} of {counted(asked.size, 'example')}"
        if item.state is BenchmarkState.COMPLETE and asked.stop_reason:
            state = f"ended by {asked.stop_reason}"
    return printable(f"{item.id}  {made}  {item.name}: {holds}, {state}")
