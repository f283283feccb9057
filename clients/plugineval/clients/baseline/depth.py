"""Inference depth by rule (P26): a value that stands in the query as the tool spells it takes no step, others do.

Each argument of the verified call is looked for in the query from its value, by the evaluators' own patterns; the
writer's steps are never seen. What is said in other words takes one step, a date with a time of day up to two; a value
that is nowhere in the words takes one, with a reason that says so.
"""

import re
from collections.abc import Iterable

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.cues import cue_at
from plugineval.clients.baseline.grounding import ground
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.occurrences import occurrences
from plugineval.clients.baseline.segments import one_result, part_for
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.numbers import plain_number
from plugineval.clients.baseline.spotting.reading import Reading, read
from plugineval.clients.baseline.words import squeezed
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import DepthVote
from plugineval.pccf.roles import DepthVoted
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, canonical_json
from plugineval.pccf.verification.parts import results_in

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(.*)")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?")
_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "^": "*"})


class LexicalDepthAnnotator:
    """Implements `plugineval.pccf.roles.DepthAnnotator`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        """The fewest steps; one that serves several arguments counts once. Never fails."""
        arguments, reading = arguments_of(tool), read(part_for(query, tool))
        known = {each.name: each for each in arguments}
        before = [one_result(result) for result in results_in(query)]
        found: list[str] = []
        for name, value in invocation.arguments.items():
            own = _steps(known[name], value, reading, arguments) if name in known else [f"{name} is not declared"]
            carried = own and value is not None and value in before
            found += [f"{canonical_json(value)} is the result of an earlier call"] if carried else own
        steps = tuple(dict.fromkeys(found))
        reason = f"{len(steps)} of the values are not said as the tool takes them" if steps else "every value is said"
        return DepthVoted(
            vote=DepthVote(steps=steps, reason=reason, annotator=BASELINE_ID, prompt_hash=PROMPT_HASH), spent=Spent()
        )


def _steps(argument: Argument, value: Json, reading: Reading, arguments: tuple[Argument, ...]) -> list[str]:
    if argument.has_default and canonical_json(value) == canonical_json(argument.default):
        return []
    if isinstance(value, list):
        return _of_list(argument, value, reading, arguments)
    moment = _MOMENT.fullmatch(value) if argument.kind is Kind.DATETIME and isinstance(value, str) else None
    if moment and not _said(occurrences(argument, value, reading), value, reading):
        return _of_moment(argument, moment, reading, arguments)
    places = _closest(
        argument, [_whole(each, reading) for each in occurrences(argument, value, reading)], reading, arguments
    )
    if not places:
        return _of_the_rest(argument, value, reading, arguments)
    return [] if _said(places, value, reading) else [_told(places[0], value, reading)]


def _of_list(argument: Argument, value: list[Json], reading: Reading, arguments: tuple[Argument, ...]) -> list[str]:
    """A list is read in one go: one step, however many of its items are said in other words."""
    if argument.item is None or any(isinstance(item, list | dict) for item in value):
        return _of_the_rest(argument, value, reading, arguments)
    if ground(argument, value, reading, arguments).reason == "is written out in the query":
        return []
    item = argument.item.model_copy(update={"name": argument.name, "label": argument.label})
    steps = [step for each in value for step in _steps(item, each, reading, arguments)]
    return [f"{'; '.join(dict.fromkeys(steps))}: the list {canonical_json(value)}"] if steps else []


def _of_moment(
    argument: Argument, moment: re.Match[str], reading: Reading, arguments: tuple[Argument, ...]
) -> list[str]:
    """The day and the time of day are said apart, each in its own way."""
    day, clock, _ = moment.groups()
    dated = argument.model_copy(update={"kind": Kind.DATE})
    timed = argument.model_copy(update={"kind": Kind.TIME})
    steps = _steps(dated, day, reading, arguments)
    if clock.startswith("00:00") and not reading.times:
        return steps
    whole_minutes = clock.removesuffix(":00") if len(clock) > len("09:00") else clock
    return steps + _steps(timed, whole_minutes, reading, arguments)


def _of_the_rest(argument: Argument, value: Json, reading: Reading, arguments: tuple[Argument, ...]) -> list[str]:
    """What has no place of its own: objects, booleans, what is implied, what is left open, what is made up."""
    credit = ground(argument, value, reading, arguments)
    if credit.credit >= 1 or (credit.places and _said(credit.places, value, reading)):
        return []
    return [f"{argument.name}: {canonical_json(value)} {credit.reason}"]


def _whole(place: Found, reading: Reading) -> Found:
    """The "12:30" of "12:30 pm" is read with what follows it."""
    longer = [each for each in reading.times if each.overlaps(place) and each.end > place.end]
    return place._replace(start=longer[0].start, end=longer[0].end) if longer else place


def _closest(argument: Argument, places: list[Found], reading: Reading, arguments: tuple[Argument, ...]) -> list[Found]:
    """The places that the text ties to the argument most closely."""
    cues = [cue_at(place, argument, reading.text, arguments) for place in places]
    return [place for place, cue in zip(places, cues, strict=True) if cue == max(cues)]


def _said(places: Iterable[Found], value: Json, reading: Reading) -> bool:
    """Whether one of `places` spells the value as the tool takes it; case, spaces and separators aside."""
    return any(_spells(reading.text[place.start : place.end], value) for place in places)


def _spells(text: str, value: Json) -> bool:
    if isinstance(value, bool) or value is None:
        return text.casefold() == canonical_json(value)
    if isinstance(value, int | float):
        return _number(text) == value
    if not isinstance(value, str):
        return False
    clock, wanted = _CLOCK.fullmatch(text.strip()), _CLOCK.fullmatch(value)
    if clock and wanted:
        return _parts(clock) == _parts(wanted)
    plain = text.translate(_SIGNS), value.translate(_SIGNS)
    return squeezed(plain[0].strip("\"'`“”«»")) == squeezed(plain[1])


def _parts(clock: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(part or 0) for part in clock.groups())


def _number(text: str) -> float | None:
    try:
        return plain_number(float(text.replace(",", "").replace("−", "-")))
    except ValueError:
        return None


def _told(place: Found, value: Json, reading: Reading) -> str:
    said = reading.text[place.start : place.end]
    return f"{said!r} stands for {canonical_json(value)}"
