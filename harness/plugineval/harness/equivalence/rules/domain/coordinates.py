"""Positions on Earth: one notation for decimal degrees, hemispheres, and degrees with minutes and seconds.

A changed sign or exchanged latitude and longitude is another place. A rounded position is unsure: how far a tool
looks around is its own business.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.amounts import exact
from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_ANGLE = re.compile(
    r"\s*([NSEW])?\s*([+\-−]?\d{1,3}(?:\.\d+)?)\s*(?:°|º|deg(?:rees?)?)?"
    r"\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:'|′|’))?\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|″|”|''))?\s*(North|South|East|West|[NSEW])?\s*",
    re.IGNORECASE,
)
_NOISE = Fraction(1, 10**7)
_ROUNDING = Fraction(1, 100)
_LATITUDES = ("lat", "latitude")
_LONGITUDES = ("lon", "lng", "long", "longitude")
_SINGLE = frozenset({Kind.LATITUDE, Kind.LONGITUDE})


class Position(NamedTuple):
    """Degrees north and east; `named` where the notation says which is which."""

    latitude: Fraction
    longitude: Fraction
    named: bool


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two positions in one value each, or two latitudes or longitudes."""
    said = hints(place)
    if said & _SINGLE and (found := _angles(gold, predicted, place)):
        return found
    if isinstance(gold, list) and isinstance(predicted, list):
        return None
    if not said & {Kind.COORDINATES, Kind.PLACE} and not all(
        isinstance(value, str) and Kind.COORDINATES in shapes(value) for value in (gold, predicted)
    ):
        return None
    first, second = read_position(gold), read_position(predicted)
    return _positions(first, second) if first and second else None


def _angles(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    first, second = _angle_of(gold), _angle_of(predicted)
    if first is None or second is None:
        return None
    return _gap((first,), (second,), notation=isinstance(gold, str) or isinstance(predicted, str))


def _positions(gold: Position, predicted: Position) -> Ruling:
    first, second = gold[:2], predicted[:2]
    ruling = _gap(first, second, notation=True)
    swapped = _gap(first, second[::-1], notation=True)
    if ruling.rule != "coordinates.notation" and swapped.rule == "coordinates.notation":
        if gold.named and predicted.named:
            return different("coordinates.swapped", "latitude and longitude exchanged")
        return different("coordinates.swapped", "the two numbers in exchanged order")
    return ruling


def _gap(gold: Sequence[Fraction], predicted: Sequence[Fraction], *, notation: bool) -> Ruling:
    gaps = [abs(first - second) for first, second in zip(gold, predicted, strict=True)]
    if max(gaps) <= _NOISE:
        return equal("coordinates.notation", "the same position" if notation else "the same number")
    if any(first and abs(first + second) <= _NOISE for first, second in zip(gold, predicted, strict=True)):
        return different("coordinates.sign", "another hemisphere")
    if max(gaps) <= _ROUNDING:
        return unsure("coordinates.rounding", "positions that differ by about a kilometre or less")
    return different("coordinates.position", "another position")


def _angle_of(value: Json) -> Fraction | None:
    if isinstance(value, str):
        angle = read_angle(value)
        return angle[0] if angle else None
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@lru_cache(maxsize=2048)
def read_angle(text: str) -> tuple[Fraction, str] | None:
    """Signed decimal degrees and the hemisphere letter (empty where none is written); None where it is no angle."""
    found = _ANGLE.fullmatch(text) if len(text) <= 50 else None
    if found is None or (found[1] and found[5]):
        return None
    degrees = Fraction(found[2].replace("−", "-"))
    part = Fraction(found[3] or 0) / 60 + Fraction(found[4] or 0) / 3600
    letter = (found[1] or found[5] or "")[:1].upper()
    degrees += -part if found[2].startswith(("-", "−")) else part
    return -degrees if letter and letter in "SW" else degrees, letter


def read_position(value: Json) -> Position | None:
    """A position from text, from a pair of numbers or from an object with a latitude and a longitude."""
    if isinstance(value, str):
        return _read_text(value)
    if isinstance(value, list) and len(value) == 2:
        return _of_pair(value[0], value[1], named=False)
    if isinstance(value, dict):
        latitude = next((value[name] for name in _LATITUDES if name in value), None)
        longitude = next((value[name] for name in _LONGITUDES if name in value), None)
        return _of_pair(latitude, longitude, named=True)
    return None


def _of_pair(latitude: Json, longitude: Json, *, named: bool) -> Position | None:
    first, second = _angle_of(latitude), _angle_of(longitude)
    return Position(first, second, named) if first is not None and second is not None else None


@lru_cache(maxsize=2048)
def _read_text(text: str) -> Position | None:
    if len(text) > 80:
        return None
    body = text.strip().strip("()[]")
    parts = [part for part in re.split(r"[,;]", body) if part.strip()]
    if len(parts) != 2:
        parts = re.findall(r"[^NSEW]*[NSEW]", body) if re.search(r"[NS].*[EW]|[EW].*[NS]", body) else []
    angles = [angle for angle in map(read_angle, parts) if angle]
    if len(parts) != 2 or len(angles) != 2:
        return None
    (first, letter), (second, other) = angles
    if letter in {"E", "W"} and other in {"N", "S"}:
        return Position(second, first, named=True)
    return Position(first, second, named=bool(letter and other)) if bool(letter) == bool(other) else None
