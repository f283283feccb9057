"""Which rules are asked about a pair of values, and in which order: the most telling kind first.

Asked of every pair of values, so that a pair of no known kind must cost a few cached look-ups and nothing more.
"""

from functools import lru_cache

from plugineval.harness.equivalence.rules.domain import (
    addresses,
    aliases,
    code,
    colours,
    coordinates,
    countries,
    currencies,
    digests,
    emails,
    expressions,
    identifiers,
    languages,
    media_types,
    money,
    organisations,
    paths,
    phones,
    places,
    quantities,
    ranges,
    regexes,
    sql,
    subdivisions,
    unit_names,
    urls,
)
from plugineval.harness.equivalence.rules.domain.hints import hints, name_words
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Agreement, Place, Rule, Ruling
from plugineval.pccf.values import Json

_ORDER: tuple[tuple[frozenset[Kind], Rule], ...] = (
    (frozenset({Kind.URL}), urls.rule),
    (frozenset({Kind.EMAIL}), emails.rule),
    (frozenset({Kind.UUID, Kind.DIGEST, Kind.BASE64}), digests.rule),
    (frozenset({Kind.ADDRESS}), addresses.rule),
    (frozenset({Kind.SQL}), sql.rule),
    (frozenset({Kind.MIME}), media_types.rule),
    (frozenset({Kind.COLOUR}), colours.rule),
    (frozenset({Kind.PHONE}), phones.rule),
    (frozenset({Kind.REGEX}), regexes.rule),
    (frozenset({Kind.EXPRESSION}), expressions.rule),
    (frozenset({Kind.CODE}), code.rule),
    (frozenset({Kind.CURRENCY}), currencies.rule),
    (frozenset({Kind.MONEY}), money.rule),
    (frozenset({Kind.UNIT}), unit_names.rule),
    (frozenset({Kind.COORDINATES, Kind.LATITUDE, Kind.LONGITUDE}), coordinates.rule),
    (frozenset({Kind.QUANTITY}), quantities.rule),
    (frozenset({Kind.RANGE}), ranges.rule),
    (frozenset({Kind.PATH}), paths.rule),
    (frozenset({Kind.SUBDIVISION}), subdivisions.rule),
    (frozenset({Kind.COUNTRY}), countries.rule),
    (frozenset({Kind.LANGUAGE}), languages.rule),
    (frozenset({Kind.IDENTIFIER}), identifiers.rule),
    (frozenset({Kind.ORGANISATION}), organisations.rule),
    (frozenset({Kind.PLACE}), places.rule),
)
_ON_ONE_SIDE = frozenset({Kind.QUANTITY, Kind.MONEY, Kind.RANGE, Kind.COORDINATES, Kind.MIME, Kind.CURRENCY})
"""Kinds whose other side may be a bare number or a bare word."""
_BY_SHAPE_ONLY = frozenset({Kind.QUANTITY, Kind.MONEY, Kind.RANGE})
_WORDS_KEPT = frozenset(
    {
        "text",
        "note",
        "message",
        "body",
        "title",
        "subject",
        "content",
        "name",
        "label",
        "caption",
        "comment",
        "description",
    }
)


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """The ruling of the first domain rule that knows the kind of the two values; None where none does.

    Values of an enum are never judged by their meaning (D14), and equal values are nobody's question.
    """
    if gold == predicted or "enum" in place.node.schema or gold is None or predicted is None:
        return None
    if isinstance(gold, str) and isinstance(predicted, str):
        return _texts(gold, predicted, place)
    if isinstance(gold, bool) or isinstance(predicted, bool):
        return None
    return _mixed(gold, predicted, place)


def _texts(gold: str, predicted: str, place: Place) -> Ruling | None:
    if not gold or not predicted or gold.isspace() or predicted.isspace():
        return None
    for rule in _rules(_kinds(gold, predicted, place)):
        ruling = rule(gold, predicted, place)
        if ruling is not None:
            return _verbatim(ruling, place)
    return aliases.rule(gold, predicted, place)


def _verbatim(ruling: Ruling, place: Place) -> Ruling:
    """Words to be written down stay words: "5 km" in a note is not "5000 m", although it is as far."""
    meant = ruling.agreement is Agreement.EQUAL and ruling.semantic and not ruling.rule.startswith("sql.")
    if meant and name_words(place.name) & _WORDS_KEPT:
        return ruling._replace(
            agreement=Agreement.UNSURE, reason=f"{ruling.reason}, in words that may be kept as they are"
        )
    return ruling


def _kinds(gold: str, predicted: str, place: Place) -> frozenset[Kind]:
    said, first, second = hints(place), shapes(gold), shapes(predicted)
    if not (first or second):
        return said
    seen = (first & second) | ((first | second) & _ON_ONE_SIDE)
    if Kind.IDENTIFIER in said:
        # "12C" is a seat there, not a temperature.
        seen -= _BY_SHAPE_ONLY
    return said | seen


def _mixed(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    kinds = hints(place)
    for value in (gold, predicted):
        if isinstance(value, str):
            kinds |= shapes(value)
    for rule in () if kinds.isdisjoint(_NUMERIC) else _rules(kinds & _NUMERIC):
        ruling = rule(gold, predicted, place)
        if ruling is not None:
            return ruling
    return None


_NUMERIC = frozenset({*_ON_ONE_SIDE, Kind.LATITUDE, Kind.LONGITUDE, Kind.IDENTIFIER}) - {Kind.MIME}


@lru_cache(maxsize=1024)
def _rules(kinds: frozenset[Kind]) -> tuple[Rule, ...]:
    return tuple(rule for triggers, rule in _ORDER if triggers & kinds)
