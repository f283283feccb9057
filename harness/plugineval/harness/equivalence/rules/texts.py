"""Words: equal when nothing but case, Unicode form, typography or white space differs; different where it is provable.

Proof of difference is a contradiction inside nearly the same words (another number, a negation, an opposite, C++ and
C), two things the query itself tells apart, or a title whose spaces are gone. Everything else is for a judge: likeness
proves nothing (Newark), and unlikeness neither (Bombay).
"""

import re
from collections import Counter
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import CASE_SENSITIVE, hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.harness.equivalence.wording import loose, surface, words_of
from plugineval.pccf.values import Json

_WORD = re.compile(r"\w+(?:'\w+)?[+#*]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATIONS = frozenset(
    {"not", "no", "never", "without", "don't", "doesn't", "isn't", "can't", "cannot", "won't", "non"}
)
_OPPOSITE_WORDS = """
north/south east/west left/right up/down on/off open/closed open/close in/out buy/sell high/low hot/cold max/min
maximum/minimum before/after start/end start/stop enable/disable enabled/disabled public/private ascending/descending
male/female income/expense lock/unlock increase/decrease add/remove accept/decline northern/southern eastern/western
upper/lower first/last import/export yes/no true/false early/late
"""
_OPPOSITES = frozenset(frozenset(pair.split("/")) for pair in _OPPOSITE_WORDS.split())
_TITLES = frozenset({"title", "subject", "label", "heading", "headline"})
_SENTENCE_MARKS = re.compile(r"[,.;:!]+(?=\s|$)|^[\"']|[\"']$")
_VERBATIM = re.compile(r"\bword for word\b|\bverbatim\b|\bexact(?:ly)?\b", re.IGNORECASE)
_PLAIN = re.compile(r"(?:[^\W\d_]|[ ,;:!'\"()&-]|\.(?=\s|$))+")
_EXACT = frozenset(
    {Kind.CODE, Kind.REGEX, Kind.SQL, Kind.EXPRESSION, Kind.PATH, Kind.URL, Kind.EMAIL, Kind.IDENTIFIER, Kind.UNIT}
    | {Kind.BASE64, Kind.DIGEST, Kind.UUID, Kind.QUANTITY}
)
_PLACEHOLDERS = frozenset(
    {"string", "text", "value", "any", "anything", "something", "foo", "bar", "placeholder", "example"}
    | {"null", "undefined", "nan"}
)
_BESIDE_MARK = re.compile(r"\s+(?=[^\w\s])|(?<=[^\w\s])\s+")
_ALIAS = re.compile(
    r"[\s,]*(?:\(|\[|=|aka\b|a\.k\.a|also\b|formerly\b|i\.e|that is\b|called\b|known as\b|meaning\b|for short\b)"
)
_LONGEST_NAME = 6
"""Words of a name; what is longer is a text."""


