"""Whether a value can be written as JSON at all, and is not nested without end: asked before anything looks into it."""

import math
from collections.abc import Iterable

from plugineval.pccf.values import Json

MAX_DEPTH = 100
"""Levels of nesting of arguments and schemas; deeper ones are refused, not looked at."""


def not_json(value: Json) -> str:
    """What keeps `value` from being JSON; empty where nothing does."""
    if isinstance(value, dict) and all(map(_plain, value.values())) and all(map(str.isascii, value)):
        return ""
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            return "NaN and infinities are not JSON"
        if not all(_encodable(text) for item in level for text in _texts(item)):
            return "half a surrogate pair is not text"
        level = [sub for item in level for _, sub in members(item)]
        if not level:
            return ""
    return f"nested more than {MAX_DEPTH} levels deep"


def _plain(value: Json) -> bool:
    """Surely JSON, at a glance: what most arguments are."""
    kind = type(value)
    return kind is int or kind is bool or value is None or (isinstance(value, str) and value.isascii())


def members(value: Json) -> Iterable[tuple[str, Json]]:
    """What an object or a list holds, each with its key or index."""
    if isinstance(value, dict):
        return value.items()
    return ((str(index), sub) for index, sub in enumerate(value)) if isinstance(value, list) else ()


def _texts(value: Json) -> Iterable[str]:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, dict) else ()


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
