"""Marks of an error in disguise: a result that is formally a success and reads like a failure.

The marks are a report to the result evaluator, which decides; they are never a verdict, because a log reader
legitimately returns lines that say "Error".
"""

import json
import re
from collections.abc import Iterator

from plugineval.pccf.values import Json

_OPENING = re.compile(
    r"[^\w{\[]*\[?(error\b|exception\b|traceback \(most recent call last\)|fatal\b|failed\b|failure\b|"
    r"an? [\w ]{0,30}error\b|invalid\b|unable to\b|could not\b|couldn't\b|cannot\b|can't\b|not found\b|no such\b|"
    r"unknown (tool|command)\b|access denied\b|permission denied\b|unauthorized\b|forbidden\b|"
    r"\w{1,40}(error|exception):)",
    re.IGNORECASE,
)
_BAD_STATUS = frozenset({"error", "err", "fail", "failed", "failure", "exception", "fatal"})
_ERROR_FIELDS = ("error", "errors", "error_message", "errorMessage", "exception", "traceback")
_SUCCESS_FIELDS = ("success", "ok", "succeeded")
_STATUS_FIELDS = ("status", "state", "result")
_FLAG_FIELDS = ("isError", "is_error")
_LONGEST_PARSED = 65_536


def marks(text: str, structured: Json) -> tuple[str, ...]:
    """What in the text or the structured content looks like an error, as phrases; empty where nothing does."""
    value = structured if structured is not None else _parsed(text)
    found = [*_in_text(text), *_in_value(value)]
    return tuple(dict.fromkeys(found))


def _in_text(text: str) -> Iterator[str]:
    opening = _OPENING.match(text)
    if opening is not None:
        yield f"the text opens with {opening.group().strip()!r}"


def _in_value(value: Json, *, depth: int = 0) -> Iterator[str]:
    """Fields of the outermost object, and of the object or text that it wraps as its `result`."""
    if not isinstance(value, dict):
        return
    for field, content in value.items():
        if _speaks_of_error(field, content):
            yield f"the field {field!r} is {json.dumps(content, ensure_ascii=False)[:80]}"
    inner = value.get("result")
    if isinstance(inner, str):
        yield from _in_text(inner)
    elif depth == 0:
        yield from _in_value(inner, depth=1)


def _speaks_of_error(field: str, content: Json) -> bool:
    if field in _ERROR_FIELDS:
        return bool(content)
    if field in _SUCCESS_FIELDS:
        return content is False
    if field in _FLAG_FIELDS:
        return content is True
    if field in _STATUS_FIELDS:
        return isinstance(content, str) and content.lower() in _BAD_STATUS
    return False


def _parsed(text: str) -> Json:
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_PARSED:
        return None
    try:
        parsed: Json = json.loads(text)
    except ValueError:
        return None
    return parsed
