"""States and provinces: "CA" is California only where the argument says state.

Codes are ISO 3166-2. Without the country in front, a code is looked for among the states that people abbreviate
(United States, Canada, Australia) before all others, and evidence in the schema or the query narrows it.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.countries import plain, same_spelling
from plugineval.harness.equivalence.rules.domain.hints import hints, says
from plugineval.harness.equivalence.rules.domain.iso import table
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, overlap, unsure
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_ABBREVIATED = ("US", "CA", "AU")
_EVIDENCE = {
    "US": re.compile(r"\bUSA?\b|\bU\.S\.|\bUnited States\b|\bAmerican?\b"),
    "CA": re.compile(r"\bCanad"),
    "AU": re.compile(r"\bAustrali"),
}


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two states or provinces, where the argument is one and both values are."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.SUBDIVISION not in hints(place):
        return None
    first, second = _narrowed(gold, place), _narrowed(predicted, place)
    return compare(gold, predicted, first, second) if first and second else None


def compare(gold: str, predicted: str, first: frozenset[str], second: frozenset[str]) -> Ruling:
    """A ruling on two names whose readings (ISO 3166-2 codes) are given."""
    if same_spelling(gold, predicted):
        return equal("subdivisions.spelling", "the same code or name in another spelling")
    agreement = overlap(first, second)
    if agreement is Agreement.EQUAL:
        return equal("subdivisions.code", "a code and the name of one state", semantic=True)
    if agreement is Agreement.DIFFERENT:
        return different("subdivisions.another", "another state or province")
    return unsure("subdivisions.ambiguous", "a code or name that several countries use for a state")


def _narrowed(text: str, place: Place) -> frozenset[str]:
    readings = subdivision_readings(text)
    if len(readings) < 2:
        return readings
    spoken = [
        country for country, pattern in _EVIDENCE.items() if says(place, pattern) or pattern.search(place.context.query)
    ]
    narrowed = frozenset(code for code in readings if code[:2] in spoken)
    return narrowed or readings


@lru_cache(maxsize=1)
def _names() -> dict[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    codes: dict[str, set[str]] = {}
    for record in table("3166-2"):
        code = record["code"]
        names.setdefault(plain(record["name"]), set()).add(code)
        names.setdefault(plain(code), set()).add(code)
        if not code[3:].isdigit():
            codes.setdefault(plain(code[3:]), set()).add(code)
    for short, found in codes.items():
        preferred = {code for code in found if code[:2] in _ABBREVIATED}
        names.setdefault(short, set()).update(preferred or found)
    return {name: frozenset(found) for name, found in names.items()}


@lru_cache(maxsize=4096)
def subdivision_readings(text: str) -> frozenset[str]:
    """The ISO 3166-2 codes of the states and provinces `text` may name; empty where it names none."""
    return _names().get(plain(text), frozenset()) if len(text) <= 60 else frozenset()
