"""`plugineval evaluate`: measure models on a benchmark, or on the cases of a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.clients.formats.public.reading import read_case_file
from plugineval.harness.cases import Case
from plugineval.harness.gradings import FIRST
from plugineval.harness.outcomes import Exclusion
from plugineval.harness.scope import scope_of
from plugineval.pccf.errors import AmbiguousNameError, ConfigurationError, UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.option_groups import RunOptions, with_grading_options, with_run_options
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.recorded_names import Typed
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_stored_report
from plugineval.server.cli.spread import Spread, on_workers, refuse_agents, with_spread_options
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.cli.written import WrittenOptions, with_written_options
from plugineval.server.jobs.benchmark_run import plan_benchmark_run
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.jobs.params import EvaluateParams, GradingWishes, RunWishes
from plugineval.server.raising_limits import raised_by_sentence
from plugineval.server.settings.settings import Settings
from plugineval.server.store.ids import new_job_id
from plugineval.server.wording import counted
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

REMARKS_SHOWN = 10


class EvaluateOptions(Value):
    """The command line of an evaluation; what is None comes from the settings."""

    what: str
    running: RunOptions
    grading: GradingWishes = GradingWishes()
    written: WrittenOptions = WrittenOptions()
    spread: Spread = Spread()
    shared: SharedOptions

    @property
    def wishes(self) -> RunWishes:
        """What was said about the run."""
        said = self.running.wishes(self.grading)
        return said.model_copy(update={"limits": self.spread.limits.on_top_of(said.limits)})


@with_shared_options
@with_grading_options
@with_run_options
@with_written_options
@with_spread_options
def evaluate_command(
    what: Annotated[str, typer.Argument(metavar="BENCHMARK_OR_CASES", help="A benchmark, or a .jsonl file.")],
    *,
    running: RunOptions,
    grading: GradingWishes,
    written: WrittenOptions,
    spread: Spread,
    shared: SharedOptions,
) -> None:
    """Measure models and write the report. Exit code 3: rows were never answered (`resume`), or lines refused."""
    said = {"running": running, "grading": grading, "written": written, "spread": spread}
    options = EvaluateOptions.model_validate({"what": what, "shared": shared, **said})
    with rare_collections():
        outcome = run(lambda: evaluate(options), as_json=shared.as_json, many_calls=True)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    raise typer.Exit(exit_code(outcome))


def exit_code(outcome: EvaluationOutcome) -> ExitCode:
    """Whether everything that was asked for was measured."""
    return ExitCode.INCOMPLETE if outcome.unanswered or outcome.refused_cases else ExitCode.OK


def tell_gaps(outcome: EvaluationOutcome, shared: SharedOptions) -> None:
    """Say on stderr what the preflight warned of, which lines were refused, which rows have no answer, what helps."""
    for rehearsed in outcome.preflight:
        if rehearsed.warning:
            say(f"preflight: {rehearsed.warning}")
    for sentence in outcome.troubles.told:
        say(f"workers: {sentence}")
    if refused := outcome.refused_cases:
        lines = counted(refused, "line")
        say(f"{lines} of {outcome.benchmark} refused, not measured. Next: mend what the report lists, measure again.")
    if (open_rows := outcome.errors.get(Exclusion.UNSURE)) and (outcome.grading is None or not outcome.grading.version):
        again = shared.command("regrade", outcome.run_id, "--judge", "MODEL")
        say(f"{counted(open_rows, 'row')} of {outcome.rows} hang on meaning. Next: let a model settle them, `{again}`.")
    if reasons := outcome.unanswered:
        listed = ", ".join(f"{rows} {reason}" for reason, rows in reasons.items())
        more = (raised_by_sentence(outcome.limit), "N") if outcome.limit else ()
        again = shared.command("resume", outcome.run_id, *more)
        if outcome.limit:
            say(f"{outcome.limit}; a higher one lets it go on, and what was spent counts.")
        say(f"{sum(reasons.values())} of {outcome.rows} rows were never answered ({listed}). Next: run `{again}`.")


async def tell_checks(store: "Store", run_id: str, grading: str = FIRST) -> None:
    """Say on stderr which checks of a person's own decide, and where they come from."""
    for tool, source in (await store.gradings.get(run_id, grading)).checks.items():
        say(f"check of {tool}: {source}")


async def evaluate(options: EvaluateOptions) -> EvaluationOutcome:
    """Plan the run, run its job, and show the report to a person."""
    settings = read_settings(options.shared)
    typed = Typed(_on_workers(settings, options) if options.spread.workers else settings)
    named = {"running": typed.running(options.running), "grading": typed.grading(options.grading)}
    options = options.model_copy(update=named)
    async with engine_for(typed.settings) as engine:
        job_id = new_job_id()
        params = await _plan(engine.workspace, options, job_id)
        await tell_checks(await engine.workspace.store(), params.run_id)
        outcome = EvaluationOutcome.model_validate(
            await run_job(engine, "evaluate", params, options.shared, job_id=job_id)
        )
        if not options.shared.as_json:
            await show_stored_report(await engine.workspace.store(), outcome.run_id, out(), options.shared)
        tell_gaps(outcome, options.shared)
        return outcome


def _on_workers(settings: Settings, options: EvaluateOptions) -> Settings:
    models = options.running.models or settings.run.models
    settings = on_workers(settings)
    refuse_agents((*models, options.grading.judge or settings.roles.judge))
    return settings


async def _plan(workspace: Workspace, options: EvaluateOptions, job_id: str) -> EvaluateParams:
    """The stored run. What ends in .jsonl, or is a file that is there, is a cases file."""
    path = Path(options.what)
    if path.suffix == ".jsonl" or path.is_file() or options.written.said:
        return await _plan_file(workspace, path, options, job_id)
    try:
        wishes = options.wishes
        return await plan_benchmark_run(workspace, options.what, wishes, job_id=job_id)
    except UnknownNameError as error:
        if error.field != "benchmark" or isinstance(error, AmbiguousNameError):
            raise
        step = "build one with `plugineval build`, or give the path of a .jsonl file of cases"
        raise ConfigurationError(error.problem, field="benchmark", allowed=error.allowed, next_step=step) from error


async def _plan_file(workspace: Workspace, path: Path, options: EvaluateOptions, job_id: str) -> EvaluateParams:
    found = read_case_file(options.written.source(path))
    for remark in found.remarks[:REMARKS_SHOWN]:
        say(f"{remark.severity}: {remark.sentence}")
    if len(found.remarks) > REMARKS_SHOWN:
        say(f"... and {len(found.remarks) - REMARKS_SHOWN} more remarks on {path.name}")
    cases = found.cases.read_as(Case)
    scope = scope_of(path.name, found.content_hash, cases)
    refused = tuple(remark.sentence for remark in found.refused)
    source = RunSource(scope=scope.model_copy(update={"refused": len(refused)}), refused=refused)
    wishes = options.wishes
    return await plan_run(workspace, cases, source=source, wishes=wishes, job_id=job_id)
