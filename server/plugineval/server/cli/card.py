"""`plugineval card`: what a benchmark covers, how it was made, by whom, and what it cannot tell."""

from typing import Annotated

import typer

from plugineval.server.benchmarks.card import card_text
from plugineval.server.benchmarks.card_facts import CardFacts, card_facts
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json


@with_shared_options
def card_command(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="An id, its beginning, a name, or NAME@VERSION.")
    ],
    *,
    shared: SharedOptions,
) -> None:
    """Print a benchmark's card, in markdown."""
    facts = run(lambda: _facts(benchmark, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(facts.model_dump(mode="json"))
    else:
        typer.echo(card_text(facts))


async def _facts(benchmark: str, shared: SharedOptions) -> CardFacts:
    async with engine_for(read_settings(shared)) as engine:
        return await card_facts(await engine.workspace.store(), benchmark)
