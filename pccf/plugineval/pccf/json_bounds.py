"""Whether a value can be written as JSON at all, and is not nested without end: asked before anything looks into it."""

import math
from collections.abc import Iterable

from plugineval.pccf.values import Arguments, Json

MAX_DEPTH = 100
"""Levels of nesting of arguments and schemas; deeper ones are refused, not looked at."""


def flat_json(arguments: Arguments) -> bool:
    """Whether `arguments` surely are JSON and hold scalars and lists of them alone: seen at a glance, and what most
    calls are.
    """
    for name, value in arguments.items():
        if not name.isascii():
            return False
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, str):
                if not item.isascii():
                    return False
            elif type(item) not in _SCALARS and not (isinstance(item, float) and math.isfinite(item)):
                return False
    return True


_SCALARS = frozenset({int, bool, type(None)})


def not_json(value: Json) -> str:
    """What keeps `value` from being JSON; empty where nothing does."""
    if _sound(value, _SURE_DEPTH):
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


def _sound(value: Json, levels: int) -> bool:
    """Surely JSON, found in one pass; what is not may still be."""
    if isinstance(value, str):
        return value.isascii() or _encodable(value)
    if isinstance(value, dict):
        for name, inside in value.items():
            if not levels or not (name.isascii() or _encodable(name)) or not _sound(inside, levels - 1):
                return False
        return True
    if isinstance(value, list):
        return all(_sound(inside, levels - 1) for inside in value) if levels else not value
    return type(value) in _SCALARS or (isinstance(value, float) and math.isfinite(value))


_SURE_DEPTH = 20


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
