"""Names of places: another spelling, another language, a former name or a longer form is unsure, never guessed.

Two states behind one town name are different, and so is a town that lost the "New" of its name.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.aliases import follows
from plugineval.harness.equivalence.rules.domain.countries import country_readings, plain
from plugineval.harness.equivalence.rules.domain.hints import hints, name_words
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.subdivisions import subdivision_readings
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_NAMES_OF_ONE = """
mumbai|bombay, chennai|madras, kolkata|calcutta, bengaluru|bangalore, pune|poona, varanasi|benares, beijing|peking
guangzhou|canton, nanjing|nanking, tianjin|tientsin, ho chi minh city|saigon|hcmc, yangon|rangoon, dhaka|dacca
istanbul|constantinople|byzantium, saint petersburg|leningrad|petrograd|st petersburg, volgograd|stalingrad
kyiv|kiev, odesa|odessa, lviv|lvov|lemberg|lwow, kharkiv|kharkov, tbilisi|tiflis, gdansk|danzig, wroclaw|breslau
munich|munchen|muenchen, cologne|koln|koeln, nuremberg|nurnberg|nuernberg, hanover|hannover, vienna|wien
zurich|zuerich, geneva|geneve|genf, basel|basle|bale, lucerne|luzern, bern|berne, prague|praha|prag, warsaw|warszawa
krakow|cracow, rome|roma, milan|milano, florence|firenze, venice|venezia, naples|napoli, turin|torino, genoa|genova
lisbon|lisboa, porto|oporto, seville|sevilla, copenhagen|kobenhavn|koebenhavn, gothenburg|goteborg|goeteborg
the hague|den haag|s-gravenhage, antwerp|antwerpen|anvers, brussels|bruxelles|brussel, ghent|gent|gand
bruges|brugge, athens|athina, thessaloniki|salonica, bucharest|bucuresti, belgrade|beograd, moscow|moskva
helsinki|helsingfors, turku|abo, tallinn|reval, cairo|al qahirah, jakarta|batavia, seoul|hanseong, tokyo|edo
new york city|big apple|the big apple|nyc|new york, los angeles|la|l.a.|city of angels, san francisco|sf|frisco
washington|dc|d.c.|washington dc|washington d.c., las vegas|vegas, philadelphia|philly, new orleans|nola|the big easy
chicago|windy city|the windy city, paris|city of light, rio de janeiro|rio, kuala lumpur|kl, hong kong|hk
mexico city|cdmx|ciudad de mexico, astana|nur-sultan, harare|salisbury, maputo|lourenco marques, izmir|smyrna
"""
_CODE = re.compile(r"[A-Z]{2,4}")
_SAME_PLACE = {"delhi"}
"""New Delhi is a part of Delhi."""
_GEOGRAPHIC = {"city", "town", "location", "destination", "airport", "station", "district", "village", "country"}
_GEOGRAPHY = re.compile(r"\b(?:city|town|location|airport|station|place)\b", re.IGNORECASE)
_ALIKE = 70.0
_LONGEST = 80


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two names of places, where the argument is one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.PLACE not in hints(place):
        return None
    first, second = plain(gold), plain(predicted)
    if first == second or max(len(gold), len(predicted)) > _LONGEST or not _name(first) or not _name(second):
        return None
    if _commas(first) == _commas(second):
        return equal("places.spelling", "the same name with other spaces at its commas")
    return _qualified(first, second) or _known(gold, predicted) or _related(first, second, place)


def _commas(text: str) -> str:
    return re.sub(r"\s*,\s*", ",", text)


def _name(text: str) -> bool:
    return any(sign.isalpha() for sign in text) and not any(sign.isdigit() for sign in text)


def _qualified(gold: str, predicted: str) -> Ruling | None:
    """Regions behind one name ("Springfield, IL" and ", Missouri"), and "New York" against "York"."""
    head, _, tail = gold.rpartition(",")
    other_head, _, other_tail = predicted.rpartition(",")
    if head and head.strip() == other_head.strip():
        states, others = _region(tail.strip()), _region(other_tail.strip())
        if states and others and not any(_within(one, other) for one in states for other in others):
            return different("places.region", "the same name in another region")
        return unsure("places.region", "the same name, its region written in another way")
    longer, shorter = sorted((gold, predicted), key=len, reverse=True)
    if longer == f"new {shorter}" and shorter not in _SAME_PLACE:
        return different("places.namesake", "the old place is not the new one")
    return None


def _within(one: str, other: str) -> bool:
    """Whether one ISO code is the other or a part of it: US-MA lies in US."""
    return one.split("-")[: len(other.split("-"))] == other.split("-")[: len(one.split("-"))]


def _region(text: str) -> frozenset[str]:
    return subdivision_readings(text) | country_readings(text)


def _known(gold: str, predicted: str) -> Ruling | None:
    first, second = country_readings(gold), country_readings(predicted)
    if first and second:
        if first & second:
            return unsure("places.country", "two names of one country")
        return different("places.country", "another country") if min(len(gold), len(predicted)) > 3 else None
    names = _one_place().get(plain(gold))
    if names is not None and names == _one_place().get(plain(predicted)):
        return unsure("places.renamed", "names of one place in two languages or two ages")
    codes = [bool(_CODE.fullmatch(text.strip())) for text in (gold, predicted)]
    return unsure("places.code", "a code against a name") if codes[0] != codes[1] else None


def _related(gold: str, predicted: str, place: Place) -> Ruling | None:
    first, second = _words(gold), _words(predicted)
    if follows(first, second) or follows(second, first) or set(first) == set(second):
        return unsure("places.longer", "one name is a part of the other")
    geographic = name_words(place.name) & _GEOGRAPHIC or _GEOGRAPHY.search(place.description)
    if gold[0] != predicted[0] or not geographic or not _alike(gold, predicted):
        return None
    # Two names that the query tells apart are two places.
    if all(_mentioned(name, place.context.lower_query) for name in (gold, predicted)):
        return None
    return unsure("places.alike", "names that are written alike: another spelling or another place")


@lru_cache(maxsize=4096)
def _alike(gold: str, predicted: str) -> bool:
    from rapidfuzz.fuzz import ratio

    return ratio(gold, predicted) >= _ALIKE


def _mentioned(name: str, query: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", query) is not None


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text))


@lru_cache(maxsize=1)
def _one_place() -> dict[str, int]:
    groups = [group.strip() for line in _NAMES_OF_ONE.strip().splitlines() for group in line.split(", ")]
    return {name: number for number, group in enumerate(groups) for name in group.split("|")}
