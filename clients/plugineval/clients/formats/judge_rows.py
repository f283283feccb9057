"""Files of rows to be judged, one JSON object a line: a case, and what a model answered to it, streamed.

Fields: `now`, `query`, `sample_type`, `target_tool`, `tools`, `gold`, `predicted`; optional `id` (else the number of
the line) and `ordered`; further fields are ignored. A gold argument is a plain value or `{"accepted": [value, …]}`.
`predicted` is a list of name and arguments, a text, or an answer in any provider's shape. Every line that is not blank
comes out once, as a row or as a refusal with its reason.
"""

import marshal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from plugineval.clients.formats.case_reading import id_of, target_of
from plugineval.clients.formats.fields import Refused, choice, flag, items, mapping, text
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.clients.formats.queries import query_of
from plugineval.clients.formats.records import CaseRecord, Remark
from plugineval.clients.formats.tool_lists import ToolLists
from plugineval.clients.outputs.reading import OutputReader
from plugineval.clients.outputs.reply import NormalisedReply
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Arguments, Json

_TOOL_LISTS_KEPT = 4096
_GOLD_KEPT = 4096


class JudgeRow(NamedTuple):
    """One line: the case, and the answer to it."""

    line: int
    """1-based."""
    case: CaseRecord
    reply: NormalisedReply


class _Offered(NamedTuple):
    toolset: Toolset
    reader: OutputReader
    number: int
    """Of the tool list, among all that were read."""


class JudgeRowReader:
    """Turns lines into rows and refusals, in order; rows with the same tools share one `Toolset`.

    `salvage`: calls that a model wrote into its text are read as calls; otherwise they are a parse failure.
    """

    def __init__(self, *, salvage: bool = False) -> None:
        self._salvage = salvage
        self._number = 0
        self._offered: dict[bytes, _Offered] = {}
        self._tool_lists = ToolLists()
        self._tool_lists_read = 0
        self._gold: dict[tuple[int, bytes], tuple[GoldCall, ...]] = {}

    def read(self, lines: Iterable[bytes]) -> Iterator[JudgeRow | Remark]:
        """One row or refusal for every line that is not blank."""
        for raw in lines:
            self._number += 1
            line = without_mark(raw) if self._number == 1 else raw
            if not line.isspace() and line:
                yield self._row(line)

    def _row(self, line: bytes) -> JudgeRow | Remark:
        row_id: str | None = None
        try:
            record = mapping(parsed(line), "line")
            row_id = str(self._number) if record.get("id") is None else id_of(record)
            offered = self._tools(record.get("tools"))
            case = _case(record, row_id, offered.toolset, self._gold_calls(record.get("gold"), offered))
            if record.get("predicted") is None:
                raise Refused("predicted", "is missing; write [] where nothing was called")
            return JudgeRow(self._number, case, offered.reader.read(record["predicted"]))
        except Refused as refused:
            return Remark(
                severity="refused", line=self._number, id=row_id, field=refused.field, problem=refused.problem
            )

    def _tools(self, value: Json) -> _Offered:
        # Only a quick key: version 0 spells equal values equally, and two spellings of one list are merely read twice.
        key = marshal.dumps(value, 0)
        found = self._offered.get(key)
        if found is None:
            if len(self._offered) >= _TOOL_LISTS_KEPT:
                # Memory stays flat over any number of rows, whatever their tools are.
                self._offered.clear()
                self._tool_lists = ToolLists()
            toolset = self._tool_lists.toolset(value)
            found = self._offered[key] = _Offered(
                toolset, OutputReader(toolset, salvage=self._salvage), self._tool_lists_read
            )
            self._tool_lists_read += 1
        return found

    def _gold_calls(self, value: Json, offered: _Offered) -> tuple[GoldCall, ...]:
        """The gold calls; a case comes again for every model and repeat, and is read once."""
        key = (offered.number, marshal.dumps(value, 0))
        found = self._gold.get(key)
        if found is None:
            if len(self._gold) >= _GOLD_KEPT:
                self._gold.clear()
            calls = enumerate(items(value, "gold"))
            found = self._gold[key] = tuple(_gold(call, f"gold[{index}]", offered.toolset) for index, call in calls)
        return found


def read_judge_rows(path: Path, *, salvage: bool = False) -> Iterator[JudgeRow | Remark]:
    """The rows of the file at `path`; `InvalidRecordError` where it cannot be read as a file of lines."""
    return JudgeRowReader(salvage=salvage).read(lines_of(path))


def _case(record: dict[str, Json], row_id: str, toolset: Toolset, gold: tuple[GoldCall, ...]) -> CaseRecord:
    sample_type = choice(record.get("sample_type"), SampleType, "sample_type") or SampleType.POSITIVE
    target = target_of(record.get("target_tool"), sample_type, toolset)
    _check_gold(gold, sample_type, target)
    return CaseRecord(
        id=row_id,
        query=query_of(record),
        toolset=toolset,
        gold=gold,
        sample_type=sample_type,
        target_tool=target,
        ordered=flag(record.get("ordered"), "ordered"),
    )


def _check_gold(gold: tuple[GoldCall, ...], sample_type: SampleType, target: str | None) -> None:
    """A positive without gold is graded too (D3), and a targeted negative may say what is to be called instead."""
    if sample_type is SampleType.GLOBAL_NEGATIVE and gold:
        raise Refused("gold", "a global_negative has none")
    if sample_type is SampleType.TARGETED_NEGATIVE and any(call.tool == target for call in gold):
        raise Refused("gold", f"calls {target!r}, which is the tool that must not be called")


def _gold(value: Json, field: str, toolset: Toolset) -> GoldCall:
    call = mapping(value, field)
    name = text(call.get("name"), f"{field}.name")
    tool = toolset.by_name.get(name)
    if tool is None:
        raise Refused(f"{field}.name", f"{name!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    written = call.get("arguments")
    arguments = {} if written is None else mapping(written, f"{field}.arguments")
    listed = {key: item["accepted"] for key, item in arguments.items() if isinstance(item, dict) and _lists(item)}
    if not listed:
        return GoldCall(tool=name, arguments=arguments)
    accepted = {key: _accepted(items(values, ""), f"{field}.arguments.{key}") for key, values in listed.items()}
    return GoldCall(tool=name, arguments=_one_each(arguments, accepted), accepted=accepted)


def _lists(value: dict[str, Json]) -> bool:
    return len(value) == 1 and isinstance(value.get("accepted"), list)


def _accepted(values: list[Json], field: str) -> Accepted:
    """An empty text among other values is how public data sets say that the argument may be left out."""
    if not values:
        raise Refused(field, "accepts nothing; list at least one value")
    return Accepted(values=tuple(values), omittable=len(values) > 1 and "" in values)


def _one_each(arguments: Arguments, accepted: dict[str, Accepted]) -> Arguments:
    def one(values: tuple[Json, ...]) -> Json:
        return next((value for value in values if value not in ("", None)), values[0])

    return {key: one(accepted[key].values) if key in accepted else value for key, value in arguments.items()}
