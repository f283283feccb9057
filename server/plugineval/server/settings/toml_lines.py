"""On which line of a TOML text a key is defined, found with nothing but the standard parser.

TOML is read statement by statement, so a prefix of whole lines parses exactly where a statement ends. The first prefix
that holds a key ends with the statement that defined it: true for tables, dotted keys, inline tables and arrays alike.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from plugineval.pccf.values import Json

Key: TypeAlias = tuple[str | int, ...]
"""Names of tables and keys from the top; an integer is an index into an array."""


def lookup(tables: Json, key: Key) -> tuple[bool, Json]:
    """Whether `tables` holds `key`, and its value."""
    found = tables
    for part in key:
        children = _children(found)
        if part not in children:
            return False, None
        found = children[part]
    return True, found


def _children(value: Json) -> dict[str | int, Json]:
    if isinstance(value, dict):
        return dict(value.items())
    return dict(enumerate(value)) if isinstance(value, list) else {}


def line_of(text: str, key: Key) -> int:
    """Line (from 1) of the statement of a valid TOML `text` that defines `key`, or the nearest table above it."""
    whole = tomllib.loads(text)
    while not lookup(whole, key)[0]:
        key = key[:-1]
    if not key:
        return 1
    lines = text.split("\n")
    end = bisect_left(range(len(lines) + 1), True, key=lambda count: lookup(_longest_valid(lines[:count])[1], key)[0])
    return _longest_valid(lines[: end - 1])[0] + 1


def line_of_syntax_error(text: str, message: str) -> int:
    """Line (from 1) that a `TOMLDecodeError` blames; an unclosed value is blamed on the line where it starts."""
    named = re.search(r"\(at line (\d+), column \d+\)$", message)
    return int(named[1]) if named else _longest_valid(text.split("\n"))[0] + 1


def _longest_valid(lines: Sequence[str]) -> tuple[int, Json]:
    for count in range(len(lines), 0, -1):
        try:
            return count, tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
    return 0, {}
