"""A file of revisions, one JSON object a line: `case`, `reason`, and one of `gold`, `label` and `remove`.

    {"case": "example-1f…", "reason": "the ticket asks for UTC", "gold": [{"name": "now", "arguments": {"tz": "UTC"}}]}
    {"case": "example-2a…", "reason": "nobody asks that", "remove": true}

Whoever revises gold must get all of it right: one line that cannot be used refuses the file.
"""

from pathlib import Path

from pydantic import ValidationError

from plugineval.clients.formats.fields import Refused, flag, items, mapping, text
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.revisions import NoCall, Revision
from plugineval.pccf.values import Json

_FIELDS = frozenset({"case", "reason", "by", "gold", "ordered", "label", "remove"})
_LABELS: dict[str, NoCall] = {
    "tool_unnecessary": "tool_unnecessary",
    "target_irrelevant": "target_irrelevant",
    "underspecified": "underspecified",
}


def read_revisions(path: Path) -> tuple[Revision, ...]:
    """The revisions of the file; `InvalidRecordError` names the line and the field that cannot be used."""
    found: dict[str, Revision] = {}
    for number, raw in enumerate(lines_of(path), start=1):
        line = without_mark(raw) if number == 1 else raw
        if not line.strip():
            continue
        try:
            revision = _revision(mapping(parsed(line), "line"))
            if revision.case in found:
                raise Refused("case", f"{revision.case!r} is revised twice")
        except Refused as refused:
            problem = f"line {number}, {refused.field}: {refused.problem}"
            raise InvalidRecordError(problem, field=str(path), next_step="correct the line") from refused
        found[revision.case] = revision
    if not found:
        raise InvalidRecordError("holds no revisions", field=str(path), next_step="write one a line, as JSON")
    return tuple(found.values())


def _revision(record: dict[str, Json]) -> Revision:
    if unknown := sorted(record.keys() - _FIELDS):
        raise Refused(unknown[0], f"is not a field of a revision: {', '.join(sorted(_FIELDS))}")
    ordered = record.get("ordered")
    try:
        return Revision(
            case=text(record.get("case"), "case"),
            reason=text(record.get("reason"), "reason").strip(),
            by=text(record.get("by"), "by", default=""),
            gold=tuple(_call(call, f"gold[{n}]") for n, call in enumerate(items(record.get("gold"), "gold"))),
            ordered=None if ordered is None else flag(ordered, "ordered"),
            label=_label(record.get("label")),
            remove=flag(record.get("remove"), "remove"),
        )
    except InvalidRecordError as error:
        raise Refused("line", f"{error.problem}; allowed is one of {', '.join(error.allowed)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(".".join(map(str, first["loc"])), first["msg"]) from error


def _call(value: Json, field: str) -> Invocation:
    call = mapping(value, field)
    arguments = call.get("arguments")
    return Invocation(
        tool=text(call.get("name"), f"{field}.name"),
        arguments={} if arguments is None else mapping(arguments, f"{field}.arguments"),
    )


def _label(value: Json) -> NoCall | None:
    found = _LABELS.get(value) if isinstance(value, str) else None
    if found is None and value is not None:
        raise Refused("label", f"{value!r} is not one of {', '.join(_LABELS)}")
    return found
