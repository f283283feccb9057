"""Why a report may no longer be quoted (X4): its date has passed, or what it measured is not what is there today.

Pure: a report and the facts of today in, reasons out. What cannot be compared is said to be unchecked, never fresh.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum

from plugineval.harness.gold_changes import GoldChanges
from plugineval.harness.report import Report
from plugineval.harness.run import ToolPrint
from plugineval.pccf.values import Value


class ExpiryKind(StrEnum):
    """What has changed."""

    DATE_PASSED = "date_passed"
    TOOL_SCHEMA_CHANGED = "tool_schema_changed"
    TOOL_DESCRIPTION_CHANGED = "tool_description_changed"
    TOOL_GONE = "tool_gone"
    TOOL_ADDED = "tool_added"
    TOOLS_CHANGED = "tools_changed"
    """The offered tools are other ones; the report does not say which."""
    MODEL_MOVED = "model_moved"
    GOLD_REVISED = "gold_revised"
    CASES_CHANGED = "cases_changed"
    """The benchmark holds other cases by now; what is counted as right in those that it kept is the same."""


class ExpiryReason(Value):
    """One reason. `what` is the tool, model or date it is about; the words of plugins in it are data."""

    kind: ExpiryKind
    what: str
    detail: str = ""


class Today(Value):
    """What is there now; None (or absent) is not known."""

    tools: dict[str, ToolPrint] | None = None
    """`scope.tool_prints` of the tools that the cases would be asked with today."""
    toolset_hashes: tuple[str, ...] | None = None
    gold_hash: str | None = None
    gold_changes: GoldChanges | None = None
    """Of the cases of the run, where they could be compared one by one."""
    served_models: dict[str, str] = {}
    """Model id -> what its provider says answers to it today."""


class Expiry(Value):
    """Whether the numbers may be quoted: no reason and nothing unchecked is the only clean bill."""

    reasons: tuple[ExpiryReason, ...]
    unchecked: tuple[str, ...]

    @property
    def expired(self) -> bool:
        """Whether there is any reason."""
        return bool(self.reasons)


def expiry_of_report(report: Report, today: Today, *, now: datetime) -> Expiry:
    """Every reason, the date first."""
    reasons = (*_date(report, now), *_tools(report, today), *_models(report, today), *_gold(report, today))
    return Expiry(reasons=reasons, unchecked=tuple(_unchecked(report, today)))


def _date(report: Report, now: datetime) -> Iterator[ExpiryReason]:
    if report.expired(now):
        days = report.run.config.expires_after_days
        yield ExpiryReason(
            kind=ExpiryKind.DATE_PASSED,
            what=f"{report.expires_at:%Y-%m-%d}",
            detail=f"valid for {days} days after the run",
        )


def _tools(report: Report, today: Today) -> Iterator[ExpiryReason]:
    scope = report.run.scope
    if scope.tool_prints and today.tools is not None:
        yield from _prints(scope.tool_prints, today.tools)
    elif today.toolset_hashes is not None and set(today.toolset_hashes) != set(scope.toolset_hashes):
        yield ExpiryReason(kind=ExpiryKind.TOOLS_CHANGED, what="tools", detail="their hash is another one")


def _prints(then: Mapping[str, ToolPrint], now: Mapping[str, ToolPrint]) -> Iterator[ExpiryReason]:
    for name in sorted(then.keys() | now.keys()):
        if name not in now:
            yield ExpiryReason(kind=ExpiryKind.TOOL_GONE, what=name, detail="it was offered and is no more")
        elif name not in then:
            yield ExpiryReason(kind=ExpiryKind.TOOL_ADDED, what=name, detail="it was not offered then")
        else:
            yield from _changes(name, then[name], now[name])


def _changes(name: str, then: ToolPrint, now: ToolPrint) -> Iterator[ExpiryReason]:
    if then.schema_hash != now.schema_hash:
        detail = f"{then.schema_hash} then, {now.schema_hash} now"
        yield ExpiryReason(kind=ExpiryKind.TOOL_SCHEMA_CHANGED, what=name, detail=detail)
    if then.description != now.description:
        detail = f"{then.description} then, {now.description} now"
        yield ExpiryReason(kind=ExpiryKind.TOOL_DESCRIPTION_CHANGED, what=name, detail=detail)


def _models(report: Report, today: Today) -> Iterator[ExpiryReason]:
    for model in report.models:
        now = today.served_models.get(model.id)
        if now is not None and model.served_by and now not in model.served_by:
            detail = f"answered by {', '.join(model.served_by)} then, by {now} now"
            yield ExpiryReason(kind=ExpiryKind.MODEL_MOVED, what=model.id, detail=detail)


def _gold(report: Report, today: Today) -> Iterator[ExpiryReason]:
    then = report.run.scope.gold_hash
    if not then or today.gold_hash is None or then == today.gold_hash:
        return
    what, changes = report.run.scope.benchmark, today.gold_changes
    if changes is None or changes == GoldChanges():
        detail = f"{then[:12]} then, {today.gold_hash[:12]} now"
        yield ExpiryReason(kind=ExpiryKind.GOLD_REVISED, what=what, detail=detail)
        return
    if changes.revised:
        yield ExpiryReason(kind=ExpiryKind.GOLD_REVISED, what=what, detail=changes.revised_told)
    if changes.gone or changes.added:
        yield ExpiryReason(kind=ExpiryKind.CASES_CHANGED, what=what, detail=changes.cases_told)


def _unchecked(report: Report, today: Today) -> Iterator[str]:
    if not (report.run.scope.tool_prints and today.tools is not None) and today.toolset_hashes is None:
        yield "tools"
    if not report.run.scope.gold_hash or today.gold_hash is None:
        yield "gold"
    for model in report.models:
        if model.floor is None and not (model.served_by and model.id in today.served_models):
            yield f"model {model.id}"
