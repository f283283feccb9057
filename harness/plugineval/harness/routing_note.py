"""Which model for which tools, as a short note for the team's router (B26). Where no difference is shown it says so.

The note is a value read off a report; it carries scope, date and expiry, because it will be quoted without the report.
"""

from pydantic import AwareDatetime

from plugineval.harness.decision.rule import Recommendation
from plugineval.harness.report import Report
from plugineval.harness.tool_results import ToolResult
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class Route(Value):
    """One tool: the models that may answer for it, and whether the choice between them is shown to matter."""

    tool: str
    use: tuple[str, ...]
    """Best first; with more than one, no difference between them is shown."""
    avoid: tuple[str, ...]
    """Shown to be worse than the best."""
    accuracy: dict[str, Rate]
    cases: int


class RoutingNote(Value):
    """What a router needs to know, and until when it holds."""

    run: str
    benchmark: str
    measured_at: AwareDatetime
    expires_at: AwareDatetime
    default: tuple[str, ...]
    """Models for everything else: the best over all cases, and those not shown to be behind it."""
    routes: tuple[Route, ...]
    verdict: str
    recommendation: Recommendation | None = None


def routing_note(report: Report) -> RoutingNote:
    """The note of a report; without routes where the report has no results per tool."""
    return RoutingNote(
        run=report.run.id,
        benchmark=report.run.scope.benchmark,
        measured_at=report.run.finished_at or report.run.started_at,
        expires_at=report.expires_at,
        default=_default(report),
        routes=tuple(map(_route, report.by_tool)),
        verdict=report.verdict.sentence,
        recommendation=report.decision.recommendation if report.decision else None,
    )


def _route(result: ToolResult) -> Route:
    use = (result.best, *result.level)
    return Route(
        tool=result.tool,
        use=use,
        avoid=tuple(model for model in result.accuracy if model not in use),
        accuracy=result.accuracy,
        cases=result.cases,
    )


def _default(report: Report) -> tuple[str, ...]:
    under_test = [model.id for model in report.models if model.floor is None]
    accuracy = {model: found.accuracy.value for model, found in report.comparison.models.items()}
    known = [model for model in under_test if accuracy.get(model) is not None]
    if not known:
        return ()
    ranked = sorted(known, key=lambda model: -(accuracy[model] or 0.0))
    beaten = {pair.second for pair in report.comparison.pairs if pair.first == ranked[0] and pair.differs}
    return tuple(model for model in ranked if model not in beaten)
