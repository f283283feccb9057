"""Cities that the time zone database tells apart: Paris is not London, whatever the words look like.

Two names are different cities only where each has a zone with data of its own: renamed cities (Calcutta and Kolkata)
and neighbours with one clock share theirs and stay open.
"""

from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.harness.equivalence.wording import loose
from plugineval.pccf.values import Json

_REGIONS = frozenset({"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"})


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two names where a place is asked for."""
    if not isinstance(gold, str) or not isinstance(predicted, str) or Kind.PLACE not in hints(place):
        return None
    one, other = loose(gold), loose(predicted)
    zones = _zones()
    if one not in zones or other not in zones or _data(zones[one]) == _data(zones[other]):
        return None
    return Ruling(Agreement.DIFFERENT, "places.zone_cities", "cities with clocks of their own")


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    from zoneinfo import available_timezones

    pairs = [(name.split("/"), name) for name in sorted(available_timezones())]
    return {
        parts[1].replace("_", " ").casefold(): name for parts, name in pairs if len(parts) == 2 and parts[0] in _REGIONS
    }


@lru_cache(maxsize=1024)
def _data(zone: str) -> bytes:
    from importlib.resources import files

    region, city = zone.split("/")
    return files("tzdata.zoneinfo").joinpath(region, city).read_bytes()
