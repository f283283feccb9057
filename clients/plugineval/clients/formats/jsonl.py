"""Files of cases, one JSON object a line, read line by line.

Fields: `id`, `query` (text, or messages with role and content), `tools` (name, description, input_schema), `gold`
(a list of name and arguments), `sample_type` (positive, targeted_negative, global_negative); optional `target_tool`,
`now` (ISO 8601 with an offset), `ordered`, `difficulty`, `scenario`, `scenario_kind`, `origin`. A byte order mark,
CRLF and blank lines are fine. A line that cannot be used is data, counted with its reason, never silently gone.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from plugineval.clients.formats.case_reading import case_of, id_of
from plugineval.clients.formats.fields import Refused, mapping
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.clients.formats.records import CaseFile, CaseRecord, Remark, packed_records
from plugineval.clients.formats.tool_lists import ToolLists
from plugineval.pccf.errors import InvalidRecordError

_SHOWN = 3


class CaseReader:
    """Turns lines into cases and remarks, in order; remembers ids and tool lists across lines."""

    def __init__(self) -> None:
        self.lines = 0
        """Lines seen that are not blank."""
        self._number = 0
        self._ids: dict[str, int] = {}
        self._tool_lists = ToolLists()

    def read(self, lines: Iterable[bytes]) -> Iterator[CaseRecord | Remark]:
        """Every case and every remark of `lines`; a warning comes right before the case it is about."""
        for raw in lines:
            self._number += 1
            line = without_mark(raw) if self._number == 1 else raw
            if line.strip():
                self.lines += 1
                yield from self._line(line)

    def _line(self, line: bytes) -> Iterator[CaseRecord | Remark]:
        warnings: list[Remark] = []
        found_id: str | None = None

        def remark(field: str, problem: str) -> None:
            warnings.append(self._remark("warning", found_id, field, problem))

        try:
            record = mapping(parsed(line), "line")
            found_id = id_of(record)
            self._claim(found_id)
            case = case_of(record, self._tool_lists, remark)
        except Refused as refused:
            yield self._remark("refused", found_id, refused.field, refused.problem)
            return
        yield from warnings
        yield case

    def _claim(self, record_id: str) -> None:
        first = self._ids.setdefault(record_id, self._number)
        if first != self._number:
            raise Refused("id", f"{record_id!r} is the id of line {first} already")

    def _remark(
        self, severity: Literal["refused", "warning"], record_id: str | None, field: str, problem: str
    ) -> Remark:
        return Remark(severity=severity, line=self._number, id=record_id, field=field, problem=problem)


def read_cases(path: Path) -> CaseFile:
    """Everything in the file at `path`.

    `InvalidRecordError` where there is no such file, it cannot be opened, is not UTF-8 lines, or holds no usable case.
    """
    reader, digest = CaseReader(), hashlib.sha256()
    cases = packed_records()
    remarks: list[Remark] = []
    for found in reader.read(lines_of(path, digest.update)):
        if isinstance(found, CaseRecord):
            cases.add(found)
        else:
            remarks.append(found)
    if not cases:
        raise _nothing(path, reader.lines, remarks)
    return CaseFile(cases=cases, remarks=tuple(remarks), lines=reader.lines, content_hash=digest.hexdigest())


def _nothing(path: Path, lines: int, remarks: list[Remark]) -> InvalidRecordError:
    if not lines:
        return InvalidRecordError("holds no records", field=str(path), next_step="write one case a line, as JSON")
    first = "; ".join(remark.sentence for remark in remarks[:_SHOWN])
    step = "write one JSON object a line (a JSON array, or JSON spread over lines, is not read)"
    read = all(remark.field != "line" for remark in remarks)
    return InvalidRecordError(
        f"none of {lines} lines is a case: {first}",
        field=str(path),
        next_step="mend these fields of the records" if read else step,
    )
