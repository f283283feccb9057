"""Marks of an error in disguise: a result that is formally a success and reads like a failure.

The marks are a report to the result evaluator, which decides; they are never a verdict, because a log reader
legitimately returns lines that say "Error". They are generous, and leave alone what merely mentions errors.
"""

import json
import re
from collections.abc import Iterator

from plugineval.clients.plugins.error_phrases import phrases
from plugineval.pccf.values import Json


def _words(text: str) -> list[str]:
    return text.split()


_BAD_STATUS = frozenset(
    _words("error err fail failed failure exception fatal notfound unauthorized forbidden denied timeout timedout")
)
_GOOD_STATUS = frozenset(_words("ok success succeeded successful done complete completed 200"))
_ERROR_FIELDS = frozenset(
    _words(
        "error errors err errormessage errormsg errmsg errorcode errcode errordetail errordetails errordescription "
        "exception traceback stacktrace fault faultstring faultcode"
    )
)
_COUNTED = frozenset({"errors"})
_SUCCESS_FIELDS = frozenset({"success", "ok", "succeeded"})
_NUMBERED = frozenset(_words("status statuscode httpstatus httpcode httpstatuscode responsecode"))
_STATUS_FIELDS = _NUMBERED | {"state", "result", "outcome"}
_FLAG_FIELDS = frozenset({"iserror", "haserror"})
_SAYING = frozenset(_words("message msg detail details reason info note statustext statusmessage"))
_WRAPPING = frozenset(_words("result results output response content contents text data body answer value payload"))
_BENIGN = frozenset({"", "none", "null", "no", "false", "ok", "0", "success", "nil", "n/a", "no error", "no errors"})
_ENVELOPE = _ERROR_FIELDS | _SUCCESS_FIELDS | _STATUS_FIELDS | _FLAG_FIELDS | _SAYING | {
    *("code", "type", "title", "id", "requestid", "traceid", "timestamp", "time", "path", "instance", "version"),
    *("jsonrpc", "data", "documentationurl", "help", "hint", "query", "retryafter", "method", "url"),
}  # fmt: skip
_DEEPEST = 5
_MOST_ITEMS = 20
_LONGEST_PARSED = 65_536


def marks(text: str, structured: Json) -> tuple[str, ...]:
    """What in the text or the structured content looks like an error, as phrases; empty where nothing does."""
    parsed = _parsed(text)
    found = [] if isinstance(parsed, dict | list) else list(phrases(text))
    return tuple(dict.fromkeys([*found, *_in_value(structured if structured is not None else parsed)]))


def _in_value(value: Json, *, depth: int = 0, alone: bool = True) -> Iterator[str]:
    """Objects and lists at every depth; texts where they stand alone in a wrapper or in a list."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        yield from _in_object(value, depth)
    elif isinstance(value, list):
        for item in value[:_MOST_ITEMS]:
            # Texts of a longer list are entries of something, not a statement about the call.
            if not isinstance(item, str) or (alone and len(value) == 1):
                yield from _in_value(item, depth=depth + 1)
    elif isinstance(value, str):
        yield from phrases(value)


def _in_object(value: dict[str, Json], depth: int) -> Iterator[str]:
    bare = _only_envelope(value, spare=0 if depth else 1)
    says = any(_plain(field) in _SAYING for field in value)
    coded = bare and (says or len(value) == 1)
    for field, content in value.items():
        name = _plain(field)
        if _speaks_of_error(name, content) or (coded and name == "code" and _bad_number(content)):
            yield f"the field {field!r} is {json.dumps(content, ensure_ascii=False)[:80]}"
        elif isinstance(content, dict | list):
            yield from _in_value(content, depth=depth + 1, alone=len(value) == 1)
        elif isinstance(content, str) and _states(value, name, bare=bare):
            yield from (f"the field {field!r}: {phrase}" for phrase in phrases(content))
    if bare and says and value.get("data", 0) is None and not any(_fares_well(_plain(k), v) for k, v in value.items()):
        yield "there is a message and no data"


def _states(value: dict[str, Json], name: str, *, bare: bool) -> bool:
    """Whether a text under `name` is a statement about the call: a message, or all that a wrapper holds."""
    if any(_fares_well(_plain(field), content) for field, content in value.items()):
        return False
    others = {_plain(field) for field in value} - {name, "type", "iserror"}
    if name in _SAYING:
        return bare
    return not others if name in _WRAPPING else len(value) <= 1 + (len(others & _ENVELOPE) > 0)


def _only_envelope(value: dict[str, Json], *, spare: int) -> bool:
    """Nothing but what services wrap answers in, but for `spare` plain fields (an argument that is repeated)."""
    foreign = [content for field, content in value.items() if _plain(field) not in _ENVELOPE]
    empty_data = all(not content for field, content in value.items() if _plain(field) == "data")
    return empty_data and len(foreign) <= spare and not any(isinstance(each, dict | list) for each in foreign)


def _speaks_of_error(name: str, content: Json) -> bool:
    if name in _ERROR_FIELDS:
        return _is_trouble(name, content)
    if name in _SUCCESS_FIELDS:
        return content is False
    if name in _FLAG_FIELDS:
        return content is True
    if name in _STATUS_FIELDS:
        worded = isinstance(content, str) and _plain(content) in _BAD_STATUS
        return worded or (name in _NUMBERED and _bad_number(content))
    return False


def _is_trouble(name: str, content: Json) -> bool:
    if isinstance(content, str):
        return content.strip().lower() not in _BENIGN
    if isinstance(content, int | float) and not isinstance(content, bool):
        # A count of errors, or the error of a measurement, is a result.
        return name not in _COUNTED and isinstance(content, int) and content != 0
    return bool(content)


def _bad_number(content: Json) -> bool:
    if isinstance(content, str):
        return bool(re.match(r"[45]\d\d(?:\D|$)", content))
    return isinstance(content, int) and 400 <= content <= 599


def _fares_well(name: str, content: Json) -> bool:
    if name in _SUCCESS_FIELDS:
        return content is True
    return name in _STATUS_FIELDS and str(content).lower() in _GOOD_STATUS


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _parsed(text: str) -> Json:
    if not text.lstrip().startswith(("{", "[")) or len(text) > _LONGEST_PARSED:
        return None
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed
