"""The tool that reads reports: what came out, what to fix first, which rows failed, and what moved since."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from mcp_types import CallToolResult
from pydantic import Field

from plugineval.harness.rendering.neutral import code, prose
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.access import Ctx, store_of
from plugineval.server.app.answers import URI, Listed, ReportCard, Shown, answer
from plugineval.server.app.parameters import Cursor, Detail
from plugineval.server.app.report_app import META
from plugineval.server.app.shortening import BUDGET, cut, shortened, size_of
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool
from plugineval.server.wording import counted

if TYPE_CHECKING:
    from plugineval.harness.expiry import Expiry
    from plugineval.harness.report import Report
    from plugineval.pccf.values import Json
    from plugineval.server.store.listing import Page
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import RunSummary

CONCISE = 3_000
SECTION = "\n\n## "
"""Begins every section of a report."""
_ERRORS, _RUNS = 15, 20
ReportView: TypeAlias = Literal["report", "decision", "errors"]


def report_tools() -> list[SpokenTool]:
    """`report_get`."""
    return [spoken_tool(report_get, "Read reports", READING, META)]


async def report_get(
    ctx: Ctx,
    run_id: Annotated[str, Field(description="Id; empty lists runs.")] = "",
    view: ReportView = "report",
    *,
    against: Annotated[str, Field(description="An older run: what moved since.")] = "",
    detail: Detail = "concise",
    cursor: Cursor = "",
) -> Annotated[CallToolResult, Shown]:
    """List runs, newest first, or read one: its report, the decision (what to fix first), the failed rows.

    Say its scope and date when you quote a number. Next: judge_run to grade again, evaluation_run to measure again.
    """
    from plugineval.server.jobs.reading import expiry_now, read_report

    store, now = await store_of(ctx), datetime.now(UTC)
    if against and not run_id:
        step = "call report_get with run_id, the newer run, as well"
        raise ConfigurationError("there is no run to lay beside it", field="against", next_step=step)
    if not run_id:
        return runs_answer(await store.runs.page(cursor=cursor or None, limit=_RUNS))
    report = await read_report(store, run_id)
    expiry = await expiry_now(store, report, now)
    named = report.grading.id if report.grading and run_id == report.grading.id else report.run.id
    card = ReportCard(
        run_id=report.run.id,
        report_uri=f"{URI}reports/{named}",
        expired=expiry.expired,
        verdict=report.verdict.sentence,
        models=_models(report),
    )
    reading = _Reading(store, report, expiry, now)
    if against:
        card, text = await reading.drift(card, against, run_id)
    elif view == "decision":
        card, text = reading.decision(card)
    elif view == "errors":
        card, text = await reading.errors(card, cursor)
    else:
        text = reading.whole(detail)
    return answer(card, text, card.report_uri, f"{card.report_uri}/json", f"{card.report_uri}/errors")


def runs_answer(page: "Page[RunSummary]") -> CallToolResult:
    """A page of runs with their models and rows."""
    lines = [
        f"- {item.id} on {code(item.source)}, {item.started_at:%Y-%m-%d %H:%M}: {', '.join(item.models)}; "
        f"{counted(item.rows, 'row')}, {item.state.value}"
        for item in page.items
    ]
    lines += [f"The next page: cursor={page.next_cursor}"] if page.next_cursor else []
    listed = Listed(items=tuple(item.model_dump(mode="json") for item in page.items), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no runs yet. evaluation_run makes one.")


class _Reading:
    """One report, read in several ways."""

    def __init__(self, store: "Store", report: "Report", expiry: "Expiry", now: datetime) -> None:
        self._store = store
        self._report = report
        self._expiry = expiry
        self._now = now

    def whole(self, detail: Detail) -> str:
        from plugineval.harness.rendering.markdown import render_markdown

        text = render_markdown(self._report, now=self._now, expiry=self._expiry)
        if detail == "concise" and len(text) > CONCISE:
            return _sections(text, CONCISE) + "\n\n(The whole report: detail=detailed, or the linked resource.)"
        if len(text) > 2 * BUDGET:
            return _sections(text, 2 * BUDGET) + "\n\n(The whole report: the linked resource.)"
        return text

    def decision(self, card: ReportCard) -> tuple[ReportCard, str]:
        from plugineval.harness.decision.sentences import caveats, decision_sentence
        from plugineval.harness.rendering.notes import render_routing_note
        from plugineval.harness.rendering.sections import first_line
        from plugineval.harness.routing_note import routing_note

        decision = self._report.decision
        if decision is None:
            step = "call evaluation_run with a registered model, or judge_run for a report of an earlier version"
            raise ConfigurationError("its report holds no decision", field="view", next_step=step)
        scope = first_line(self._report, self._now, self._expiry)
        note = render_routing_note(routing_note(self._report), scope if self._expiry.expired else "")
        lines = [f"**{prose(scope)}**", prose(decision_sentence(decision)), *map(prose, caveats(decision)), note]
        decided = card.model_copy(update={"decision": shortened(decision.model_dump(mode="json")), "models": ()})
        return decided, cut("\n\n".join(lines), BUDGET)

    async def errors(self, card: ReportCard, cursor: str) -> tuple[ReportCard, str]:
        from plugineval.server.app.views import errors_text

        graded = card.report_uri.rpartition("/")[2]
        text, following = await errors_text(self._store, graded, cursor or None, limit=_ERRORS)
        more = f"\n\nThe next page: cursor={following}" if following else ""
        return card.model_copy(update={"next_cursor": following, "models": ()}), cut(text, 2 * BUDGET) + more

    async def drift(self, card: ReportCard, against: str, named: str) -> tuple[ReportCard, str]:
        from plugineval.harness.rendering.drift_tables import drift_sentence, drift_tables
        from plugineval.harness.rendering.markdown_table import markdown_table
        from plugineval.server.jobs.drift import drift_between

        found = await drift_between(self._store, against, named)
        told = [drift_sentence(found), *(markdown_table(table) for table in drift_tables(found) if table.rows)]
        drift = shortened({"moved": found.moved, **found.model_dump(mode="json")})
        return card.model_copy(update={"drift": drift, "models": ()}), cut("\n\n".join(told), 2 * BUDGET)


def _models(report: "Report") -> "tuple[dict[str, Json], ...]":
    """Those that were measured, then the floors, as many as fit."""
    from plugineval.server.jobs.evaluation_outcome import model_outcome

    ordered = sorted(report.models, key=lambda model: model.floor is not None)
    shown: list[dict[str, Json]] = []
    for model in ordered:
        shown.append(model_outcome(model).model_dump(mode="json", exclude={"spending"}))
        if size_of([*shown]) > BUDGET:
            break
    return tuple(shown)


def _sections(text: str, most: int) -> str:
    """The first sections of a report, whole: as many as fit, and at least one."""
    head, *sections = text.rstrip().split(SECTION)
    shown, length = [head], len(head)
    for section in sections:
        length += len(SECTION) + len(section)
        if length > most and len(shown) > 1:
            break
        shown.append(section)
    return cut(SECTION.join(shown), 2 * BUDGET)
