"""The arguments of an emitted call, read strictly: whatever cannot be read stays in sight with its problem.

Providers spell "no arguments" in many ways, encode twice, or leave stray characters around a whole object; those are
read and the repair is recorded. Everything else must be one strict JSON object. An unreadable text gives
`arguments=None`: an invalid call, never a dropped one, and never an empty one.
"""

import json
import re
from typing import NamedTuple

from plugineval.clients.strict_json import MAX_DEPTH, NotJsonError, strict_document, strict_loads
from plugineval.pccf.values import Arguments, Json

# What assembling a stream or quoting a text leaves behind a whole object: none of it can hold an argument.
_STRAY = re.compile(r"""["'`}\]\s]+""")
_FENCED = re.compile(r"```\w*\s*(\{.*\})\s*```", re.DOTALL)
_LAYERS = 3
_SHOWN = 80


class ReadArguments(NamedTuple):
    """What the arguments said, how they were mended to be read, or why they could not be read."""

    arguments: Arguments | None
    repair: str | None = None
    problem: str | None = None
    raw: str = ""
    """`raw` as JSON, where it was written out to be checked."""


def read_arguments(raw: Json, *, as_object: bool = False) -> ReadArguments:
    """Read `raw` as a provider sent it: a text, an object, or nothing at all (B4).

    `as_object`: this provider sends objects by contract, so that an object is nothing to remark upon.
    """
    if isinstance(raw, str):
        return _read_text(raw, layers=_LAYERS)
    if raw is None:
        return ReadArguments({}, repair="no arguments were sent; read as {}")
    if isinstance(raw, dict):
        return _read_object(raw, None if as_object else "arguments came as an object instead of a text")
    return ReadArguments(None, problem=f"arguments are {_name_of(raw)}, not an object")


def raw_text(raw: Json) -> str:
    """`raw` verbatim where it is a text, else as JSON."""
    return raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False)


def _read_object(raw: Arguments, repair: str | None) -> ReadArguments:
    # A provider's document was parsed by somebody else: NaN, half surrogate pairs and endless nesting come in here.
    try:
        text = json.dumps(raw, ensure_ascii=False, allow_nan=False)
        text.encode()
        if text.count("[") + text.count("{") > MAX_DEPTH:
            strict_loads(text)
    except NotJsonError as error:
        return ReadArguments(None, problem=f"arguments are not JSON: {error}")
    except (ValueError, RecursionError):
        return ReadArguments(
            None, problem="arguments are not JSON: NaN, half of a surrogate pair, or nested too deeply"
        )
    return ReadArguments(raw, repair, None, text)


def _read_text(text: str, *, layers: int) -> ReadArguments:
    stripped = text.strip()
    if stripped in {"", "null"}:
        return ReadArguments({}, repair=f"{text!r} instead of arguments; read as {{}}")
    try:
        value = strict_loads(text)
    except NotJsonError as error:
        return _mended(stripped) or ReadArguments(None, problem=f"arguments are not JSON: {error}")
    if isinstance(value, dict):
        return ReadArguments(value)
    if isinstance(value, str) and layers:
        return _decoded_again(value, layers - 1)
    return ReadArguments(None, problem=f"arguments are {_name_of(value)}, not an object")


def _decoded_again(inner: str, layers: int) -> ReadArguments:
    read = _read_text(inner, layers=layers)
    if read.arguments is None:
        return ReadArguments(None, problem="arguments are a text, not an object")
    return read._replace(
        repair="; ".join(["arguments were encoded as a JSON text once more", *filter(None, [read.repair])])
    )


def _mended(text: str) -> ReadArguments | None:
    """`text` read after taking away what can hold no argument; None where that is not enough."""
    fenced = _FENCED.fullmatch(text)
    inner = fenced[1] if fenced else text.lstrip("\"'`") if text[0] in "\"'`" else text
    try:
        value, end = strict_document(inner)
        if value == {} and inner[end:].lstrip().startswith("{"):
            # The empty object that opens a stream, left in front of the arguments that followed it.
            value, end = strict_document(inner, end)
    except NotJsonError:
        return None
    rest = inner[end:].strip()
    if not isinstance(value, dict) or (rest and not _STRAY.fullmatch(rest)):
        return None
    return ReadArguments(value, repair=f"stray characters around the object were left out: {_short(text)}")


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _name_of(value: Json) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    return "null" if value is None else "a text" if isinstance(value, str) else "a list"
