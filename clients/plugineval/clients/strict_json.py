"""JSON as RFC 8259 writes it, and nothing that two readers would read differently.

Refused besides broken syntax: NaN and infinities (also `1e999`), an object that names one key twice, lone surrogates
(they cannot be stored as UTF-8), nesting deeper than 64. Integers keep all their digits: 2^53 + 1 stays 2^53 + 1.
"""

import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from math import isfinite
from typing import cast

from plugineval.pccf.values import Json

MAX_DEPTH = 64


class NotJsonError(ValueError):
    """A text that is not strict JSON: what is wrong, and where (1-based) where the place is known."""

    def __init__(self, problem: str, *, line: int | None = None, column: int | None = None) -> None:
        self.problem = problem
        self.line = line
        self.column = column
        super().__init__(problem if column is None else f"{problem} (line {line}, column {column})")


def strict_loads(text: str) -> Json:
    """The value of `text`; `NotJsonError` where it is not strict JSON."""
    with _refusing():
        value: object = _DECODER.decode(text)
    _check(text, value)
    return cast("Json", value)


def strict_document(text: str, start: int = 0) -> tuple[Json, int]:
    """The first document of `text` from `start` (white space skipped) and where it ends; errors as `strict_loads`."""
    begin = start + len(text[start:]) - len(text[start:].lstrip())
    with _refusing():
        value, end = cast("tuple[object, int]", _DECODER.raw_decode(text, begin))
    _check(text[begin:end], value)
    return cast("Json", value), end


@contextmanager
def _refusing() -> Generator[None]:
    try:
        yield
    except json.JSONDecodeError as error:
        raise NotJsonError(error.msg, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise NotJsonError(f"nested deeper than {MAX_DEPTH}") from error
    except ValueError as error:
        raise NotJsonError(str(error)) from error


def _check(text: str, value: object) -> None:
    if text.count("[") + text.count("{") > MAX_DEPTH and deeper_than(value, MAX_DEPTH):
        raise NotJsonError(f"nested deeper than {MAX_DEPTH}")
    if "\\u" in text and _holds_surrogate(value):
        raise NotJsonError("holds half of a surrogate pair, which is not a character")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return found


def _constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _float(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise ValueError(f"{digits[:40]} is too large for a number")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def deeper_than(value: object, limit: int) -> bool:
    """Whether lists and objects of `value` are nested in more than `limit` levels."""
    level: list[object] = [value]
    for _ in range(limit + 1):
        level = [child for node in level if isinstance(node, dict | list) for child in _children(cast("object", node))]
        if not level:
            return False
    return True


def _holds_surrogate(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
