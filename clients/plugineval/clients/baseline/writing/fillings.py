"""The arguments that one query speaks of: which value each takes, in which words, and by which steps of inference.

Depth is the number of steps (P26): easy asks for none, medium for exactly one, hard for two or more. A tool whose
arguments admit fewer steps gets no query of that depth.
"""

from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.rendering import Surface, implied_category, surfaces
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.specimens import CLOCK, matched_units, specimen
from plugineval.pccf.values import Json

Pinned = dict[str, Json]


class Filling(NamedTuple):
    """One argument of a query; `text` is None where the query leaves it to be inferred."""

    argument: Argument
    value: Json
    text: str | None
    step: str | None = None

    @property
    def needs_clock(self) -> bool:
        """Whether the words can be read only with the clock."""
        return self.step is not None and self.argument.kind in {Kind.DATE, Kind.DATETIME}


def fill(arguments: tuple[Argument, ...], draw: Draw, depth: int, pinned: Pinned) -> tuple[Filling, ...] | None:
    """Fillings for `arguments` with exactly `depth` steps, or None where they do not admit so many."""
    values = matched_units(arguments, draw) | pinned
    for each in arguments:
        if each.name not in values:
            values[each.name] = _new(each, draw, values, wordy=depth > 0)
    plain = {
        each.name: Filling(each, values[each.name], surfaces(each, values[each.name], None)[0].text)
        for each in arguments
    }
    inferred = {each.name: ways for each in arguments if (ways := _ways(each, arguments, values))}
    chosen = draw.sample(sorted(inferred), depth, "steps")
    if len(chosen) < depth:
        return None
    for name in chosen:
        way = draw.pick(inferred[name], f"way {name}")
        plain[name] = plain[name]._replace(text=way.text or None, step=way.step)
    return tuple(plain.values())


def _new(argument: Argument, draw: Draw, values: dict[str, Json], *, wordy: bool) -> Json:
    """A value that no other argument of the query has yet, where there is one."""
    value = specimen(argument, draw, wordy=wordy)
    for retry in range(6):
        if argument.kind is Kind.BOOLEAN or value not in values.values():
            break
        value = specimen(argument, Draw(draw.number(0, 2**32, f"{argument.name} retry {retry}")), wordy=wordy)
    return value


def _ways(argument: Argument, arguments: tuple[Argument, ...], values: dict[str, Json]) -> list[Surface]:
    """Ways to say or to leave out the value of `argument` that take exactly one step."""
    ways = [each for each in surfaces(argument, values[argument.name], CLOCK) if each.step]
    units = [str(values[each.name]) for each in arguments if each.kind is Kind.UNIT]
    implied = (
        implied_category(argument, units) if argument.kind is Kind.CHOICE and argument.required and units else None
    )
    if implied is not None and implied == values[argument.name]:
        ways = [Surface("", f"{' and '.join(units)} measure {implied}")]
    return ways