def decide_trivial(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two texts of plain words that only case, typography, white space or sentence marks tell apart.

    Asked before the kinds that know aliases. Kinds whose case or punctuation may count are not plain words.
    """
    if not isinstance(gold, str) or not isinstance(predicted, str) or _EXACT & hints(place):
        return None
    if not _PLAIN.fullmatch(surface(gold)) or not _PLAIN.fullmatch(surface(predicted)):
        return None
    return _same(gold, predicted, place)


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two texts; the last rule, so it always answers."""
    if not isinstance(gold, str) or not isinstance(predicted, str):
        return None
    found = _same(gold, predicted, place) or _difference(loose(gold), loose(predicted), place)
    return found or Ruling(Agreement.UNSURE, "texts.unsettled", "other words")


def _same(gold: str, predicted: str, place: Place) -> Ruling | None:
    one, other = loose(gold), loose(predicted)
    if one == other:
        if CASE_SENSITIVE.search(_said(place)) and surface(gold) != surface(predicted):
            return _differ("texts.case", "the tool says that case counts")
        return Ruling(Agreement.EQUAL, "texts.same_words")
    if _marked(one) == _marked(other) != "" and not _VERBATIM.search(_said(place)):
        return Ruling(Agreement.EQUAL, "texts.sentence_marks")
    return None


def _marked(text: str) -> str:
    """Without the marks that end sentences and parts of them, and without quotes around the whole."""
    return " ".join(_SENTENCE_MARKS.sub("", text).split())


def _said(place: Place) -> str:
    return f"{place.description} {place.context.tool_description}"


def _difference(one: str, other: str, place: Place) -> Ruling | None:
    if not one or not other:
        return _differ("texts.blank", "a blank")
    if one in _PLACEHOLDERS or other in _PLACEHOLDERS:
        return _differ("texts.placeholder", "a literal is no wildcard")
    if len(one) == len(other) == 1:
        return _differ("texts.symbol", "another character")
    found = _contradiction(_words(one), _words(other)) or _spaces_lost(one, other, place)
    return found or _told_apart(one, other, place)


def _contradiction(one: tuple[str, ...], other: tuple[str, ...]) -> Ruling | None:
    """The same words but for what turns them into something else."""
    if len(one) == len(other):
        pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        if all(a.rstrip("+#*") == b.rstrip("+#*") for a, b in pairs) and pairs:
            return _differ("texts.symbol", "a symbol that is part of the name")
        if pairs and all(_NUMBER.fullmatch(a) and _NUMBER.fullmatch(b) for a, b in pairs):
            return _other_numbers(pairs)
        if len(pairs) == 1 and frozenset(pairs[0]) in _OPPOSITES:
            return _differ("texts.opposite", f"{pairs[0][1]!r} is the opposite of {pairs[0][0]!r}")
    if set(one) ^ set(other) <= _NEGATIONS and _odd_negations(Counter(one), Counter(other)):
        return _differ("texts.negation", "the same words with a negation")
    return None


def _odd_negations(one: Counter[str], other: Counter[str]) -> bool:
    """Whether the words differ by negations alone, and by an odd number of them."""
    extra = (one - other) + (other - one)
    return set(extra) <= _NEGATIONS and sum(extra.values()) % 2 == 1


def _other_numbers(pairs: list[tuple[str, str]]) -> Ruling | None:
    values = [(a.replace(",", ""), b.replace(",", "")) for a, b in pairs]
    if all(a.count(".") <= 1 and b.count(".") <= 1 and float(a) == float(b) for a, b in values):
        return None
    return _differ("texts.number", "another number in the same words")


def _spaces_lost(one: str, other: str, place: Place) -> Ruling | None:
    respaced = one.replace(" ", "") == other.replace(" ", "") and _typeset(one) != _typeset(other)
    if respaced and _TITLES & set(words_of(place.name)):
        return _differ("texts.spaces_of_a_title", "the spaces of a title are part of it")
    return None


def _typeset(text: str) -> str:
    """Without the spaces beside a mark: they set the mark, they do not part words."""
    return _BESIDE_MARK.sub("", text)


def _told_apart(one: str, other: str, place: Place) -> Ruling | None:
    """The query names both, apart from each other: whoever asked does not take them for one (P39)."""
    if max(len(_words(one)), len(_words(other))) > _LONGEST_NAME or one in other or other in one:
        return None
    query = loose(place.context.query)
    if one not in query or other not in query:
        return None
    pairs = [(first, second) for first in _occurrences(one, query) for second in _occurrences(other, query)]
    if not pairs or any(_one_thing(first, second, query) for first, second in pairs):
        return None
    return _differ("texts.told_apart", "the query names both as different things")


def _one_thing(first: tuple[int, int], second: tuple[int, int], query: str) -> bool:
    """Whether the two occurrences overlap, or the second explains the first."""
    start, end = min(first[1], second[1]), max(first[0], second[0])
    return start > end or _ALIAS.match(query, start, end + 1) is not None


def _occurrences(phrase: str, query: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", query)]


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


def _differ(rule: str, reason: str) -> Ruling:
    return Ruling(Agreement.DIFFERENT, rule, reason)
