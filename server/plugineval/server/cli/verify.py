"""`plugineval verify`: execute the gold calls of a benchmark again, from their stored records, and say what drifted."""

from typing import Annotated

import typer

from plugineval.harness.rendering.tables import Table, data, table_of, text
from plugineval.pccf.verification.slow_clocks import APART_S, LONGEST_APART_S
from plugineval.server.cli.demo_plugins import with_demo_plugins
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.jobs.verify_outcome import VerifyOutcome
from plugineval.server.wording import counted, tallied

MOST_ROWS = 50


@with_shared_options
def verify_command(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="A name, an id or its beginning.")],
    apart: Annotated[
        float,
        typer.Option(
            min=0,
            max=LONGEST_APART_S,
            metavar="SECONDS",
            help="Until a changed result that may be a clock is looked at again.",
        ),
    ] = APART_S,
    *,
    shared: SharedOptions,
) -> None:
    """Execute all gold again. Exit codes: 1 something drifted, failed or is not allowed; 3 a plugin was not there."""
    outcome = run(lambda: _verify(benchmark, apart, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        show_verification(outcome, shared)
    raise typer.Exit(verify_exit_code(outcome))


async def _verify(named: str, apart_s: float, shared: SharedOptions) -> VerifyOutcome:
    from plugineval.server.jobs.verify import plan_verification

    async with engine_for(with_demo_plugins(read_settings(shared))) as engine:
        params = await plan_verification(engine.workspace, named, apart_s=apart_s)
        return VerifyOutcome.model_validate(await run_job(engine, "verify", params, shared))


def verify_exit_code(outcome: VerifyOutcome) -> ExitCode:
    """0 all gold holds; 3 only plugins that were not there stand in the way; 1 for everything else."""
    if outcome.sound:
        return ExitCode.OK
    return ExitCode.INCOMPLETE if outcome.only_unreachable else ExitCode.CHECK_FAILED


def show_verification(outcome: VerifyOutcome, shared: SharedOptions) -> None:
    """The counts, then every call that is not simply the same."""
    console = out()
    show_sentence(verification_sentence(outcome), console, style="bold")
    if outcome.details:
        show_tables([_table(outcome)], console)
    if outcome.only_unreachable:
        say(f"Next: start or mend what was not there, then run `{shared.command('resume', '--last')}`.")


def verification_sentence(outcome: VerifyOutcome) -> str:
    """One line of it."""
    found = {name: getattr(outcome, name) for name in ("same", "moved", "uncompared", "drifted", "failed")}
    held = tallied(found | {"not executed": outcome.not_executed})
    return (
        f"{outcome.name} ({outcome.benchmark_id}): {counted(outcome.cases, 'case')} with gold calls, "
        f"{outcome.reexecuted} executed again: {held}. {outcome.without_call} want no call."
    )


def _table(outcome: VerifyOutcome) -> Table:
    order = ("failed", "drifted", "not_executed", "moved", "uncompared")
    rows = sorted(outcome.details, key=lambda detail: order.index(detail.verdict.value))
    more = len(rows) - MOST_ROWS
    return table_of(
        "details",
        "Calls that are not simply the same",
        (data("Case"), data("Tool"), text("Verdict"), data("Why")),
        [(row.case, row.tool, row.verdict.value.replace("_", " "), row.reason) for row in rows[:MOST_ROWS]],
        note=f"And {more} more; --json has all of them." if more > 0 else "",
    )
