"""The argument text of an emitted call, read strictly: whatever cannot be read stays in sight with its problem.

Providers spell "no arguments" in many ways; those are read as `{}` and the repair is recorded. Everything else must
be one strict JSON object. An unreadable text gives `arguments=None`: an invalid call, never a dropped one, and never
an empty one.
"""

import json
import re
from typing import NamedTuple

from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.values import Arguments, Json

# An empty object and stray closers after it: a fault of stream assembly in which no argument can have been lost.
_EMPTY_AND_STRAY = re.compile(r'\{\s*\}["}\s]+')


class ReadArguments(NamedTuple):
    """What the argument text said, how it was mended to be read, or why it could not be read."""

    arguments: Arguments | None
    repair: str | None = None
    problem: str | None = None


def read_arguments(raw: Json) -> ReadArguments:
    """Read `raw` as a provider sent it: a text, an object, or nothing at all (B4)."""
    if isinstance(raw, str):
        return _read_text(raw)
    if raw is None:
        return ReadArguments({}, repair="no arguments were sent; read as {}")
    if isinstance(raw, dict):
        read = _read_text(raw_text(raw))
        return read._replace(repair=read.repair or "arguments came as an object instead of a text")
    return ReadArguments(None, problem=f"arguments are {_name_of(raw)}, not an object")


def raw_text(raw: Json) -> str:
    """`raw` verbatim where it is a text, else as JSON."""
    return raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False)


def _read_text(text: str) -> ReadArguments:
    stripped = text.strip()
    if stripped in {"", "null"}:
        return ReadArguments({}, repair=f"{text!r} instead of arguments; read as {{}}")
    if _EMPTY_AND_STRAY.fullmatch(stripped):
        return ReadArguments({}, repair=f"{text!r}: stray characters after an empty object; read as {{}}")
    try:
        value = strict_loads(text)
    except NotJsonError as error:
        return ReadArguments(None, problem=f"arguments are not JSON: {error}")
    if isinstance(value, dict):
        return ReadArguments(value)
    return ReadArguments(None, problem=f"arguments are {_name_of(value)}, not an object")


def _name_of(value: Json) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    return "null" if value is None else "a text" if isinstance(value, str) else "a list"
