"""`plugineval build`: construct a benchmark on registered plugins."""

from typing import Annotated

import typer

from plugineval.pccf.estimate import Estimate
from plugineval.pccf.records import Ineligible
from plugineval.pccf.values import Value
from plugineval.server.cli.estimating import show_estimate
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.option_groups import (
    BeforeOptions,
    LimitOptions,
    WantedOptions,
    with_before_options,
    with_limit_options,
    with_wanted_options,
)
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.queries_told import query_file_told
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_indented, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.coverage_tables import grid_table, rounds_table
from plugineval.server.jobs.benchmark_name import require_name
from plugineval.server.jobs.foretelling import estimated
from plugineval.server.jobs.outcomes import NO_POSITIVES, BuildOutcome, stand_ins_told
from plugineval.server.jobs.params import BuildParams
from plugineval.server.jobs.reasons import told
from plugineval.server.raising_limits import RAISED_BY
from plugineval.server.settings.pricing import require_prices
from plugineval.server.settings.settings import Settings
from plugineval.server.wording import counted, tallied

REFUSALS_TOLD = 10


class BuildOptions(Value):
    """The command line of a build; None comes from the settings."""

    plugins: tuple[str, ...]
    name: str
    wanted: WantedOptions = WantedOptions()
    limits: LimitOptions = LimitOptions()
    preflight: bool = True
    shared: SharedOptions

    def planned(self, settings: Settings) -> BuildParams:
        """The job; whatever makes it impossible is refused before anything is started or asked."""
        for name in self.plugins:
            settings.plugin(name)
        config = self.limits.over(self.wanted.over(settings.build))
        require_prices(settings, config)
        seeds = self.wanted.seeds
        if seeds is not None:
            say(query_file_told(seeds))
        return BuildParams(
            plugins=self.plugins,
            name=require_name(self.name),
            config=config,
            catalog=self.wanted.catalog,
            seeds=seeds.queries if seeds else (),
            preflight=self.preflight,
        )


@with_shared_options
@with_limit_options
@with_wanted_options
@with_before_options
def build_command(
    plugin: Annotated[list[str], typer.Option("--plugin", help="A registered plugin; may be repeated.")],
    name: Annotated[str, typer.Option("--name", help="What people will call the benchmark.")],
    *,
    before: BeforeOptions,
    wanted: WantedOptions,
    limits: LimitOptions,
    shared: SharedOptions,
) -> None:
    """Construct a benchmark: write queries, verify each by executing its call, calibrate the negatives.

    Exit code 3: a limit ended it before there was any example.
    """
    options = BuildOptions(
        plugins=tuple(dict.fromkeys(plugin)),
        name=name,
        wanted=wanted,
        limits=limits,
        preflight=not before.no_preflight,
        shared=shared,
    )
    if before.estimate:
        show_estimate(run(lambda: _estimate(options), as_json=shared.as_json), as_json=shared.as_json)
        return
    outcome = run(lambda: build(options), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        show_build(outcome, shared)
    raise typer.Exit(build_exit_code(outcome))


def build_exit_code(outcome: BuildOutcome) -> ExitCode:
    """3 where a limit left nothing at all; what it left otherwise is a benchmark."""
    return ExitCode.INCOMPLETE if outcome.stop_reason in RAISED_BY and not outcome.examples else ExitCode.OK


async def _estimate(options: BuildOptions) -> Estimate:
    settings = read_settings(options.shared)
    return await estimated(settings, options.planned(settings))


async def build(options: BuildOptions) -> BuildOutcome:
    """Run the build job of these options."""
    settings = read_settings(options.shared)
    params = options.planned(settings)
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
        *(f"  preflight: {printable(each.warning)}" for each in outcome.preflight if each.warning),
        *([f"  {printable(outcome.spending.limit)}"] if outcome.spending and outcome.spending.limit else []),
        *(f"  WARNING: {printable(warning)}" for warning in outcome.warnings),
        *rounds,
        *([f"  {explained}"] if explained else []),
        f"  candidates: {outcome.accepted} accepted, {outcome.surplus} verified but surplus, "
        f"{outcome.rejected} rejected, {outcome.undecided} undecided, filtered: {tallied(outcome.filtered)}",
        *(f"    {printable(sentence)}" for sentence in told(outcome.reasons)),
        f"  {outcome.told}",
        *skipped,
        *_refused(outcome),
        f"  {counted(outcome.calls, 'call')} made, {outcome.calls_replayed} replayed",
        *([f"  {outcome.spending.told}"] if outcome.spending else []),
    ]
    return "\n".join(lines)


def _refused(outcome: BuildOutcome) -> list[str]:
    """Scenarios that were left out, each with its reason."""
    told = [f"  scenario {printable(name)} refused: {why}" for name, why in outcome.refused_scenarios.items()]
    more = len(told) - REFUSALS_TOLD
    return [*told[:REFUSALS_TOLD], *([f"  and {more} more, in the output of --json"] if more > 0 else [])]


def show_build(outcome: BuildOutcome, shared: SharedOptions) -> None:
    """The summary, the coverage at a glance, and what comes next."""
    console = out()
    show_indented(build_summary(outcome), console)
    deficits = [(done.number, done.deficits) for done in outcome.rounds if done.deficits]
    show_tables([rounds_table(deficits), grid_table(outcome.grid)] if outcome.grid else [], console)
    typer.echo("\n".join(ending(outcome, shared)))


def ending(outcome: BuildOutcome, shared: SharedOptions) -> list[str]:
    """What comes next; where the benchmark is worth nothing, that first."""
    more: list[str] = []
    if option := RAISED_BY.get(outcome.stop_reason, ""):
        again = shared.command("resume", outcome.job_id, option, "N")
        more = [f"More of it: {again} goes on from here; what was spent so far counts"]
    if outcome.positives:
        return [*more, f"Next: {shared.command('evaluate', outcome.benchmark_id, '--model', 'baseline:lexical')}"]
    likely = _likely(outcome)
    warning = f"WARNING: {NO_POSITIVES}.{f' Likely: {printable(likely)}.' if likely else ''}"
    if option:
        return [*more, warning, f"Next: allow more: {shared.command('resume', outcome.job_id, option, 'N')}"]
    mend = (
        "mend what the reasons above name (a tool's policy, a `look` that shows the paths and ids there are, "
        "or who plays generators under [roles]) and build again"
    )
    return [warning, f"Next: {mend}; {shared.command('doctor', '--plugins')} shows what is allowed"]


def _likely(outcome: BuildOutcome) -> str:
    """Why no example expects a call; empty where nothing tells."""
    if outcome.stop_reason in RAISED_BY:
        return "the limit ended it before any call was verified"
    # Who has no call left that works abstains in the end: what failed before says more.
    made = [each for each in outcome.reasons if each.unit == "proposal"]
    made.sort(key=lambda each: each.kind == Ineligible.UNJUSTIFIED_ABSTENTION)
    proposals = [each.sentence for each in made]
    skipped = [f"{tool} has no positives: {why}" for tool, why in outcome.skipped_tools.items()]
    return next(iter((*proposals, *skipped)), "")
