"""One record of a case file, checked: its tools, its gold, and whether they fit how the record is counted.

Refused is what would be measured wrongly; what is only odd is kept with a warning. A gold call that its tool's schema
forbids can never be met by a valid call: such a record is kept, because the file is the person's, and said.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from plugineval.clients.formats.fields import Refused, choice, flag, items, mapping, optional_text, text
from plugineval.clients.formats.queries import query_of
from plugineval.clients.formats.records import CaseRecord
from plugineval.clients.formats.tool_lists import ToolLists
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

Warn: TypeAlias = Callable[[str, str], None]
"""Takes the field and what is odd about it."""

T = TypeVar("T")

GOLD_SHAPE = '[{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}]'
FIELDS = frozenset({"id", "query", "messages", "now", "origin", "tools", "gold"}) | {
    "sample_type", "target_tool", "ordered", "difficulty", "scenario", "scenario_kind",
}  # fmt: skip


def id_of(record: dict[str, Json]) -> str:
    """The record's id; a whole number counts as its digits."""
    value = record.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    found = text(value, "id").strip()
    if not found:
        raise Refused("id", "is empty")
    return found


def case_of(record: dict[str, Json], tool_lists: ToolLists, warn: Warn) -> CaseRecord:
    """The case in `record`; `Refused` names the first field that cannot be used."""
    toolset = tool_lists.toolset(record.get("tools"))
    calls = _shaped(record.get("gold"), "gold", items)
    gold = tuple(_gold(item, f"gold[{index}]", toolset) for index, item in enumerate(calls))
    for field in sorted(set(record) - FIELDS):
        warn(field, "is not a field of a case and was not read")
    sample_type = _sample_type(record.get("sample_type"), gold, warn)
    target = target_of(record.get("target_tool"), sample_type, toolset)
    _warn_of_unpassable(gold, toolset, warn)
    return CaseRecord(
        id=id_of(record),
        query=query_of(record),
        toolset=toolset,
        gold=gold,
        sample_type=sample_type,
        target_tool=target,
        ordered=flag(record.get("ordered"), "ordered"),
        difficulty=choice(record.get("difficulty"), Difficulty, "difficulty"),
        scenario=optional_text(record.get("scenario"), "scenario"),
        scenario_kind=choice(record.get("scenario_kind"), ScenarioKind, "scenario_kind"),
    )


def _gold(value: Json, field: str, toolset: Toolset) -> GoldCall:
    call = _shaped(value, field, mapping)
    name = _shaped(call.get("name"), f"{field}.name", text)
    if name not in toolset.by_name:
        raise Refused(f"{field}.name", f"{name!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    arguments = call.get("arguments")
    return GoldCall(tool=name, arguments={} if arguments is None else mapping(arguments, f"{field}.arguments"))


def _shaped(value: Json, field: str, read: Callable[[Json, str], T]) -> T:
    """What `read` reads of gold; a refusal shows how a call is written."""
    try:
        return read(value, field)
    except Refused as refused:
        raise Refused(refused.field, f"{refused.problem}; write gold as {GOLD_SHAPE}") from refused


def _sample_type(value: Json, gold: tuple[GoldCall, ...], warn: Warn) -> SampleType:
    declared = choice(value, SampleType, "sample_type")
    if declared is SampleType.POSITIVE and not gold:
        raise Refused("gold", "a positive needs at least one call")
    if declared in {SampleType.TARGETED_NEGATIVE, SampleType.GLOBAL_NEGATIVE} and gold:
        raise Refused("gold", f"a {declared} has none")
    if declared is None and not gold:
        # D3: not declared negative, so an empty answer to it proves nothing.
        warn("sample_type", "is missing and there is no gold: an answer without a call will be excluded (both_empty)")
    return declared or SampleType.POSITIVE


def target_of(value: Json, sample_type: SampleType, toolset: Toolset) -> str | None:
    """The tool that a targeted negative must not call; for other rows it is only noted."""
    target = optional_text(value, "target_tool")
    if target is None and sample_type is SampleType.TARGETED_NEGATIVE:
        raise Refused("target_tool", "a targeted negative must name the tool that must not be called")
    if target is not None and target not in toolset.by_name:
        raise Refused("target_tool", f"{target!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    return target


def _warn_of_unpassable(gold: tuple[GoldCall, ...], toolset: Toolset, warn: Warn) -> None:
    from plugineval.pccf.schemas import violations

    for index, call in enumerate(gold):
        for found in violations(toolset.by_name[call.tool].input_schema, call.arguments):
            place = f"gold[{index}].arguments{found.path.replace('/', '.')}"
            warn(place, f"no valid call can meet this gold: {found.message}")
