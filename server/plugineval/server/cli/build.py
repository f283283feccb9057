"""`plugineval build`: construct a benchmark on registered plugins."""

from typing import Annotated

import typer

from plugineval.pccf.values import Value
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, read_settings, run, run_job
from plugineval.server.cli.terminal import echo_json
from plugineval.server.jobs.outcomes import BuildOutcome
from plugineval.server.jobs.params import BuildParams


class BuildOptions(Value):
    """The command line of a build; None comes from the settings."""

    plugins: tuple[str, ...]
    name: str
    size: int | None = None
    seed: int | None = None
    shared: SharedOptions


@with_shared_options
def build_command(
    plugin: Annotated[list[str], typer.Option("--plugin", help="A registered plugin; may be repeated.")],
    name: Annotated[str, typer.Option("--name", help="What people will call the benchmark.")],
    size: Annotated[int | None, typer.Option("--size", min=1, help="Examples wanted.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything that is drawn.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Construct a benchmark: write queries, verify each by executing its call, calibrate the negatives."""
    options = BuildOptions(
        plugins=tuple(dict.fromkeys(plugin)),
        name=name,
        size=size,
        seed=seed,
        shared=shared,
    )
    outcome = run(lambda: build(options), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        typer.echo(build_summary(outcome, shared))


async def build(options: BuildOptions) -> BuildOutcome:
    """Run the build job of these options."""
    settings = read_settings(options.shared)
    for name in options.plugins:
        settings.plugin(name)
    said = {"size": options.size, "seed": options.seed}
    config = settings.build.model_copy(update={key: value for key, value in said.items() if value is not None})
    params = BuildParams(plugins=options.plugins, name=options.name, config=config)
    async with engine_for(settings) as engine:
        return BuildOutcome.model_validate(await run_job(engine, "build", params, options.shared))


def build_summary(outcome: BuildOutcome, shared: SharedOptions) -> str:
    """What was built, in a few lines for people."""
    rounds = [
        f"  round {r.number}: deficit {r.deficit_before} -> {r.deficit_after}, {r.accepted} accepted, "
        f"{r.surplus} surplus, {r.rejected} rejected, {sum(r.filtered.values())} filtered"
        for r in outcome.rounds
    ]
    skipped = [f"  no positives for {printable(tool)}: {why}" for tool, why in outcome.skipped_tools.items()]
    lines = [
        f"Benchmark {printable(outcome.name)} ({outcome.benchmark_id}), stopped: {outcome.stop_reason}",
        *rounds,
        f"  candidates: {outcome.accepted} accepted, {outcome.surplus} verified but surplus, "
        f"{outcome.rejected} rejected, {outcome.undecided} undecided",
        f"  {outcome.examples} examples: {outcome.positives} positives, negatives {counts(outcome.negatives)}",
        f"  difficulty: {counts(outcome.difficulties)}",
        *skipped,
        f"  {outcome.calls} calls made, {outcome.calls_replayed} replayed",
        f"Next: {shared.command('evaluate', outcome.benchmark_id, '--model', 'baseline:lexical')}",
    ]
    return "\n".join(lines)


def counts(numbers: dict[str, int]) -> str:
    """`easy 3, hard 1`: what is not nought."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items() if number) or "none"
