"""`${NAME}` and `${NAME:-otherwise}` in a setting stand for an environment variable, so that a secret need not be in
the file. `$${` writes a plain `${`. The same spelling as in `.mcp.json`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from plugineval.pccf.values import Json

_REFERENCE = re.compile(r"\$(?P<escaped>\$\{)|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<otherwise>[^}]*))?\}")


class Expanded(NamedTuple):
    """A table with its references filled in; a reference to a variable that is not set stays as it is written."""

    table: dict[str, Json]
    missing: tuple[str, ...]


def expand(table: Mapping[str, Json], environ: Mapping[str, str]) -> Expanded:
    """Fill in the references of every text inside `table`; names of unset variables come back in order, once each."""
    missing: dict[str, None] = {}

    def filled(found: re.Match[str]) -> str:
        if found["escaped"]:
            return "${"
        # An empty variable is a forgotten one: a server started with an empty token fails later and less clearly.
        known = environ.get(found["name"]) or found["otherwise"]
        if known is None:
            missing[found["name"]] = None
            return found[0]
        return known

    def walk(part: Json) -> Json:
        if isinstance(part, str):
            return _REFERENCE.sub(filled, part)
        if isinstance(part, dict):
            return {name: walk(child) for name, child in part.items()}
        return [walk(child) for child in part] if isinstance(part, list) else part

    filled_in = {name: walk(child) for name, child in table.items()}
    return Expanded(filled_in, tuple(missing))


def references_in(text: str) -> tuple[str, ...]:
    """The variables that `text` refers to, in order, once each."""
    return tuple(dict.fromkeys(found["name"] for found in _REFERENCE.finditer(text) if found["name"]))


def references_of(part: Json) -> tuple[str, ...]:
    """The variables that the texts inside `part` refer to, in order, once each; keys take nothing."""
    if isinstance(part, str):
        return references_in(part)
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return tuple(dict.fromkeys(name for child in inside for name in references_of(child)))


def holds_reference(text: str) -> bool:
    """Whether `text` takes anything from the environment."""
    return bool(references_in(text))
