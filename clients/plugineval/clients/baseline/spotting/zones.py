"""Time zones in a text: IANA names as written, and cities that name exactly one zone."""

import re
from functools import cache
from zoneinfo import available_timezones

from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.words import each_word

_AREAS = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
_IANA = re.compile(r"(?<![\w/])[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_+\-]*\d*)+")
_PLAIN = re.compile(r"\b(?:UTC|GMT)\b(?![+-]\d)")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
_NOT_CITIES = frozenset(each_word("easter center knox north south east west reunion troll vincent monday march may"))


@cache
def zone_names() -> frozenset[str]:
    """All IANA zone names of this machine."""
    return frozenset(available_timezones())


@cache
def cities() -> dict[str, str]:
    """City in lower case -> its zone, for cities that name one zone only (`new york` -> `America/New_York`)."""
    found: dict[str, list[str]] = {}
    for zone in zone_names():
        if zone.startswith(_AREAS):
            found.setdefault(zone.rsplit("/", 1)[1].replace("_", " ").lower(), []).append(zone)
    return {city: zones[0] for city, zones in sorted(found.items()) if len(zones) == 1 and city not in _NOT_CITIES}


def zones_in(text: str) -> list[Found]:
    """Zones in the order of the text. An IANA-like name that is no zone is kept as written: the plugin decides."""
    found = [Found(m.group(), m.start(), m.end(), "zone name") for m in _IANA.finditer(text)]
    found += [Found(m.group(), m.start(), m.end(), "zone name") for m in _PLAIN.finditer(text)]
    for match in _CAPITALISED.finditer(text):
        city = _city(match)
        if city is not None and not city.within(found):
            found.append(city)
    return sorted(found, key=lambda zone: zone.start)


def _city(match: re.Match[str]) -> Found | None:
    words = match.group().split(" ")
    for size in range(len(words), 0, -1):
        for first in range(len(words) - size + 1):
            name = " ".join(words[first : first + size])
            zone = cities().get(name.lower())
            if zone:
                start = match.start() + len(" ".join(words[:first])) + (first > 0)
                return Found(zone, start, start + len(name), f"city of the zone {zone}")
    return None
