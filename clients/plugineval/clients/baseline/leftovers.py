"""What a query says and a call leaves out: values that no argument uses, optional arguments that the query names."""

import re

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.candidates import candidates
from plugineval.clients.baseline.cues import cue_at
from plugineval.clients.baseline.grounding import Ground
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.strategies import STRICT
from plugineval.pccf.tools import ToolSpec

_READ_BY_NAME = frozenset({Kind.TEXT, Kind.IDENTIFIER, Kind.PATH, Kind.OBJECT})


def unused_values(reading: Reading, grounds: dict[str, Ground], tool: ToolSpec) -> list[Found]:
    """Values that stand in the query and that no argument rests on."""
    used = [place for each in grounds.values() for place in each.places]
    unused: list[Found] = []
    for found in (
        *(reading.literals + reading.quoted + reading.expressions + reading.datetimes + reading.dates),
        *(reading.times + reading.zones + reading.addresses + reading.numbers),
    ):
        if not found.within(used) and not found.within(unused) and not _of_the_tool(found, reading, tool):
            unused.append(found)
    return unused


def _of_the_tool(found: Found, reading: Reading, tool: ToolSpec) -> bool:
    """A number that belongs to the tool's own words ("compare two texts") or to a label ("text 2") is no value."""
    said = reading.text[found.start : found.end].lower()
    if not isinstance(found.value, int) or not said:
        return False
    own = said.isalpha() and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", tool.description.lower())
    return bool(own) or ends_a_label(found, reading, arguments_of(tool))


def ends_a_label(found: Found, reading: Reading, arguments: tuple[Argument, ...]) -> bool:
    """Whether the number is the last part of an argument's name, as in "text 2"."""
    before = reading.text[: found.end].lower()
    return any(before.endswith(each.label) for each in arguments if each.label[-1:].isdigit())


def parts_of_others(grounds: dict[str, Ground]) -> list[str]:
    """Arguments whose value is only a part of a larger value that another argument takes (the 2 of "in 2 weeks")."""
    return [
        name for name, each in grounds.items() if each.places and all(_inside(p, name, grounds) for p in each.places)
    ]


def _inside(place: Found, name: str, grounds: dict[str, Ground]) -> bool:
    return any(
        place.overlaps(other) and other.end - other.start > place.end - place.start
        for rival, ground in grounds.items()
        if rival != name
        for other in ground.places
    )


def left_out(argument: Argument, reading: Reading, tool: ToolSpec) -> bool:
    """Whether the query gives `argument` a value of its own, other than its default."""
    if linked(argument, reading, tool):
        return True
    if argument.kind in _READ_BY_NAME:
        return False
    arguments = arguments_of(tool)
    return any(
        found.value != argument.default and cue_at(found, argument, reading.text, arguments) >= 0.9
        for found in candidates(argument, reading, STRICT)
    )


def linked(argument: Argument, reading: Reading, tool: ToolSpec) -> bool:
    """The query states it: "limit: 5", "the title is ..."; a heading before the next label does not count."""
    label = r"[\s_-]+".join(map(re.escape, argument.label.split()))
    others = "|".join(re.escape(each.label) for each in arguments_of(tool) if each.name != argument.name)
    heading = rf"(?!(?:the\s+)?(?:{others})\b)" if others else ""
    return len(argument.label) > 3 and bool(
        re.search(rf"(?<!\w){label}\s*(?:is|=|:|set to|should be)\s*{heading}\S", reading.text, re.IGNORECASE)
    )
