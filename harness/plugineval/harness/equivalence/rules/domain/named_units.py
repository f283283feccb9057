"""The unit that an argument itself names: `distance_km`, "Length in metres", "Weight (kg)".

Two different units named in one description name none.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import name_words
from plugineval.harness.equivalence.rules.domain.units import unit_readings
from plugineval.harness.equivalence.verdicts import Place

_BRACKETED = re.compile(r"[(\[]\s*(?:in\s+)?([^()\[\]\d]{1,24}?)\s*[)\]]")
_SPOKEN = re.compile(
    r"\b(?:in|unit:|measured in|expressed in)\s+((?:degrees?\s+)?[A-Za-zµμ°²³/%^]+(?:\s+per\s+\w+)?(?:\s+\w+)?)"
)
_LETTERS = {"m", "g"}
"""Single letters that name a unit at the end of a name (`height_m`); others are initials."""
_MEASURED = {"distance", "length", "width", "height", "depth", "radius", "altitude", "elevation", "weight", "mass"}


def unit_of(place: Place) -> frozenset[str]:
    """The unit (all readings of its spelling) a bare number has at this place; empty where it is not said."""
    return _unit_of(place.name, place.description)


@lru_cache(maxsize=2048)
def _unit_of(name: str, description: str) -> frozenset[str]:
    last = re.split(r"[_\-\s]|(?<=[a-z])(?=[A-Z])", name)
    if len(last) > 1:
        found = _by_name(last, name)
        if found:
            return found
    spoken = {units for units in map(_longest, _candidates(description)) if units}
    return spoken.pop() if len(spoken) == 1 else frozenset()


def _by_name(parts: list[str], name: str) -> frozenset[str]:
    for count in (3, 2, 1):
        text = " ".join(parts[-count:])
        if len(parts) > count and (len(text) > 1 or (text in _LETTERS and name_words(name) & _MEASURED)):
            found = unit_readings(text)
            if found:
                return found
    return frozenset()


def _candidates(description: str) -> list[str]:
    return [*_BRACKETED.findall(description), *_SPOKEN.findall(description)]


def _longest(phrase: str) -> frozenset[str]:
    words = phrase.split()
    for count in range(len(words), 0, -1):
        text = " ".join(words[:count]).strip(".,;:")
        found = unit_readings(text) if len(text) > 1 and text.lower() != "in" else frozenset[str]()
        if found:
            return found
    return frozenset()
