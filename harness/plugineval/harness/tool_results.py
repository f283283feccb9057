"""Per tool: how the models did on the cases about it, and which of them are not shown to be worse than the best (B26).

Cases about a tool are positives that need it and negatives that it must not answer. Few cases give few claims.
"""

from collections.abc import Collection
from heapq import nlargest

from plugineval.harness.comparison import ModelComparison, compare_models
from plugineval.harness.statistics.case_results import CaseResults
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value

TOOLS_KEPT = 500
"""A benchmark in which every case brings its own tools would fill its report with tools of one case."""


class ToolResult(Value):
    """The models under test on the common rows of one tool's cases."""

    tool: str
    cases: int
    accuracy: dict[str, Rate]
    """Best first."""
    best: str
    level: tuple[str, ...] = ()
    """Models of which no difference to the best is shown."""
    p: float | None = None
    """Of the best against the next that is shown to be behind; None where there is none."""


def tool_results(
    results: CaseResults, *, floors: Collection[str] = (), config: StatisticsConfig | None = None
) -> tuple[ToolResult, ...]:
    """One entry per tool that any common row is about, by name; of very many, those with the most cases."""
    under_test = [arm for arm in results.arms if not arm.variant and arm.model not in floors]
    answered = results.answered(under_test)
    if not answered:
        return ()
    common = results.on_common_rows(answered)
    parts = common.by_tool()
    kept = set(nlargest(TOOLS_KEPT, parts, key=lambda tool: parts[tool].cases))
    compared = ((tool, compare_models(part, config=config)) for tool, part in parts.items() if tool in kept)
    return tuple(_result(tool, found) for tool, found in compared if found.rows)


def _result(tool: str, found: ModelComparison) -> ToolResult:
    order = sorted(found.models, key=lambda model: -(found.models[model].accuracy.value or 0.0))
    best = order[0]
    behind = [pair for pair in found.pairs if pair.first == best and pair.differs]
    return ToolResult(
        tool=tool,
        cases=found.cases,
        accuracy={model: found.models[model].accuracy for model in order},
        best=best,
        level=tuple(model for model in order[1:] if model not in {pair.second for pair in behind}),
        p=min((pair.p_adjusted for pair in behind), default=None),
    )
