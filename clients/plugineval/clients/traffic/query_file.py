"""A file of real queries: a log of one JSON object a line, or plain lines of text; masked, and each text once.

A line that cannot be used is data, counted with its reason. OTLP files, which hold many spans a line, are unfolded.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from plugineval.clients.formats.fields import Refused, mapping
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.clients.traffic.conversations import moment_of, opening_of
from plugineval.clients.traffic.masking import Masker
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Message, Query
from plugineval.pccf.values import Json, Value

_SHOWN = 3


class RefusedLine(Value):
    """A line that holds no query."""

    line: int
    """1-based."""
    field: str
    problem: str

    @property
    def sentence(self) -> str:
        """For a person."""
        return f"line {self.line}, {self.field}: {self.problem}"


class QueryFile(Value):
    """Everything one file held."""

    queries: tuple[Query, ...]
    refused: tuple[RefusedLine, ...] = ()
    repeated: int = 0
    """Requests with the same words as an earlier one."""
    masked: dict[str, int] = {}
    """Kind -> how often something of it was masked."""


def read_queries(path: Path, *, mask: bool = True) -> QueryFile:
    """The queries of a file; `InvalidRecordError` where it cannot be read, or holds none."""
    return queries_of(lines_of(path), str(path), mask=mask)


def queries_of(lines: Iterable[bytes], where: str, *, mask: bool = True) -> QueryFile:
    """The queries of lines that come from `where`; `InvalidRecordError` where they hold none."""
    masker, refused = Masker(), list[RefusedLine]()
    found: dict[str, Query] = {}
    total = 0
    for number, raw in enumerate(lines, start=1):
        line = without_mark(raw) if number == 1 else raw
        if not line.strip():
            continue
        for record in _records(line, number, refused):
            query = _query(record, number, masker if mask else None, refused)
            if query is not None:
                total += 1
                found.setdefault(" ".join(query.text.casefold().split()), query)
    if not found:
        raise _nothing(where, refused)
    return QueryFile(
        queries=tuple(found.values()),
        refused=tuple(refused),
        repeated=total - len(found),
        masked=dict(masker.told),
    )


def _records(line: bytes, number: int, refused: list[RefusedLine]) -> Iterator[dict[str, Json]]:
    """The records of a line: itself, its spans, or, where it is no JSON at all, its words."""
    if not line.lstrip().startswith((b"{", b"[", b'"')):
        yield {"query": line.decode("utf-8", "replace").strip()}
        return
    try:
        value = parsed(line)
        record: dict[str, Json] = {"query": value} if isinstance(value, str) else mapping(value, "line")
    except Refused as problem:
        refused.append(RefusedLine(line=number, field=problem.field, problem=problem.problem))
        return
    spans = list(_spans(record))
    yield from spans or [record]


def _spans(record: dict[str, Json]) -> Iterator[dict[str, Json]]:
    for outer in _objects(record.get("resourceSpans")):
        for scope in _objects(outer.get("scopeSpans")):
            yield from _objects(scope.get("spans"))


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _query(record: dict[str, Json], number: int, masker: Masker | None, refused: list[RefusedLine]) -> Query | None:
    try:
        opening = opening_of(record)
    except Refused as problem:
        refused.append(RefusedLine(line=number, field=problem.field, problem=problem.problem))
        return None
    if masker is not None:
        opening = tuple(Message(role=said.role, content=masker.masked(said.content)) for said in opening)
    return Query(messages=opening, now=moment_of(record), origin="real")


def _nothing(where: str, refused: list[RefusedLine]) -> InvalidRecordError:
    told = "; ".join(each.sentence for each in refused[:_SHOWN])
    step = 'write one request a line, as text, {"query": "…"} or {"messages": […]}'
    return InvalidRecordError(f"holds no queries{': ' + told if told else ''}", field=where, next_step=step)
