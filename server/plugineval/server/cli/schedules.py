"""`plugineval schedules`: what is measured again and when; `run-due` is for a cron or a CI of one's own."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from plugineval.pccf.errors import ConfigurationError, PluginEvalError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.rerun import drift_exit_code, show_drift
from plugineval.server.cli.session import engine_for, follow, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json, say
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.schedules.listing import ScheduleCard, cards_of
from plugineval.server.schedules.starting import Started, start_due


class DueOutcome(Value):
    """What came of a schedule that this command ran."""

    schedule: str
    due: datetime
    evaluation: EvaluationOutcome | None = None
    error: str = ""

    @property
    def code(self) -> ExitCode:
        """Of this one alone."""
        return ExitCode.USAGE if self.evaluation is None else drift_exit_code(self.evaluation)


@with_shared_options
def schedules_command(
    what: Annotated[
        Literal["list", "run-due"], typer.Argument(help="list: with the next and the last time. run-due: run them.")
    ] = "list",
    *,
    shared: SharedOptions,
) -> None:
    """List [[schedules]], or run here what is due. run-due: exit code 1 where anything moved, 2 and 3 as evaluate."""
    if what == "list":
        cards = run(lambda: _cards(shared), as_json=shared.as_json)
        if shared.as_json:
            echo_json({"schedules": [card.model_dump(mode="json") for card in cards]})
        else:
            typer.echo(
                "\n".join(map(_line, cards)) or "There are none. Next: write [[schedules]] into plugineval.toml."
            )
        return
    ended = run(lambda: _run_due(shared), as_json=shared.as_json, many_calls=True)
    if shared.as_json:
        echo_json({"started": [each.model_dump(mode="json") for each in ended]})
    codes = [each.code for each in ended]
    raise typer.Exit(next((code for code in _WORST if code in codes), ExitCode.OK))


_WORST = (ExitCode.CHECK_FAILED, ExitCode.USAGE, ExitCode.INCOMPLETE)


async def _cards(shared: SharedOptions) -> tuple[ScheduleCard, ...]:
    settings = read_settings(shared)
    async with engine_for(settings) as engine:
        return await cards_of(engine.workspace, datetime.now(UTC))


async def _run_due(shared: SharedOptions) -> list[DueOutcome]:
    settings = read_settings(shared)
    if not settings.schedules:
        raise ConfigurationError(
            "there are none", field="schedules", next_step="write [[schedules]] into plugineval.toml"
        )
    async with engine_for(settings) as engine:
        started = await start_due(engine, datetime.now(UTC))
        if not started:
            say("no schedule is due, or others have started it")
        return [await _ended(engine, each, shared) for each in started]


async def _ended(engine: JobEngine, started: Started, shared: SharedOptions) -> DueOutcome:
    said = {"schedule": started.schedule, "due": started.due}
    if started.job_id is None:
        say(f"schedule {started.schedule}: {started.error}")
        return DueOutcome.model_validate({**said, "error": str(started.error)})
    store = await engine.workspace.store()
    try:
        result = await follow(engine, await store.jobs.get(started.job_id), shared)
    except PluginEvalError as error:
        if len(engine.workspace.settings.schedules) == 1:
            raise
        say(f"schedule {started.schedule}: {error}")
        return DueOutcome.model_validate({**said, "error": str(error)})
    outcome = EvaluationOutcome.model_validate(result)
    if outcome.drift is not None and not shared.as_json:
        await show_drift(store, outcome.drift)
    return DueOutcome.model_validate({**said, "evaluation": outcome})


def _line(card: ScheduleCard) -> str:
    words = [f"{card.name}  {card.subject}, {card.rhythm}; next {card.next_due:%Y-%m-%d %H:%M} UTC"]
    if card.problem:
        words.append(f"cannot start: {card.problem}")
    if (last := card.last) is not None:
        state = last.state.value if last.state else f"not started: {last.error}"
        words.append(f"last {last.due:%Y-%m-%d %H:%M} UTC: {last.run_id or ''} {state}".replace(":  ", ": "))
        if last.drift is not None:
            words.append(last.drift.told)
    return printable("; ".join(words))
