"""Whether structured content satisfies the output schema that its tool declared; compiled once per schema.

The schema comes from an untrusted server: a reference to another document is refused and never fetched.
"""

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from plugineval.pccf.values import Json, canonical_json

if TYPE_CHECKING:
    import jsonschema_rs

MOST_SHOWN = 3
MOST_KEPT = 1024


class OutputSchemas:
    """Compiled validators by identity of the schema object, so that a warm call does not serialise its schema."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, jsonschema_rs.Validator | str]] = {}

    def violation(self, schema: dict[str, Json], structured: Json, *, present: bool) -> str | None:
        """What is wrong with the content, as a sentence; None where it is valid. A null may be `present`."""
        validator = self._validator(schema)
        if isinstance(validator, str):
            return f"the output schema of the tool is not valid JSON Schema: {validator}"
        if not present:
            return "the tool declares an output schema and returned no structured content"
        try:
            broken = () if validator.is_valid(structured) else tuple(validator.iter_errors(structured))
        except ValueError as error:
            return f"the structured content is not JSON: {error}"
        if not broken:
            return None
        found = [f"{_pointer(error.instance_path)}: {error.message}" for error in broken[:MOST_SHOWN]]
        return "the structured content violates the output schema of the tool: " + "; ".join(found)

    def _validator(self, schema: dict[str, Json]) -> "jsonschema_rs.Validator | str":
        known = self._known.get(id(schema))
        # An entry keeps its schema alive, so an id that is found again is the same object.
        if known is None or known[0] is not schema:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            known = self._known[id(schema)] = (schema, _compiled(canonical_json(schema)))
        return known[1]


@lru_cache(maxsize=MOST_KEPT)
def _compiled(schema: str) -> "jsonschema_rs.Validator | str":
    import jsonschema_rs

    bounded = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)
    try:
        return jsonschema_rs.validator_for(json.loads(schema), offline=True, pattern_options=bounded)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        return str(error).splitlines()[0]


def _pointer(path: "list[str | int]") -> str:
    return "/" + "/".join(str(step) for step in path)
