"""`plugineval rerun`: a run again, and what moved since. It fails where anything did, for the schedules of others."""

from typing import Annotated

import typer

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.values import Value
from plugineval.server.cli.evaluate import exit_code, tell_gaps
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.spread import Spread, on_workers, refuse_agents, with_spread_options
from plugineval.server.cli.terminal import echo_json, out
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.drift_note import DriftNote
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.store.ids import new_job_id
from plugineval.server.store.store import Store


class RerunOptions(Value):
    """The command line of a run again."""

    run_id: str
    models: tuple[str, ...] = ()
    baseline: str | None = None
    spread: Spread = Spread()
    shared: SharedOptions


@with_shared_options
@with_spread_options
def rerun_command(
    run_id: Annotated[str, typer.Argument(metavar="RUN_ID", help="The run whose cases are asked again.")],
    model: Annotated[list[str] | None, typer.Option("--model", help="Only these models; may be repeated.")] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN_ID", help="Compare with this run; else with the one that is repeated.")
    ] = None,
    *,
    spread: Spread,
    shared: SharedOptions,
) -> None:
    """Measure a run again as it was asked then, and compare.

    Exit code 1: a metric moved; 3: rows without an answer, or nothing to compare.
    """
    models = tuple(model or ())
    options = RerunOptions(run_id=run_id, models=models, baseline=baseline, spread=spread, shared=shared)
    with rare_collections():
        outcome = run(lambda: _rerun(options), as_json=shared.as_json, many_calls=True)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    raise typer.Exit(drift_exit_code(outcome))


def drift_exit_code(outcome: EvaluationOutcome) -> ExitCode:
    """A drift is told before rows without an answer are; a comparison that could not be made is no success."""
    drift = outcome.drift
    if drift is not None and drift.moved:
        return ExitCode.CHECK_FAILED
    return ExitCode.INCOMPLETE if drift is not None and not drift.compared else exit_code(outcome)


async def show_drift(store: Store, note: DriftNote) -> None:
    """The sentence, what no longer holds, and the tables."""
    from plugineval.harness.rendering.drift_tables import drift_tables
    from plugineval.server.jobs.drift import drift_between

    console = out()
    show_sentence(note.told, console, style="bold")
    if note.compared:
        show_tables(drift_tables(await drift_between(store, note.baseline, note.run_id)), console)


async def _rerun(options: RerunOptions) -> EvaluationOutcome:
    from plugineval.server.jobs.rerunning import RerunWishes, plan_rerun, players_of

    shared, spread, baseline = options.shared, options.spread, options.baseline
    settings = read_settings(shared)
    async with engine_for(on_workers(settings) if spread.workers else settings) as engine:
        job_id, store = new_job_id(), await engine.workspace.store()
        if spread.workers:
            refuse_agents(options.models or await players_of(store, options.run_id))
        wishes = RerunWishes(
            models=options.models,
            baseline=None if baseline is None else (await store.runs.entry(baseline)).id,
            limits=spread.limits.on_top_of(BuildLimits()),
        )
        params = await plan_rerun(engine.workspace, options.run_id, wishes, job_id=job_id)
        outcome = EvaluationOutcome.model_validate(await run_job(engine, "evaluate", params, shared, job_id=job_id))
        if outcome.drift is not None and not shared.as_json:
            await show_drift(store, outcome.drift)
        tell_gaps(outcome, shared)
        return outcome
