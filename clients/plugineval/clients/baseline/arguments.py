"""One argument of a tool as the baseline understands it: its kind, its limits and the values its schema suggests.

The kind comes from the schema first (enum, type, format), then from the words of name and description; nothing here
knows a particular tool. `$ref`, `allOf` and a nullable `anyOf` are resolved to one subschema.
"""

import json
import re
from enum import StrEnum
from functools import lru_cache
from typing import cast

from plugineval.clients.baseline.hints import Hints, hints_of
from plugineval.clients.baseline.words import clause, each_word, label, tokens
from plugineval.pccf.json_pointers import unescaped
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value


class Kind(StrEnum):
    """What values an argument takes."""

    CHOICE = "choice"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMBER = "number"
    ARRAY = "array"
    OBJECT = "object"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    ZONE = "zone"
    EXPRESSION = "expression"
    UNIT = "unit"
    EMAIL = "email"
    URL = "url"
    PATH = "path"
    IDENTIFIER = "identifier"
    TEXT = "text"

    @property
    def numeric(self) -> bool:
        """Whether values are numbers."""
        return self in {Kind.INTEGER, Kind.NUMBER}


class Argument(Value):
    """One argument, read from its subschema."""

    name: str
    label: str
    kind: Kind
    description: str = ""
    required: bool = False
    nullable: bool = False
    has_default: bool = False
    default: Json = None
    choices: tuple[Json, ...] = ()
    """Schema enum, or values that the description lists."""
    closed: bool = False
    """The schema itself allows nothing but `choices`."""
    examples: tuple[Json, ...] = ()
    hints: Hints = Hints()
    minimum: float | None = None
    maximum: float | None = None
    min_items: int = 0
    max_items: int | None = None
    item: "Argument | None" = None

    @property
    def optional_for_user(self) -> bool:
        """A call is possible without the user naming it: not required, or a default or stated fallback exists."""
        return not self.required or self.has_default or self.hints.fallback is not None

    @property
    def role(self) -> str | None:
        """`from` or `to`, where the name makes it one end of a pair."""
        words = set(tokens(self.name))
        if words & _FROM:
            return "from"
        return "to" if words & _TO else None


_FROM = frozenset(each_word("from source src origin start begin base old since"))
_TO = frozenset(each_word("to target dest destination dst end until new into"))
_FORMATS = {
    "date": Kind.DATE,
    "time": Kind.TIME,
    "date-time": Kind.DATETIME,
    "email": Kind.EMAIL,
    "uri": Kind.URL,
    "url": Kind.URL,
    "uuid": Kind.IDENTIFIER,
}
_NAMED: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.ZONE, re.compile(r"\b(time ?zone|tz|zone)\b")),
    (Kind.DATETIME, re.compile(r"\b(date ?time|timestamp)\b")),
    (Kind.DATE, re.compile(r"\b(date\d?|deadline|birthday|due)\b")),
    (Kind.TIME, re.compile(r"\btime\b")),
    (Kind.EXPRESSION, re.compile(r"\b(expr|expression|expressions|formula|formulas|equation)\b")),
    (Kind.EMAIL, re.compile(r"\be?mail\b")),
    (Kind.URL, re.compile(r"\b(url|uri|link|href|website)\b")),
    (Kind.UNIT, re.compile(r"\bunits?\b")),
    (Kind.PATH, re.compile(r"\b(path|file|files|filename|directory|folder|dir)\b")),
    (Kind.IDENTIFIER, re.compile(r"\b(id|ids|uuid|identifier|key|sku|token)\b")),
)
_NOT_ARITHMETIC = re.compile(r"\b(cron|regular|regex|pattern|glob|jq|xpath|jsonpath|query)\b", re.IGNORECASE)
_TIME_OF_DAY = re.compile(r"HH:MM|24-hour|12-hour|time of day", re.IGNORECASE)
_DURATION = re.compile(r"\b(seconds|minutes|hours|duration|timeout|execution)\b", re.IGNORECASE)


def arguments_of(tool: ToolSpec) -> tuple[Argument, ...]:
    """The top-level arguments of `tool`, in schema order."""
    return _arguments(json.dumps(tool.input_schema))


@lru_cache(maxsize=512)
def _arguments(schema_json: str) -> tuple[Argument, ...]:
    schema = cast("dict[str, Json]", json.loads(schema_json))
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return ()
    required = schema.get("required")
    names = set(required) if isinstance(required, list) else set[Json]()
    return tuple(_argument(name, sub, schema, required=name in names) for name, sub in properties.items())


