"""What the readers of public data sets share: line by line, every record a case or a remark, ids claimed once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from plugineval.clients.formats.fields import Refused, items, mapping, text
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.clients.formats.queries import query_of
from plugineval.clients.formats.records import CaseRecord, Remark
from plugineval.clients.formats.tool_lists import ToolLists
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json


class Read(NamedTuple):
    """One record as it is being read."""

    number: int
    """Its line, from 1."""
    record: dict[str, Json]
    tools: ToolLists


class Converter(Protocol):
    """One data set."""

    def id_of(self, read: Read) -> str:
        """The record's id; `Refused` where it has none."""
        ...

    def case_of(self, read: Read) -> CaseRecord:
        """The case; `Refused` names the field that cannot be used."""
        ...


def converted(
    path: Path, converter: Converter, seen: Callable[[bytes], None] = lambda line: None
) -> Iterator[CaseRecord | Remark]:
    """Every case and every refusal of the file, in order, its lines shown to `seen`; `InvalidRecordError` where it is
    no file of lines.
    """
    tools, ids = ToolLists(), dict[str, int]()
    for number, raw in enumerate(lines_of(path, seen), start=1):
        line = without_mark(raw) if number == 1 else raw
        if not line.strip():
            continue
        found_id: str | None = None
        try:
            read = Read(number, mapping(parsed(line), "line"), tools)
            found_id = converter.id_of(read)
            if (first := ids.setdefault(found_id, number)) != number:
                raise Refused("id", f"{found_id!r} is the id of line {first} already")
            yield converter.case_of(read)
        except Refused as refused:
            yield Remark(severity="refused", line=number, id=found_id, field=refused.field, problem=refused.problem)


def case(
    read_id: str,
    record: dict[str, Json],
    toolset: Toolset,
    gold: Iterable[GoldCall],
    *,
    kind: SampleType = SampleType.POSITIVE,
    target: str | None = None,
) -> CaseRecord:
    """A case of `record`, which holds `query` or `messages`, and perhaps `now`."""
    return CaseRecord(
        id=read_id,
        query=query_of(record),
        toolset=toolset,
        gold=tuple(_offered(call, toolset) for call in gold),
        sample_type=kind,
        target_tool=target,
    )


def answers_of(path: Path, field: str) -> dict[str, Json]:
    """Id -> `field` of every line of an answer file, which must be read whole to be joined."""
    found: dict[str, Json] = {}
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        try:
            record = mapping(parsed(line), "line")
            found[text(record.get("id"), "id")] = record.get(field)
        except Refused as refused:
            raise InvalidRecordError(f"line {number}, {refused.field}: {refused.problem}", field=str(path)) from refused
    return found


def one_id(read: Read, *names: str) -> str:
    """The first of these fields that is a text."""
    for name in names:
        if isinstance(value := read.record.get(name), str) and value:
            return value
    return text(None, names[0])


def objects(value: Json, field: str) -> list[dict[str, Json]]:
    """A list of objects."""
    return [mapping(each, f"{field}[{number}]") for number, each in enumerate(items(value, field))]


def _offered(call: GoldCall, toolset: Toolset) -> GoldCall:
    if call.tool not in toolset.by_name:
        raise Refused("gold", f"{call.tool!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    return call
