"""`plugineval regrade`: grade the stored attempts of a run again; no model under test is called."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.harness.gradings import FIRST
from plugineval.harness.rendering.regrading_tables import regrading_sentence, regrading_tables
from plugineval.pccf.values import Value
from plugineval.server.cli.evaluate import tell_checks
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.option_groups import AskingOptions, with_asking_options, with_grading_options
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.recorded_names import Typed
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_stored_report, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.jobs.params import GradingWishes
from plugineval.server.jobs.regrade_outcome import RegradeOutcome

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class RegradeOptions(Value):
    """One command line."""

    run_id: str
    grading: GradingWishes
    gold: Path | None
    against: str
    base_url: str | None
    preflight: bool
    shared: SharedOptions


@with_shared_options
@with_grading_options
@with_asking_options
def regrade_command(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run id, or its beginning.")],
    gold: Annotated[Path | None, typer.Option(help="A .jsonl file of cases whose gold replaces the run's.")] = None,
    against: Annotated[str, typer.Option(help="The grading to lay it beside; else the run's own.")] = FIRST,
    *,
    grading: GradingWishes,
    asking: AskingOptions,
    shared: SharedOptions,
) -> None:
    """Grade a stored run again, beside its own grading. Exit code 3: the judge did not answer; `resume` asks again."""
    options = RegradeOptions(
        run_id=run_id,
        grading=grading,
        gold=gold,
        against=against,
        base_url=asking.base_url,
        preflight=not asking.no_preflight,
        shared=shared,
    )
    outcome = run(lambda: regrade(options), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    raise typer.Exit(regrade_exit_code(outcome))


def regrade_exit_code(outcome: RegradeOutcome) -> ExitCode:
    """Whether the judge answered for every row."""
    return ExitCode.INCOMPLETE if outcome.unanswered else ExitCode.OK


async def regrade(options: RegradeOptions) -> RegradeOutcome:
    """Plan the grading, run its job, and show both gradings to a person."""
    from plugineval.server.jobs.regrade import RegradeWishes, plan_regrade

    shared = options.shared
    typed = Typed(read_settings(shared))
    wishes = RegradeWishes(
        grading=typed.grading(options.grading),
        gold=options.gold,
        against=options.against,
        base_url=options.base_url,
        preflight=options.preflight,
    )
    async with engine_for(typed.settings) as engine:
        store = await engine.workspace.store()
        params = await plan_regrade(engine.workspace, options.run_id, wishes)
        await tell_checks(store, params.of_run, params.grading_id)
        outcome = RegradeOutcome.model_validate(await run_job(engine, "regrade", params, shared))
        await show_regrading(store, outcome, shared)
        return outcome


async def show_regrading(store: "Store", outcome: RegradeOutcome, shared: SharedOptions) -> None:
    """The new report, then both gradings side by side; which rows the judge left open goes to stderr."""
    if not shared.as_json:
        console = out()
        await show_stored_report(store, outcome.grading_id, console, shared)
        show_tables(regrading_tables(outcome.side_by_side, outcome.judges), console)
        show_sentence(regrading_sentence(outcome.side_by_side), console)
    if outcome.unanswered:
        again = shared.command("resume", outcome.grading_id)
        say(f"The judge did not answer for {outcome.unanswered} rows. Next: run `{again}`.")
