"""`plugineval decide`: what a run says to fix first, with its numbers, and the routing note for a team's router."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from plugineval.harness.decision.rule import Decision
from plugineval.harness.decision.sentences import caveats, decision_sentence
from plugineval.harness.expiry import Expiry
from plugineval.harness.rendering.decision_tables import decision_table
from plugineval.harness.rendering.notes import render_routing_note
from plugineval.harness.rendering.sections import first_line
from plugineval.harness.report import Report
from plugineval.harness.routing_note import RoutingNote, routing_note
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.jobs.reading import expiry_now, read_report


class Decided(Value):
    """What `decide --json` prints."""

    run_id: str
    scope: str
    """The report's first line: scope, date, and whether it has expired."""
    sentence: str
    caveats: tuple[str, ...]
    decision: Decision
    expiry: Expiry
    routing_note: RoutingNote
    note: Path | None
    """Where the routing note was written."""


@with_shared_options
def decide_command(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run id, its beginning, or a grading of a run.")],
    note: Annotated[Path | None, typer.Option(dir_okay=False, help="Write the routing note (markdown) there.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Say what to fix first: the model, the descriptions, the names, or nothing that the evidence carries."""
    decided = run(lambda: _decide(run_id, note, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(decided.model_dump(mode="json"))
        return
    console = out()
    for sentence in (decided.scope, decided.sentence):
        show_sentence(sentence, console, style="bold")
    show_tables([decision_table(decided.decision)], console)
    if note is not None:
        say(f"Routing note: {note}")


async def _decide(run_id: str, note: Path | None, shared: SharedOptions) -> Decided:
    now = datetime.now(UTC)
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        report = await read_report(store, run_id)
        expiry = await expiry_now(store, report, now)
    decision = _decision(report, shared)
    routes = routing_note(report)
    if note is not None:
        _write(note, render_routing_note(routes, first_line(report, now, expiry) if expiry.expired else ""))
    return Decided(
        run_id=report.run.id,
        scope=first_line(report, now, expiry),
        sentence=decision_sentence(decision),
        caveats=caveats(decision),
        decision=decision,
        expiry=expiry,
        routing_note=routes,
        note=note,
    )


def _decision(report: Report, shared: SharedOptions) -> Decision:
    if report.decision is not None:
        return report.decision
    if all(model.floor is not None for model in report.models):
        problem, step = "it measured no model but floors", "measure a model with `plugineval evaluate --model`"
    else:
        again = shared.command("regrade", report.run.id, "--judge", "none")
        problem, step = "its report is of an earlier version and holds no decision", f"run `{again}`"
    raise ConfigurationError(problem, field=f"run {report.run.id}", next_step=step)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"cannot be written: {error.strerror or error}", field=str(path)) from error
