"""What the words around a value say about the argument it belongs to: a label, a preposition, a request's verb."""

import re

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.words import tokens

_FROM = re.compile(r"\b(?:from|between|starting|source|since)(?:\s+(?:the|base|zone))*\s*$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|into|until|ending|target)(?:\s+(?:the|base|zone))*\s*$|->\s*$|\bin\s*$", re.IGNORECASE)
_LINK = r"\s*(?:is|are|=|:|of|as|should be|set to|being|called|named)?\s*(?:the\s+)?[\"'(]?\s*$"
_IMPERATIVE = re.compile(r"(?:^|[.!?:]\s+|\b(?:please|you|could|can|to|and|then|ahead and|kindly)\s+)$", re.IGNORECASE)
_ACTS = frozenset({"action", "operation", "op", "mode", "command", "method", "function", "task"})
_REACH = 48
"""Characters on either side that count as around a value."""


def cue_at(place: Found, argument: Argument, text: str, arguments: tuple[Argument, ...]) -> float:
    """+1: the text names `argument` at `place`; -1: it names another one; 0: neither. Half as much for prepositions."""
    before, after = text[max(0, place.start - _REACH) : place.start], text[place.end : place.end + _REACH]
    if _named_at(argument, before, after):
        return 1.0
    if any(_named_at(other, before, after) for other in arguments if other.name != argument.name):
        return -1.0
    if argument.kind is Kind.CHOICE and _ACTS & set(tokens(argument.name)) and _IMPERATIVE.search(before):
        return 0.9
    role = _role_before(before)
    if role is None or argument.role is None or not _paired(argument, arguments):
        return 0.0
    return 0.5 if role == argument.role else -0.5


def _named_at(argument: Argument, before: str, after: str) -> bool:
    return names(argument, before) or bool(
        re.match(rf"[\"')]?\s+as\s+(?:the\s+|its\s+)?{_pattern(argument)}\b", after, re.IGNORECASE)
    )


def names(argument: Argument, before: str) -> bool:
    """Whether the argument's label stands right before a value."""
    return bool(re.search(rf"(?<!\w){_pattern(argument)}{_LINK}", before, re.IGNORECASE))


def _pattern(argument: Argument) -> str:
    return r"[\s_-]+".join(re.escape(word) for word in argument.label.split())


def _role_before(before: str) -> str | None:
    if _FROM.search(before):
        return "from"
    return "to" if _TO.search(before) else None


def _paired(argument: Argument, arguments: tuple[Argument, ...]) -> bool:
    """Whether another argument of the same kind has the opposite role."""
    return any(
        other.kind is argument.kind and other.role not in {None, argument.role}
        for other in arguments
        if other.name != argument.name
    )
