"""Other spellings of the same arguments: keys and sets in another order, 5 as 5.0, a default said aloud, a moment in
another time zone, a day in words.

A spelling that another rule of the schema refuses (an enum, a pattern) is left alone: it would not be the same call.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

from plugineval.harness.equivalence.defaults import default_of
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.sets import is_set
from plugineval.pccf.values import Json

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ELSEWHERE = timezone(timedelta(hours=5, minutes=30))
_EXACT_FLOAT = 2**53
_FIXED = frozenset({"enum", "const", "pattern", "maxLength"})
_TIMELY = re.compile(r"date|time|day|when|start|end|due|from|to|at|until|since|iso 8601", re.IGNORECASE)


def keys_reversed(value: Json, node: Node, path: str) -> Json:
    """The keys of an object in the opposite order."""
    return dict(reversed(value.items())) if isinstance(value, dict) else value


def sets_reversed(unordered: frozenset[str]) -> Callable[[Json, Node, str], Json]:
    """Lists whose order the schema or the case declares meaningless, in the opposite order."""

    def respell(value: Json, node: Node, path: str) -> Json:
        declared = isinstance(value, list) and is_set(node, path.removeprefix("."), unordered)
        return value[::-1] if isinstance(value, list) and declared else value

    return respell


def number_as_float(value: Json, node: Node, path: str) -> Json:
    """5 as 5.0, which JSON Schema takes for the same number."""
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _EXACT_FLOAT
    return float(value) if isinstance(value, int) and whole else value


def defaults_said(value: Json, node: Node, path: str) -> Json:
    """Optional members that are left out and have a default, with that default."""
    properties = node.schema.get("properties")
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return value
    said: dict[str, Json] = {}
    for name in properties:
        child = node.property(name)
        found = default_of(child)
        if name not in value and not node.requires(name) and "default" in child.schema and found.value is not None:
            said[name] = found.value
    return {**value, **said}


def moment_elsewhere(value: Json, node: Node, path: str) -> Json:
    """A moment with an offset, by the clock of another time zone."""
    if not isinstance(value, str) or not _MOMENT.fullmatch(value) or not _free(node, path):
        return value
    try:
        return datetime.fromisoformat(value).astimezone(_ELSEWHERE).isoformat()
    except (ValueError, OverflowError):
        return value


def day_in_words(value: Json, node: Node, path: str) -> Json:
    """2026-03-14 as 14 March 2026."""
    if not isinstance(value, str) or not _DAY.fullmatch(value) or not _free(node, path):
        return value
    year, month, day = map(int, value.split("-"))
    return f"{day} {_MONTHS[month - 1]} {year}" if 1 <= month <= len(_MONTHS) else value


def kind_of(value: Json) -> str:
    """`moment` and `day` for what the two above respell."""
    if not isinstance(value, str):
        return ""
    return "moment" if _MOMENT.fullmatch(value) else "day" if _DAY.fullmatch(value) else ""


def _free(node: Node, path: str) -> bool:
    """Whether the schema leaves the notation open, in a place that is about time."""
    said = f"{path} {node.schema.get('description', '')} {node.schema.get('format', '')}"
    return _FIXED.isdisjoint(node.schema) and _TIMELY.search(said) is not None
