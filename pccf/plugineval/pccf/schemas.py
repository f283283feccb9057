"""Strict JSON Schema validation of arguments against S_t (P12, E2): compiled once, no coercion, nothing ever fetched.

Draft 2020-12 unless `$schema` says otherwise. A bool is no integer, 25.0 is one, an enum knows its case. `format` is
an annotation, as the standard has it: servers disagree about what a format admits, and execution shows it anyway.
Bounds keep hostile input harmless: nesting, number of violations, regular-expression backtracking, unfolded size, and
how much is explained: an account of every failed branch may double with each level.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from urllib.parse import quote

import jsonschema_rs

from plugineval.pccf.described_keys import Described
from plugineval.pccf.errors import InvalidSchemaError
from plugineval.pccf.json_bounds import flat_json, members, not_json
from plugineval.pccf.json_pointers import escaped
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.schema_cost import extent, steps, unfolding
from plugineval.pccf.schema_graph import SchemaGraph
from plugineval.pccf.values import Arguments, Json, canonical_json

MAX_VIOLATIONS = 100
"""Violations reported of one call."""
_MAX_MESSAGE = 500
_MAX_UNFOLDED = 100_000
_MAX_STEPS = 50_000_000
"""Subschemas at the densest place x characters of arguments, to find out whether they are valid: some 1 ns each."""
_MAX_EXPLAINED = 1500
"""Subschemas applied to say why arguments are not valid: up to some 30 us each, as every branch makes an error."""
_EXPLAINED_LENGTH = 2500
"""Characters of arguments that cost an explanation as much again: every error holds a copy."""
_SHORT = 6000
_DENSE = 1000
_TWICE = ('"patternProperties"', '"propertyNames"', '"contains"')
_TELLING = ("anyOf", "oneOf", "allOf", "not", "if", "items", "properties")
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)
_DRAFTS = tuple(f"https://json-schema.org/draft/{draft}/schema" for draft in ("2020-12", "2019-09")) + tuple(
    f"http://json-schema.org/draft-{draft}/schema#" for draft in ("07", "06", "04")
)
_ROOT = "urn:plugineval:arguments"
_NEXT_STEP = "correct the schema in the plugin, or leave this tool out"


def violations(schema: dict[str, Json], arguments: Json) -> tuple[SchemaViolation, ...]:
    """Every rule of `schema` that `arguments` breaks, at most `MAX_VIOLATIONS`; empty means arguments in Theta_t.

    What is not JSON at all (NaN, half a surrogate pair, endless nesting) breaks the rule `json`. Raises
    `InvalidSchemaError` for a schema that `check_schema` would refuse.
    """
    if problem := not_json(arguments):
        return (SchemaViolation(path="", keyword="json", message=problem),)
    return _violations(_compiled(_text(schema)), arguments)


def unknown_arguments(schema: dict[str, Json], arguments: Arguments) -> tuple[str, ...]:
    """JSON pointers of the keys that `schema` does not describe, nested ones too, even where it allows them (E2).

    A key is described where any branch names it, a pattern matches it, or further members have a schema. Below the
    top, an object whose schema names no member at all is a free-form map: its keys are its content.
    """
    if not_json(arguments):
        return ()
    return _unknown(_compiled(_text(schema)), arguments)


class Checker:
    """One schema for many calls: what `violations` and `unknown_arguments` say, without looking the schema up."""

    def __init__(self, schema: dict[str, Json]) -> None:
        self._compiled = _compiled(_text(schema))
        properties = schema.get("properties")
        self._named: frozenset[str] = frozenset(properties if isinstance(properties, dict) else ())

    def check(self, arguments: Arguments) -> tuple[tuple[SchemaViolation, ...], tuple[str, ...]]:
        """The broken rules and the undescribed keys of one call."""
        flat = flat_json(arguments)
        if not flat and (problem := not_json(arguments)):
            return (SchemaViolation(path="", keyword="json", message=problem),), ()
        known = self._named.issuperset(arguments) and (flat or not any(map(_has_keys, arguments.values())))
        unknown = () if known else _unknown(self._compiled, arguments)
        return _violations(self._compiled, arguments), unknown


def _violations(compiled: "_Compiled", arguments: Json) -> tuple[SchemaViolation, ...]:
    # Where few subschemas meet at one place, the work is that of reading.
    if compiled.unfolding > _DENSE and compiled.unfolding * len(repr(arguments)) > _MAX_STEPS:
        return (SchemaViolation(path="", keyword="json", message="too intricate to be checked against this schema"),)
    if compiled.validator.is_valid(arguments):
        return ()
    if not _explicable(compiled, arguments):
        return (_summary(compiled, arguments),)
    return tuple(map(_violation, islice(compiled.validator.iter_errors(arguments), MAX_VIOLATIONS)))


def _explicable(compiled: "_Compiled", arguments: Json) -> bool:
    written = repr(arguments)
    if compiled.flat and len(written) <= _SHORT:
        return True
    limit = _MAX_EXPLAINED * _EXPLAINED_LENGTH // (_EXPLAINED_LENGTH + len(written))
    values = 1 + sum(map(written.count, ",[{"))
    if compiled.extent * values <= limit:
        return True
    return steps(compiled.graph, arguments, limit=limit + 1) <= limit


def _summary(compiled: "_Compiled", arguments: Json) -> SchemaViolation:
    """One violation for all: the first argument that is not valid by itself, and what kind of rule it breaks."""
    root = compiled.graph.root
    path, places = "", [root]
    for name, value in arguments.items() if isinstance(arguments, dict) else ():
        validator = compiled.of_argument(name)
        if validator is not None and not validator.is_valid(value):
            path = f"/{escaped(name)}"
            places = compiled.graph.unfolded(compiled.graph.of_member([root], name) or ())
            break
    keyword = next((word for word in _TELLING for place in places if word in place.schema), "properties")
    message = f"the rules under {keyword!r} are broken in more ways than can be listed"
    return SchemaViolation(path=path, keyword=keyword, message=message)


def _has_keys(value: Json) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))


def _unknown(compiled: "_Compiled", arguments: Arguments) -> tuple[str, ...]:
    return tuple(compiled.described.undescribed(arguments, ""))


def check_schema(schema: dict[str, Json], *, tool: str) -> None:
    """Raise `InvalidSchemaError` (tool, place, next step) unless `schema` is valid and refers to nothing outside."""
    try:
        _compiled(_text(schema))
    except InvalidSchemaError as error:
        place = (error.field or "schema").removeprefix("schema")
        raise InvalidSchemaError(
            error.problem, field=f"tool {tool}, schema{place}", allowed=error.allowed, next_step=error.next_step
        ) from error


class _Compiled:
    def __init__(self, schema: dict[str, Json]) -> None:
        self.validator = jsonschema_rs.validator_for(
            schema, offline=True, validate_formats=False, pattern_options=_PATTERNS
        )
        self._schema = schema
        self._of_argument: dict[str, jsonschema_rs.Validator | None] = {}

    @cached_property
    def graph(self) -> SchemaGraph:
        return SchemaGraph(self._schema)

    @cached_property
    def described(self) -> Described:
        return Described.of_root(self.graph)

    @cached_property
    def unfolding(self) -> int:
        """The most subschemas that meet at one place."""
        return unfolding(self.graph, limit=_MAX_UNFOLDED)

    @cached_property
    def extent(self) -> int:
        return extent(self.graph, limit=_MAX_UNFOLDED)

    @cached_property
    def flat(self) -> bool:
        """Whether no part of the arguments is looked at by two subschemas, and none has much to say."""
        return self.unfolding == 1 and not any(map(canonical_json(self._schema).count, _TWICE))

    def of_argument(self, name: str) -> jsonschema_rs.Validator | None:
        """What validates one argument by itself; None where the schema does not name it."""
        properties = self._schema.get("properties")
        if isinstance(properties, dict) and name in properties and name not in self._of_argument:
            self._of_argument[name] = _part(self._schema, f"/properties/{escaped(name)}")
        return self._of_argument.get(name)


def _part(schema: dict[str, Json], pointer: str) -> jsonschema_rs.Validator | None:
    registry = jsonschema_rs.Registry([(_ROOT, schema)])
    ref: dict[str, Json] = {"$ref": f"{_ROOT}#{quote(pointer)}"}
    try:
        return jsonschema_rs.validator_for(
            ref, registry=registry, offline=True, validate_formats=False, pattern_options=_PATTERNS
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


@lru_cache(maxsize=1024)
def _compiled(text: str) -> _Compiled:
    """Keyed by the canonical text: equal content is compiled once."""
    schema = json.loads(text)
    try:
        compiled = _Compiled(schema)
    except jsonschema_rs.ValidationError as error:
        raise _invalid(schema, error) from error
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise InvalidSchemaError(str(error)[:_MAX_MESSAGE], field="schema", next_step=_NEXT_STEP) from error
    if compiled.unfolding >= _MAX_UNFOLDED:
        problem = f"its references unfold to more than {_MAX_UNFOLDED} subschemas"
        raise InvalidSchemaError(problem, field="schema", next_step=_NEXT_STEP)
    return compiled


def _text(schema: dict[str, Json]) -> str:
    problem = not_json(schema)
    if problem:
        raise InvalidSchemaError(problem, field="schema", next_step=_NEXT_STEP)
    return canonical_json(schema)


def _invalid(schema: dict[str, Json], error: jsonschema_rs.ValidationError) -> InvalidSchemaError:
    problem = _short(error.message)
    if not isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Referencing):
        return InvalidSchemaError(problem, field="schema" + _pointer(error.instance_path), next_step=_NEXT_STEP)
    guilty = (place for place, ref in _references(schema, "") if ref.removeprefix("#") in error.message)
    foreign = "retrieving it failed" in problem
    unknown_draft = "Unknown meta-schema" in problem
    return InvalidSchemaError(
        "refers to another document, which is never fetched: " + problem.split("'")[1] if foreign else problem,
        field="schema" + next(guilty, ""),
        allowed=_DRAFTS if unknown_draft else (),
        next_step="write the definition into the schema itself, under $defs" if foreign else _NEXT_STEP,
    )


def _references(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    for key, sub in members(value):
        here = f"{pointer}/{escaped(key)}"
        if key in ("$ref", "$dynamicRef", "$schema") and isinstance(sub, str):
            yield here, sub
        yield from _references(sub, here)


def _violation(error: jsonschema_rs.ValidationError) -> SchemaViolation:
    return SchemaViolation.trusted(
        {"path": _pointer(error.instance_path), "keyword": error.kind.name, "message": _short(error.message)}
    )


def _short(text: str) -> str:
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"


def _pointer(path: Iterable[str | int]) -> str:
    return "".join([f"/{escaped(str(part))}" for part in path])
