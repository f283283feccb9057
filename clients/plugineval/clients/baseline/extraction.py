"""From a query to the arguments of one tool, by one strategy; every value says how it was found.

A required argument that the text does not determine is named as missing; nothing is made up for it.
"""

from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.assignment import Refuted, assign
from plugineval.clients.baseline.candidates import REMAINDER
from plugineval.clients.baseline.rendering import implied_category
from plugineval.clients.baseline.spotting.reading import read
from plugineval.clients.baseline.strategies import Strategy
from plugineval.clients.baseline.words import stems
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json, canonical_json

_FILLER = "help handle question take care same usual always know mean please thanks favour everybody last agreed"


class Extraction(NamedTuple):
    """Arguments, how each was found, and the required ones that were not."""

    arguments: Arguments
    how: dict[str, str]
    missing: tuple[str, ...]


def extract(query: Query, tool: ToolSpec, strategy: Strategy, *, refuted: Refuted | None = None) -> Extraction:
    """The arguments of `tool` that `query` determines. Deterministic; under 20 ms for an ordinary query."""
    arguments = arguments_of(tool)
    reading = read(query)
    taken = assign(arguments, reading, strategy, refuted or {})
    values: Arguments = {argument.name: taken[argument.name].value for argument in arguments if argument.name in taken}
    how = {name: found.how for name, found in taken.items()}
    for argument in arguments:
        filled = None if argument.name in values else _filled(argument, arguments, values, strategy)
        if filled is not None and canonical_json(filled[0]) not in (refuted or {}).get(argument.name, {}):
            values[argument.name], how[argument.name] = filled
    for name in [
        name for name, how_found in how.items() if how_found == REMAINDER and _says_nothing(values[name], tool)
    ]:
        del values[name], how[name]
    missing = tuple(name for name in tool.required if name not in values)
    return Extraction(values, how, missing)


def _says_nothing(value: Json, tool: ToolSpec) -> bool:
    """The rest of a request that repeats only the tool's own words holds no value."""
    labels = " ".join(each.label for each in arguments_of(tool))
    own = set(stems(f"{tool.name} {tool.title or ''} {tool.description} {labels} {_FILLER}"))
    return all(word in own for word in stems(str(value)))


def _filled(
    argument: Argument, arguments: tuple[Argument, ...], values: Arguments, strategy: Strategy
) -> tuple[Json, str] | None:
    if not argument.required or not strategy.fallbacks:
        return None
    if argument.kind is Kind.CHOICE:
        units = [str(values[each.name]) for each in arguments if each.kind is Kind.UNIT and each.name in values]
        category = implied_category(argument, units)
        return (category, "the quantity that the units measure") if category else None
    if argument.has_default:
        return argument.default, "default of the schema"
    if argument.hints.fallback is not None and argument.kind is not Kind.BOOLEAN:
        return argument.hints.fallback, "fallback named in the description"
    return None