def _argument(name: str, sub: Json, root: dict[str, Json], *, required: bool) -> Argument:
    resolved, nullable = resolve(sub, root)
    description = _text(resolved.get("description"))
    hints = hints_of(description)
    kind = _kind(name, resolved, description, hints)
    enum = _enum(resolved)
    items = resolved.get("items")
    return Argument(
        name=name,
        label=_spoken(name, description),
        kind=kind,
        description=description,
        required=required,
        nullable=nullable,
        has_default="default" in resolved,
        default=resolved.get("default"),
        choices=enum or (tuple(hints.listed) if kind is Kind.CHOICE else ()),
        closed=bool(enum),
        examples=_examples(resolved) + tuple(hints.examples),
        hints=hints,
        minimum=_bound(resolved, "minimum", "exclusiveMinimum", 1),
        maximum=_bound(resolved, "maximum", "exclusiveMaximum", -1),
        min_items=int(_number(resolved.get("minItems")) or 0),
        max_items=None if "maxItems" not in resolved else int(_number(resolved["maxItems"]) or 0),
        item=_argument(name, items, root, required=True) if kind is Kind.ARRAY and isinstance(items, dict) else None,
    )


def _spoken(name: str, description: str) -> str:
    """The label; an argument called `from` or `to` is spoken of by its short description, if it has one."""
    short = clause(description).lower()
    return short if label(name) in {"from", "to", "in", "by"} and 0 < len(short.split()) <= 3 else label(name)


def resolve(sub: Json, root: dict[str, Json], depth: int = 0) -> tuple[dict[str, Json], bool]:
    """One plain subschema for `sub`, and whether null is allowed. Only local references are followed."""
    if not isinstance(sub, dict) or depth > 8:
        return {}, False
    merged = {key: value for key, value in sub.items() if key not in {"$ref", "allOf", "anyOf", "oneOf"}}
    nullable = False
    for part in _parts(sub, root):
        if isinstance(part, dict) and part.get("type") == "null":
            nullable = True
            continue
        inner, inner_nullable = resolve(part, root, depth + 1)
        nullable = nullable or inner_nullable
        if "allOf" in sub or "$ref" in sub or "type" not in merged:
            merged = {**inner, **merged}
    kinds = merged.get("type")
    if isinstance(kinds, list):
        nullable = nullable or "null" in kinds
        merged["type"] = next((kind for kind in kinds if kind != "null"), "string")
    return merged, nullable


def _parts(sub: dict[str, Json], root: dict[str, Json]) -> list[Json]:
    parts: list[Json] = []
    if isinstance(reference := sub.get("$ref"), str):
        parts.append(_local(reference, root))
    for key in ("allOf", "anyOf", "oneOf"):
        if isinstance(options := sub.get(key), list):
            parts.extend(options)
    return parts


def _local(reference: str, root: dict[str, Json]) -> Json:
    node: Json = root
    if not reference.startswith("#/"):
        return {}
    for part in reference[2:].split("/"):
        node = node.get(unescaped(part)) if isinstance(node, dict) else None
    return node


def _kind(name: str, schema: dict[str, Json], description: str, hints: Hints) -> Kind:
    kind = schema.get("type")
    if _enum(schema):
        return Kind.CHOICE
    plain = {"boolean": Kind.BOOLEAN, "integer": Kind.INTEGER, "number": Kind.NUMBER, "array": Kind.ARRAY}
    if isinstance(kind, str) and kind in plain:
        return plain[kind]
    if kind == "object" or "properties" in schema:
        return Kind.OBJECT
    stated = _FORMATS.get(_text(schema.get("format")))
    return stated or _string_kind(name, description, hints)


def _string_kind(name: str, description: str, hints: Hints) -> Kind:
    if "IANA" in description:
        return Kind.ZONE
    if len(hints.listed) >= 2:
        return Kind.CHOICE
    words = re.sub(r"(\D)(\d)$", r"\1 \2", label(name))
    for kind, pattern in _NAMED:
        if pattern.search(words) and _fits(kind, description, hints):
            return kind
    if re.search(r"\bunit\b", description, re.IGNORECASE) and len(description.split()) <= 6:
        return Kind.UNIT
    return Kind.TEXT


def _fits(kind: Kind, description: str, hints: Hints) -> bool:
    if kind is Kind.EXPRESSION:
        return not _NOT_ARITHMETIC.search(description)
    if kind is Kind.TIME and hints.time_format is None:
        return bool(_TIME_OF_DAY.search(description)) or not _DURATION.search(description)
    return True


def _enum(schema: dict[str, Json]) -> tuple[Json, ...]:
    if "const" in schema:
        return (schema["const"],)
    found = schema.get("enum")
    return tuple(value for value in found if value is not None) if isinstance(found, list) else ()


def _examples(schema: dict[str, Json]) -> tuple[Json, ...]:
    found = schema.get("examples", schema.get("example"))
    if found is None:
        return ()
    return tuple(found) if isinstance(found, list) and schema.get("type") != "array" else (found,)


def _bound(schema: dict[str, Json], inclusive: str, exclusive: str, step: int) -> float | None:
    found = _number(schema.get(inclusive))
    beyond = _number(schema.get(exclusive))
    return found if found is not None else (None if beyond is None else beyond + step)


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
