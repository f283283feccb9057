"""Which value of the text goes to which argument: labels and prepositions around a value, then the order of the text.

Two arguments never share a value, and values that are parts of a larger one (a number inside a list that the tool
takes whole) are left to the larger one.
"""

from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.candidates import REMAINDER, candidates
from plugineval.clients.baseline.cues import cue_at
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.strategies import Strategy
from plugineval.pccf.values import Json, canonical_json

_SELF_EVIDENT = frozenset({Kind.ZONE, Kind.DATE, Kind.EMAIL, Kind.URL, Kind.EXPRESSION, Kind.OBJECT, Kind.BOOLEAN})
_STRUCTURED = frozenset(
    {Kind.ARRAY, Kind.EXPRESSION, Kind.OBJECT, Kind.TIME, Kind.DATE, Kind.DATETIME, Kind.ZONE, Kind.URL}
)

Refuted = dict[str, dict[str, Json]]
"""Argument -> canonical JSON of each value that earlier rounds refuted -> what to put in its place, or None."""


class Offer(NamedTuple):
    """A value offered to an argument; `cued` where the text around it names the argument."""

    score: float
    argument: Argument
    found: Found
    cued: bool


def assign(arguments: tuple[Argument, ...], reading: Reading, strategy: Strategy, refuted: Refuted) -> dict[str, Found]:
    """Argument name -> the value it takes."""
    offers = _offers(arguments, reading, strategy, refuted)
    taken: dict[str, Found] = {}
    for offer in sorted(offers, key=lambda each: -each.score):
        name = offer.argument.name
        if name not in taken and not offer.found.within(taken.values()) and _welcome(offer, strategy):
            taken[name] = offer.found
    return taken


def _offers(arguments: tuple[Argument, ...], reading: Reading, strategy: Strategy, refuted: Refuted) -> list[Offer]:
    pools = {argument.name: candidates(argument, reading, strategy) for argument in arguments}
    whole = [found for argument in arguments if argument.kind in _STRUCTURED for found in pools[argument.name]]
    offers: list[Offer] = []
    for argument in arguments:
        pool = _corrected(pools[argument.name], refuted.get(argument.name, {}))
        if argument.kind.numeric or argument.kind is Kind.TEXT:
            pool = [found for found in pool if not _inside(found, whole)]
        offers += [_offer(argument, found, rank, arguments, (reading, strategy)) for rank, found in enumerate(pool)]
    return offers


def _corrected(pool: list[Found], refuted: dict[str, Json]) -> list[Found]:
    """Refuted values give way to what replaces them, at the place where they stand, or drop out."""
    corrected: list[Found] = []
    for found in pool:
        key = canonical_json(found.value)
        if key not in refuted:
            corrected.append(found)
        elif refuted[key] is not None:
            corrected.append(found._replace(value=refuted[key], how="put right after an error text"))
    return corrected


def _inside(found: Found, whole: list[Found]) -> bool:
    """A part of a larger value; a list of one number holds nothing but the number itself."""
    return any(found.overlaps(each) and (each.end - each.start) > (found.end - found.start) for each in whole)


def _offer(
    argument: Argument, found: Found, rank: int, arguments: tuple[Argument, ...], context: tuple[Reading, Strategy]
) -> Offer:
    reading, strategy = context
    required = 0.2 if argument.required else 0.0
    order = required - 0.01 * rank - 0.001 * arguments.index(argument) + _weight(found, argument)
    if not strategy.use_context:
        return Offer(order, argument, found, cued=False)
    cue = cue_at(found, argument, reading.text, arguments)
    return Offer(order + cue, argument, found, cued=cue > 0 or found.how.startswith(("named", "'")))


def _weight(found: Found, argument: Argument) -> float:
    """Self-evident readings first: structured values, quotes, named spans, then the rest of the request."""
    if argument.kind in _STRUCTURED:
        return 0.3
    return {"quoted": 0.25, "identifier": 0.2, REMAINDER: -0.3}.get(found.how, 0.1)


def _welcome(offer: Offer, strategy: Strategy) -> bool:
    """Required arguments take what fits; optional ones need a cue, or a value that can be nothing else."""
    if offer.argument.required:
        return offer.score > -0.6
    if strategy.eager_options:
        return offer.argument.kind not in {Kind.TEXT, Kind.IDENTIFIER, Kind.CHOICE} or offer.found.how == "quoted"
    return offer.cued or (offer.argument.kind in _SELF_EVIDENT and offer.score > -0.3)
