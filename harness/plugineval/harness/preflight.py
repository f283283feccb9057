"""What must hold before the first paid call: cases that can be measured, models that can be told apart (B2, B8, E7)."""

from collections.abc import Hashable, Iterable, Sequence

from plugineval.harness.cases import Case
from plugineval.harness.run import RunConfig
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.routing import Router
from plugineval.pccf.schemas import check_schema
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import content_hash


def admit(cases: Sequence[Case], models: Sequence[Router], config: RunConfig) -> None:
    """`InvalidRecordError` or `InvalidSchemaError` for the first thing that would make the run meaningless."""
    _refuse_twice("case id", (case.id for case in cases))
    _refuse_twice("model", (model.id for model in models))
    if {model.id for model in models} != set(config.models):
        problem = "the run's configuration does not name the models that are run"
        raise InvalidRecordError(problem, field="models", allowed=sorted(model.id for model in models))
    checked: set[str] = set()
    for case in cases:
        _admit_case(case)
        for tool in case.toolset.tools:
            if tool.content_hash not in checked:
                checked.add(tool.content_hash)
                check_schema(tool.input_schema, tool=tool.offered_name)


def fresh_hash(toolset: Toolset) -> str:
    """The toolset's hash taken from its present bytes, not from memory."""
    return content_hash(
        [content_hash([tool.offered_name, tool.description, tool.input_schema]) for tool in toolset.tools]
    )


def _admit_case(case: Case) -> None:
    unknown = [gold.tool for gold in case.gold if gold.tool not in case.toolset.by_name]
    if unknown:
        problem = f"gold calls {unknown[0]!r}, which is not offered"
        raise InvalidRecordError(problem, field=f"case {case.id}: gold", allowed=sorted(case.toolset.by_name))
    if case.sample_type is SampleType.TARGETED_NEGATIVE and case.target_tool is None:
        raise InvalidRecordError("a targeted negative names the tool that must not be called", field=_target(case))
    if case.sample_type is SampleType.GLOBAL_NEGATIVE and case.gold:
        raise InvalidRecordError("a global negative has no gold call", field=f"case {case.id}: gold")
    if case.sample_type is SampleType.TARGETED_NEGATIVE and any(gold.tool == case.target_tool for gold in case.gold):
        raise InvalidRecordError("the forbidden target is also its gold call", field=_target(case))


def _target(case: Case) -> str:
    return f"case {case.id}: target_tool"


def _refuse_twice(kind: str, names: Iterable[Hashable]) -> None:
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            raise InvalidRecordError(f"{name!r} occurs twice", field=kind, next_step="give every one its own name")
        seen.add(name)
