"""What a run's numbers are about, taken from its cases (B18, B19), and when they expire."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from plugineval.harness.cases import Case, toolsets_of
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.run import RunInfo, Scope, ToolPrint
from plugineval.pccf.examples import SampleType
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import canonical_json, content_hash

_PRINT = 16
"""Hex digits of a tool's prints: they tell versions of one tool apart, and a scope may hold thousands."""


def scope_of(
    benchmark: str,
    benchmark_hash: str,
    cases: Sequence[Case],
    *,
    plugins: Iterable[Plugin] = (),
    roles: Mapping[str, str] | None = None,
) -> Scope:
    """The scope of measuring `cases`; tools are counted once per distinct content."""
    toolsets = toolsets_of(cases)
    tools = {tool.content_hash: tool for toolset in toolsets for tool in toolset.tools}.values()
    # One look at each case: they may be packed.
    seen = Counter((case.sample_type is SampleType.POSITIVE, _kind(case), case.query.origin) for case in cases)
    negatives: Counter[str] = Counter()
    for (positive, kind, _), number in seen.items():
        negatives[kind] += 0 if positive else number
    return Scope(
        benchmark=benchmark,
        benchmark_hash=benchmark_hash,
        plugins=tuple(f"{plugin.name} {plugin.version}".strip() for plugin in plugins),
        tools=len(tools),
        schema_depth=max((schema_depth(tool) for tool in tools), default=0),
        optional_fields=sum(len(tool.properties.keys() - set(tool.required)) for tool in tools),
        toolset_hashes=tuple(sorted({toolset.content_hash for toolset in toolsets})),
        cases=len(cases),
        positives=sum(number for (positive, *_), number in seen.items() if positive),
        negatives={kind: number for kind, number in sorted(negatives.items()) if number},
        traffic=_traffic({origin for *_, origin in seen}),
        roles=dict(roles or {}),
        tool_prints=tool_prints(tools),
        gold_hash=gold_hash(cases),
    )


def tool_prints(tools: Iterable[ToolSpec]) -> dict[str, ToolPrint]:
    """Offered name -> hashes of description and schema; tools that share a name are hashed together."""
    named: dict[str, list[ToolSpec]] = {}
    for tool in sorted(tools, key=lambda tool: (tool.offered_name, tool.content_hash)):
        named.setdefault(tool.offered_name, []).append(tool)
    return {
        name: ToolPrint(
            description=content_hash([tool.description for tool in found])[:_PRINT],
            schema_hash=content_hash([tool.input_schema for tool in found])[:_PRINT],
        )
        for name, found in named.items()
    }


def gold_hash(cases: Iterable[Case]) -> str:
    """Hash of what is counted as right in every case, whatever the order of the cases."""
    return content_hash(sorted(map(gold_print, cases)))


def gold_print(case: Case) -> str:
    """Hash of what is counted as right in one case."""
    calls = [call.model_dump(mode="json") for call in case.gold]
    return content_hash([case.id, case.sample_type.value, case.target_tool, calls])


def expiry_of(run: RunInfo) -> datetime:
    """When the numbers stop being quotable: days after the run's end, as its configuration says."""
    return (run.finished_at or run.started_at) + timedelta(days=run.config.expires_after_days)


def schema_depth(tool: ToolSpec) -> int:
    """Levels of arguments: 0 without arguments, 1 for flat ones, 2 where an argument has members of its own."""
    return _depth(Node.of_root(tool.input_schema), frozenset())


def _depth(node: Node, above: frozenset[str]) -> int:
    identity = canonical_json(node.schema)
    if identity in above:
        return 0
    inside = above | {identity}
    properties = node.schema.get("properties")
    members = [_depth(node.property(name), inside) for name in properties] if isinstance(properties, dict) else []
    through = [node.under(branch) for branch in node.branches()]
    if isinstance(node.schema.get("items"), dict):
        through.append(node.item(0))
    deeper = [_depth(child, inside) for child in through]
    return max([*(1 + depth for depth in members), *deeper], default=0)


def _traffic(origins: set[str]) -> str:
    """`synthetic`, `real`, `unknown` where nobody said, or `mixed`."""
    return "mixed" if len(origins) > 1 else next(iter(origins), "none")


def _kind(case: Case) -> str:
    return case.scenario_kind.value if case.scenario_kind else case.sample_type.value
