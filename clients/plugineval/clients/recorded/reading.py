"""Reads a recording line by line. A file with a wrong line, or without some of its lines, is refused as a whole: a
model that answers only some of what it was asked is not the model that was recorded.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from pydantic import ValidationError

from plugineval.clients.formats.fields import Refused
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.clients.recorded.lines import AnswerLine, RecordingHeader, RoleLine, RouteLine
from plugineval.clients.recorded.recording import Recording
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json, Value

V = TypeVar("V", bound=Value)
_SHOWN = 10
_STEP = "write it again with `plugineval record RUN_OR_JOB --out FILE`"


def read_recording(path: Path) -> Recording:
    """The recording at `path`; a file that did not change since it was read is not read again.

    `InvalidRecordError` where it cannot be read, a line is wrong (each is named), or answers are missing.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise InvalidRecordError(
            f"cannot be read: {error.strerror}", field=f"recording {path.name}", next_step="correct the path"
        ) from error
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=8)
def _read(path: Path, changed_ns: int, size: int) -> Recording:
    problems: list[str] = []
    header: RecordingHeader | None = None
    lines: list[AnswerLine] = []
    for number, raw in _numbered(path):
        try:
            if header is None:
                header = _header(raw)
            else:
                lines.append(_answer(raw, header))
        except Refused as refused:
            problems.append(f"line {number}, {refused.field}: {refused.problem}")
            if header is None:
                break
    if header is None and not problems:
        problems.append("it holds no lines")
    if header is None or problems:
        raise _refused(path, problems)
    _check_whole(path, header, lines)
    return Recording(path.name, header, lines)


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(lines_of(path), 1):
        raw = without_mark(line) if number == 1 else line
        if raw.strip():
            yield number, raw


def _header(raw: bytes) -> RecordingHeader:
    document = _document(raw)
    if not isinstance(document, dict) or "recording" not in document:
        raise Refused("line", "is not the header of a recording")
    if document["recording"] != RecordingHeader.model_fields["recording"].default:
        raise Refused("recording", f"version {document['recording']} is of another version of PluginEval")
    return _valid(RecordingHeader, document)


def _answer(raw: bytes, header: RecordingHeader) -> AnswerLine:
    document = _document(raw)
    kind = document.get("line") if isinstance(document, dict) else None
    if kind not in ("route", "role"):
        raise Refused("line", "is neither a route nor a role")
    found: AnswerLine = _valid(RouteLine, document) if kind == "route" else _valid(RoleLine, document)
    if found.model not in header.models:
        raise Refused("model", f"{found.model!r} is not in the header")
    return found


def _document(raw: bytes) -> Json:
    try:
        # Models emit half a surrogate pair, which a recording keeps as an escape and the strict parser refuses.
        return cast("Json", json.loads(raw))
    except ValueError:
        return parsed(raw)


def _valid(kind: type[V], document: Json) -> V:
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(".".join(str(part) for part in first["loc"]) or "line", first["msg"]) from error


def _check_whole(path: Path, header: RecordingHeader, lines: list[AnswerLine]) -> None:
    counted = Counter(line.model for line in lines)
    for model, known in header.models.items():
        if counted[model] != known.answers:
            raise _refused(path, [f"it holds {counted[model]} answers of {model}, and its header says {known.answers}"])


def _refused(path: Path, problems: list[str]) -> InvalidRecordError:
    listed = "; ".join(problems[:_SHOWN])
    more = len(problems) - _SHOWN
    told = f"{listed}; and {more} more" if more > 0 else listed
    return InvalidRecordError(f"is no recording: {told}", field=f"recording {path.name}", next_step=_STEP)
