"""Which value of the text goes to which argument: labels and prepositions around a value, then the order of the text.

Two arguments never share a value, and values that are parts of a larger one (a number inside a list that the tool
takes whole) are left to the larger one.
"""

import re
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.candidates import REMAINDER, candidates
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.strategies import Strategy
from plugineval.pccf.values import canonical_json

_FROM = re.compile(r"\b(?:from|between|starting|source|since)(?:\s+(?:the|base|zone))*\s*$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|into|until|ending|target)(?:\s+(?:the|base|zone))*\s*$|->\s*$|\bin\s*$", re.IGNORECASE)
_LINK = r"\s*(?:is|are|=|:|of|as|should be|set to|being|called|named)?\s*(?:the\s+)?[\"'(]?\s*$"
_SELF_EVIDENT = frozenset({Kind.ZONE, Kind.DATE, Kind.EMAIL, Kind.URL, Kind.EXPRESSION, Kind.OBJECT, Kind.BOOLEAN})
_STRUCTURED = frozenset(
    {Kind.ARRAY, Kind.EXPRESSION, Kind.OBJECT, Kind.TIME, Kind.DATE, Kind.DATETIME, Kind.ZONE, Kind.URL}
)

Banned = dict[str, frozenset[str]]
"""Argument -> canonical JSON of values that earlier rounds refuted."""


class Offer(NamedTuple):
    """A value offered to an argument; `cued` where the text around it names the argument."""

    score: float
    argument: Argument
    found: Found
    cued: bool


def assign(arguments: tuple[Argument, ...], reading: Reading, strategy: Strategy, banned: Banned) -> dict[str, Found]:
    """Argument name -> the value it takes."""
    offers = _offers(arguments, reading, strategy, banned)
    taken: dict[str, Found] = {}
    for offer in sorted(offers, key=lambda each: -each.score):
        name = offer.argument.name
        if name not in taken and not offer.found.within(taken.values()) and _welcome(offer, strategy):
            taken[name] = offer.found
    return taken


def _offers(arguments: tuple[Argument, ...], reading: Reading, strategy: Strategy, banned: Banned) -> list[Offer]:
    pools = {argument.name: candidates(argument, reading, strategy) for argument in arguments}
    whole = [found for argument in arguments if argument.kind in _STRUCTURED for found in pools[argument.name]]
    offers: list[Offer] = []
    for argument in arguments:
        refused = banned.get(argument.name, frozenset())
        pool = [found for found in pools[argument.name] if canonical_json(found.value) not in refused]
        if argument.kind.numeric or argument.kind is Kind.TEXT:
            pool = [found for found in pool if not _inside(found, whole)]
        offers += [_offer(argument, found, rank, arguments, (reading, strategy)) for rank, found in enumerate(pool)]
    return offers


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
    before = reading.text[max(0, found.start - 48) : found.start]
    cue = cue_of(argument, before, arguments)
    return Offer(order + cue, argument, found, cued=cue > 0 or found.how.startswith(("named", "'")))


def _weight(found: Found, argument: Argument) -> float:
    """Self-evident readings first: structured values, quotes, named spans, then the rest of the request."""
    if argument.kind in _STRUCTURED:
        return 0.3
    return {"quoted": 0.25, "identifier": 0.2, REMAINDER: -0.3}.get(found.how, 0.1)


def cue_of(argument: Argument, before: str, arguments: tuple[Argument, ...]) -> float:
    """What the words before a value say: +1 names `argument`, -1 names another one, half as much for prepositions."""
    if names(argument, before):
        return 1.0
    if any(names(other, before) for other in arguments if other.name != argument.name):
        return -1.0
    role = role_before(before)
    if role is None or argument.role is None or not paired(argument, arguments):
        return 0.0
    return 0.5 if role == argument.role else -0.5


def names(argument: Argument, before: str) -> bool:
    """Whether the argument's label stands right before a value."""
    label = r"[\s_-]+".join(re.escape(word) for word in argument.label.split())
    return bool(re.search(rf"(?<!\w){label}{_LINK}", before, re.IGNORECASE))


def role_before(before: str) -> str | None:
    """`from` or `to`, where such a word stands right before a value."""
    if _FROM.search(before):
        return "from"
    return "to" if _TO.search(before) else None


def paired(argument: Argument, arguments: tuple[Argument, ...]) -> bool:
    """Whether another argument of the same kind has the opposite role."""
    return any(
        other.kind is argument.kind and other.role not in {None, argument.role}
        for other in arguments
        if other.name != argument.name
    )


def _welcome(offer: Offer, strategy: Strategy) -> bool:
    """Required arguments take what fits; optional ones need a cue, or a value that can be nothing else."""
    if offer.argument.required:
        return offer.score > -0.6
    if strategy.eager_options:
        return offer.argument.kind not in {Kind.TEXT, Kind.IDENTIFIER, Kind.CHOICE} or offer.found.how == "quoted"
    return offer.cued or (offer.argument.kind in _SELF_EVIDENT and offer.score > -0.3)
