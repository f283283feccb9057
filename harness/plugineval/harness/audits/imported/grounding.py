"""Where gold values come from: the words of the request, the schema, a reading of both with the clock, or nowhere.

A value that is not found may have been inferred (a capital for its country, a sum). Only what nobody can infer, such
as an identifier with letters and digits, is said to stand nowhere; everything else that is not found stays open.
"""

import json
import re
from collections.abc import Iterator
from typing import Protocol

from plugineval.harness.audits.imported.findings import GroundedIn
from plugineval.pccf.examples import Query
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

_SPACE = re.compile(r"[\s\W_]+")
_OPAQUE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._#@/:+-]{5,}")
"""One word of letters and digits, long enough that nobody guesses it."""


class Grounding(Protocol):
    """Reads a request more closely than for its words."""

    def reason(self, query: Query, tool: ToolSpec, argument: str, value: Json) -> str | None:
        """How the request determines a top-level argument; None where that cannot be told."""
        ...


def where_from(query: Query, tool: ToolSpec, call: GoldCall, reader: Grounding | None) -> dict[str, GroundedIn]:
    """Path of every value of the gold call -> where it comes from."""
    said = _squeezed(" ".join(message.content for message in query.messages))
    described = _squeezed(f"{tool.description} {json.dumps(tool.input_schema, ensure_ascii=False)}")
    found: dict[str, GroundedIn] = {}
    for name, value in call.arguments.items():
        options = [value, *_options(call.accepted.get(name))]
        leaves = list(_leaves(name, value))
        whole = _read(query, tool, name, options, reader) if len(leaves) == 1 else None
        for path, leaf in leaves:
            others = options if len(leaves) == 1 else [leaf]
            found[path] = _place(others, said, described, whole)
    return found


def _place(options: list[Json], said: str, described: str, read: str | None) -> GroundedIn:
    if any(_stands(option, said) for option in options):
        return "query"
    if any(_stands(option, described) for option in options):
        return "schema"
    if read is not None:
        return "reading"
    first = options[0]
    opaque = isinstance(first, str) and _OPAQUE.fullmatch(first) is not None and not _has_words(first, said)
    return "nowhere" if opaque else "open"


def _read(query: Query, tool: ToolSpec, name: str, options: list[Json], reader: Grounding | None) -> str | None:
    if reader is None or name not in tool.properties:
        return None
    return next((why for option in options if (why := reader.reason(query, tool, name, option))), None)


def _options(accepted: Accepted | None) -> tuple[Json, ...]:
    return () if accepted is None else accepted.values


def _leaves(path: str, value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from _leaves(f"{path}.{name}", each)
    elif isinstance(value, list) and value:
        for number, each in enumerate(value):
            yield from _leaves(f"{path}[{number}]", each)
    else:
        yield path, value


def _stands(value: Json, text: str) -> bool:
    """Whether the words of a value stand in `text`, whatever is between them. A flag stands in none."""
    if value is None or isinstance(value, bool | list | dict):
        return value in ([], {}, None)
    words = _squeezed(f"{value:g}" if isinstance(value, float) else str(value))
    return words.strip() == "" or words in text


def _has_words(value: str, text: str) -> bool:
    """Whether a part of the value is said: a path or an address that is put together from what is said."""
    return any(f" {part} " in text for part in _squeezed(value).split() if len(part) > 2)


def _squeezed(text: str) -> str:
    return f" {_SPACE.sub(' ', text).strip().lower()} "
