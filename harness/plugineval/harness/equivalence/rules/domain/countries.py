"""Countries: ISO 3166 codes and names of one country are equal, two countries are different.

Two letters are a country only where the argument is one: "in", "is" and "CA" are also words and states. Names that
people use for a country and that mean something else as well (Holland, England, America) are unsure.
"""

import unicodedata
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.iso import table
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, overlap, unsure
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_ALSO = {
    "uk": "GB", "u.k.": "GB", "usa": "US", "u.s.": "US", "u.s.a.": "US", "united states of america": "US",
    "the united states": "US", "the united states of america": "US", "the uk": "GB", "the united kingdom": "GB",
    "russia": "RU", "czech republic": "CZ", "turkey": "TR", "ivory coast": "CI", "burma": "MM", "swaziland": "SZ",
    "cape verde": "CV", "macedonia": "MK", "uae": "AE", "drc": "CD", "dr congo": "CD", "prc": "CN",
    "democratic republic of the congo": "CD", "republic of the congo": "CG", "east timor": "TL", "brunei": "BN",
    "vatican": "VA", "vatican city": "VA", "micronesia": "FM", "palestine": "PS", "falkland islands": "FK",
    "the netherlands": "NL", "the philippines": "PH", "the gambia": "GM", "the bahamas": "BS",
    "republic of ireland": "IE",
}  # fmt: skip
_LOOSE = {
    "america": "US", "holland": "NL", "england": "GB", "scotland": "GB", "wales": "GB", "northern ireland": "GB",
    "great britain": "GB", "britain": "GB", "korea": "KR", "congo": "CD", "mainland china": "CN",
}  # fmt: skip


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two countries, where the argument is a country."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.COUNTRY not in hints(place):
        return None
    first, second = country_readings(gold), country_readings(predicted)
    if first and second:
        return _compare(gold, predicted, first, second)
    return _half_known(gold, predicted) if first or second or loose(gold) or loose(predicted) else None


def _compare(gold: str, predicted: str, first: frozenset[str], second: frozenset[str]) -> Ruling:
    agreement = overlap(first, second)
    if agreement is Agreement.DIFFERENT:
        return different("countries.another", "another country")
    if agreement is Agreement.UNSURE:
        return unsure("countries.ambiguous", "a name that several countries share")
    if same_spelling(gold, predicted):
        return equal("countries.spelling", "the same code or name in another spelling")
    return equal("countries.code", "a code and a name, or two codes, of one country", semantic=True)


def _half_known(gold: str, predicted: str) -> Ruling | None:
    if all(_is_code(text) for text in (gold, predicted)):
        return different("countries.code", "another code")
    readings = [country_readings(text) or loose(text) for text in (gold, predicted)]
    if all(readings) and not readings[0] & readings[1]:
        return different("countries.another", "another country")
    return unsure("countries.unknown", "a name that is no country's own, or is known by another register")


def _is_code(text: str) -> bool:
    stripped = text.strip()
    return 2 <= len(stripped) <= 3 and stripped.isascii() and stripped.isalpha() and stripped.isupper()


def same_spelling(gold: str, predicted: str) -> bool:
    """Whether two texts differ by case, width and spaces alone: accents are more than that."""
    first, second = (unicodedata.normalize("NFKC", text).casefold().split() for text in (gold, predicted))
    return first == second


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """Lower case, without accents and doubled spaces: how names are looked up."""
    decomposed = unicodedata.normalize("NFKD", text)
    return " ".join("".join(mark for mark in decomposed if not unicodedata.combining(mark)).casefold().split())


@lru_cache(maxsize=1)
def _names() -> dict[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    for record in table("3166-1"):
        for field in ("alpha_2", "alpha_3", "name", "official_name", "common_name"):
            if field in record:
                names.setdefault(plain(record[field]), set()).add(record["alpha_2"])
    for name, code in _ALSO.items():
        names.setdefault(name, set()).add(code)
    return {name: frozenset(codes) for name, codes in names.items()}


@lru_cache(maxsize=4096)
def country_readings(text: str) -> frozenset[str]:
    """The ISO 3166 alpha-2 codes of the countries `text` may name; empty where it names none."""
    return _names().get(plain(text), frozenset()) if len(text) <= 80 else frozenset()


def loose(text: str) -> frozenset[str]:
    """The country that `text` is a loose name of; empty for every other text."""
    code = _LOOSE.get(plain(text)) if len(text) <= 40 else None
    return frozenset({code}) if code else frozenset()
