"""Whether any call that satisfies its tool's schema can meet a gold call, by the rules that rows are graded by.

Every argument is tried with all values that count as right, in the spelling of its type, as its default and left out.
Too many ways to try them all, and schemas that tie arguments together, leave the answer open.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Literal, TypeAlias

from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.schemas import violations
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json, canonical_json

Passing: TypeAlias = Literal["yes", "no", "open"]
_MOST = 64
_TYING = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "dependentRequired", "dependentSchemas", "dependencies", "$ref"}
)


def enum_strangers(tool: ToolSpec, call: GoldCall) -> Iterator[tuple[str, Json]]:
    """Argument, and a value that counts as right although the schema lists others; null is left to the schema."""
    for name in {**call.arguments, **dict.fromkeys(call.accepted)}:
        schema = tool.properties.get(name, {})
        found = (stranger for value in _first_and_others(call, name) for stranger in _strangers(schema, value))
        for value in {canonical_json(each): each for each in found}.values():
            yield name, value


def _strangers(schema: Json, value: Json) -> Iterator[Json]:
    """Values below `value` that an enum of `schema` does not list; an enum of a list is one of its items."""
    if not isinstance(schema, dict) or value is None:
        return
    listed = schema.get("enum")
    if isinstance(value, list):
        items = schema.get("items")
        within: Json = {"enum": listed} if isinstance(listed, list) and value not in listed else items
        for each in value:
            yield from _strangers(within, each)
    elif isinstance(value, dict):
        properties = schema.get("properties")
        for name, each in value.items():
            yield from _strangers(properties.get(name) if isinstance(properties, dict) else None, each)
    elif isinstance(listed, list) and value not in listed:
        yield value


def said(tool: ToolSpec, call: GoldCall) -> Arguments:
    """The gold arguments without those that are null and optional: null is the argument left out (D13)."""
    required = frozenset(tool.required)
    return {name: value for name, value in call.arguments.items() if value is not None or name in required}


def passable(tool: ToolSpec, call: GoldCall) -> tuple[Passing, str]:
    """Whether a valid call can meet the gold, and why none can."""
    chosen: Arguments = {}
    for name in {**call.arguments, **dict.fromkeys(call.accepted)}:
        verdict, problem, value = _argument(tool, call, name)
        if verdict != "yes":
            return _hedged(tool, verdict), problem
        if value is not _LEFT_OUT:
            chosen[name] = value[0]
    for name in tool.required:
        default = tool.properties.get(name, {}).get("default")
        if name not in chosen and default is not None:
            chosen[name] = default
    broken = violations(tool.input_schema, chosen)
    return ("yes", "") if not broken else (_hedged(tool, "no"), _told(broken))


_LEFT_OUT: tuple[Json, ...] = ()


def _argument(tool: ToolSpec, call: GoldCall, name: str) -> tuple[Passing, str, tuple[Json, ...]]:
    """The first valid way to give an argument, as a tuple of one; the empty one where it is left out."""
    broken: list[SchemaViolation] = []
    tried = 0
    for value in islice(_ways(tool, call, name), _MOST + 1):
        tried += 1
        found = [each for each in violations(tool.input_schema, {name: value}) if _concerns(each, name)]
        if not found:
            return "yes", "", (value,)
        broken = broken or found
    if name not in tool.required and _may_be_left_out(call, name):
        return "yes", "", _LEFT_OUT
    hedged = tried > _MOST or _lists_for_items(tool, call, name)
    told = _told(broken) or f"/{name}: is required, and gold has it left out"
    return ("open" if hedged else "no"), told, _LEFT_OUT


def _lists_for_items(tool: ToolSpec, call: GoldCall, name: str) -> bool:
    """Whether the schema lists single values for an argument that is a list: its items were meant, presumably."""
    listed, value = tool.properties.get(name, {}).get("enum"), call.arguments.get(name)
    return isinstance(listed, list) and isinstance(value, list) and all(each in listed for each in value)


def _ways(tool: ToolSpec, call: GoldCall, name: str) -> Iterator[Json]:
    values = list(_first_and_others(call, name))
    yield from values
    for value in values:
        yield from _respelled(value)
        yield from _listed_alike(tool, name, value)
    accepted = call.accepted.get(name)
    if accepted is not None:
        yield from ("",) if accepted.omittable else ()
        yield from _composed(accepted)
        if accepted.omittable and "default" in tool.properties.get(name, {}):
            yield tool.properties[name]["default"]


def _first_and_others(call: GoldCall, name: str) -> Iterator[Json]:
    if name in call.arguments:
        yield call.arguments[name]
    if name in call.accepted:
        yield from call.accepted[name].values


def _respelled(value: Json) -> Iterator[Json]:
    """The same value of another type, where nothing is lost (D14)."""
    if isinstance(value, str):
        try:
            read = json.loads(value)
        except ValueError:
            return
        if isinstance(read, int | float | bool):
            yield read
    elif isinstance(value, float) and value.is_integer():
        yield int(value)
    elif isinstance(value, bool | int | float):
        yield json.dumps(value)


def _listed_alike(tool: ToolSpec, name: str, value: Json) -> Iterator[Json]:
    """The listed values that are the same in another case or type."""
    listed = tool.properties.get(name, {}).get("enum")
    if isinstance(listed, list):
        yield from (each for each in listed if str(each).casefold() == str(value).casefold())


def _composed(accepted: Accepted) -> Iterator[Json]:
    """Objects and lists put together from the accepted values of their parts."""
    for members in accepted.members:
        names = list(members)
        for parts in product(*(_part(members[name]) for name in names)):
            yield {name: part[0] for name, part in zip(names, parts, strict=True) if part}
    for items in accepted.items:
        for parts in product(*(_part(item) for item in items)):
            yield [part[0] for part in parts if part]


def _part(accepted: Accepted) -> list[Sequence[Json]]:
    found: list[Sequence[Json]] = [(value,) for value in (*accepted.values, *islice(_composed(accepted), _MOST))]
    return [*found, ()] if accepted.omittable else found


def _may_be_left_out(call: GoldCall, name: str) -> bool:
    accepted = call.accepted.get(name)
    # Null on an optional argument is the argument left out (D13).
    return (accepted is not None and accepted.omittable) or call.arguments.get(name) is None


def _hedged(tool: ToolSpec, verdict: Passing) -> Passing:
    return "open" if _TYING & tool.input_schema.keys() else verdict


def _concerns(broken: SchemaViolation, name: str) -> bool:
    """Whether a broken rule is about the argument; that others are missing is another matter."""
    if broken.keyword in {"additionalProperties", "unevaluatedProperties"}:
        return True
    return broken.path == f"/{name}" or broken.path.startswith(f"/{name}/")


def _told(broken: Sequence[SchemaViolation]) -> str:
    return "; ".join(f"{each.path or '/'}: {each.message}" for each in broken[:2])
