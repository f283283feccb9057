"""`plugineval build`: construct a benchmark on registered plugins."""

from typing import Annotated

import typer

from plugineval.pccf.values import Value
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, read_settings, run, run_job
from plugineval.server.cli.terminal import echo_json
from plugineval.server.jobs.outcomes import NO_POSITIVES, BuildOutcome, stand_ins_told
from plugineval.server.jobs.params import BuildParams
from plugineval.server.jobs.reasons import told
from plugineval.server.wording import counted, tallied


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
    size: Annotated[
        int | None, typer.Option("--size", min=1, help="Examples wanted; else [build] size, else 24.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of all that is drawn; else [build] seed, else 0.")
    ] = None,
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
        typer.echo("\n".join([build_summary(outcome), *ending(outcome, shared)]))


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


def build_summary(outcome: BuildOutcome) -> str:
    """What was built, in a few lines for people."""
    rounds = [
        f"  round {r.number}: deficit {r.deficit_before} -> {r.deficit_after}, {r.accepted} accepted, "
        f"{r.surplus} surplus, {r.rejected} rejected, {sum(r.filtered.values())} filtered"
        for r in outcome.rounds
    ]
    skipped = [f"  no positives for {printable(tool)}: {why}" for tool, why in outcome.skipped_tools.items()]
    explained = stand_ins_told(sum(unit.deficit for unit in outcome.coverage.values()), outcome.stand_ins)
    lines = [
        f"Benchmark {printable(outcome.name)} ({outcome.benchmark_id})",
        f"  stopped: {outcome.stopped or outcome.stop_reason}",
        *rounds,
        *([f"  {explained}"] if explained else []),
        f"  candidates: {outcome.accepted} accepted, {outcome.surplus} verified but surplus, "
        f"{outcome.rejected} rejected, {outcome.undecided} undecided, filtered: {tallied(outcome.filtered)}",
        *(f"    {printable(sentence)}" for sentence in told(outcome.reasons)),
        f"  {outcome.told}",
        *skipped,
        f"  {counted(outcome.calls, 'call')} made, {outcome.calls_replayed} replayed",
    ]
    return "\n".join(lines)


def ending(outcome: BuildOutcome, shared: SharedOptions) -> list[str]:
    """What comes next; where the benchmark is worth nothing, that first."""
    if outcome.positives:
        return [f"Next: {shared.command('evaluate', outcome.benchmark_id, '--model', 'baseline:lexical')}"]
    mend = "mend what the reasons above name (a tool's policy, or who plays generators under [roles]) and build again"
    return [f"WARNING: {NO_POSITIVES}.", f"Next: {mend}; {shared.command('doctor', '--plugins')} shows what is allowed"]
