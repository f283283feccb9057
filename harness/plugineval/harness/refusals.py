"""Which broken schema rules are the call's own fault: not those that a lossless coercion explains (D14), nor those that
gold itself breaks in the same place, so that no valid call could meet it.
"""

import re
from collections.abc import Iterable

from plugineval.harness.equivalence.findings import Comparison, Finding, FindingKind
from plugineval.harness.prepared_tools import PreparedTool
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.json_pointers import unescaped
from plugineval.pccf.records import SchemaViolation

_STEP = re.compile(r"[./\[\]]+")


def blamed(
    violations: Iterable[SchemaViolation], comparison: Comparison, gold: GoldCall, tool: PreparedTool
) -> tuple[SchemaViolation, ...]:
    """The violations that make the call wrong."""
    left = [*violations]
    if comparison.coerced:
        coerced = {_steps(finding.path) for finding in comparison.coerced}
        left = [found for found in left if not _inside(_steps(found.path), coerced)]
    if not left or comparison.differences:
        return tuple(left)
    # Gold is only looked at where the call is equal to it, or may be.
    shared = {(found.path, found.keyword) for found in tool.check(gold.arguments)[0]}
    return tuple(found for found in left if (found.path, found.keyword) not in shared)


def as_finding(violation: SchemaViolation) -> Finding:
    """A call that its tool's schema refuses is wrong, even where it is meant right."""
    path = ".".join(_steps(violation.path))
    return Finding(path, FindingKind.VALUE, rule=f"schema.{violation.keyword}", reason=violation.message)


def _steps(path: str) -> tuple[str, ...]:
    return tuple(step for step in _STEP.split(unescaped(path)) if step)


def _inside(path: tuple[str, ...], coerced: set[tuple[str, ...]]) -> bool:
    return any(path[: len(place)] == place for place in coerced)
