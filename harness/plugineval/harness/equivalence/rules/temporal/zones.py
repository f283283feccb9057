"""Time zones: IANA names and their renamings, UTC and its spellings, fixed offsets, and abbreviations.

Two zones that keep the same time today are two zones; an abbreviation (EST, CST) is several, so it settles little.
Which names are renamings and which zones use an abbreviation is read from the installed tz database, never listed here.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"(?:utc|gmt)?\s*(?P<sign>[+-])(?P<h>\d{1,2})(?::?(?P<m>\d{2}))?")
_UTC = {
    "z", "utc", "gmt", "etc/utc", "etc/gmt", "zulu", "universal", "coordinated universal time", "uct", "gmt0", "utc0",
    "etc/universal", "etc/zulu", "etc/greenwich", "greenwich", "etc/gmt0", "greenwich mean time"
}  # fmt: skip
_ABBREVIATION = re.compile(r"[a-z]{3,5}")
_NAME = re.compile(r"[a-z]+(?:[/_+-][a-z0-9_+-]+)+")
_YEAR = 2026
"""The year whose two halves stand for a zone's habits where no moment is given."""


class ZoneText(NamedTuple):
    """A zone as written: exactly one of the three is given."""

    name: str | None = None
    """IANA name, renamings followed."""
    offset: timedelta | None = None
    abbreviation: str | None = None
    written: str = ""
    """The IANA name before renamings were followed."""

    @property
    def evident(self) -> bool:
        """Whether it is a place's zone by its name: Area/City."""
        return self.name is not None and "/" in self.written


@lru_cache(maxsize=8_192)
def read_zone(text: str) -> ZoneText | None:
    """The zone `text` (in normal spelling) names; None for anything else."""
    if text in _UTC:
        return ZoneText(offset=timedelta(0))
    found = _OFFSET.fullmatch(text)
    if found:
        return _fixed(found)
    if _NAME.fullmatch(text.replace(" ", "_")) or text in _folded():
        written = _folded().get(text.replace(" ", "_"))
        return ZoneText(name=_renamed(written), written=written) if written else None
    if _ABBREVIATION.fullmatch(text) and text.upper() in zones_by_abbreviation():
        return ZoneText(abbreviation=text.upper())
    return None


def _fixed(found: re.Match[str]) -> ZoneText | None:
    length = timedelta(hours=int(found["h"]), minutes=int(found["m"] or 0))
    if length > timedelta(hours=14):
        return None
    return ZoneText(offset=-length if found["sign"] == "-" else length)


def offsets(zone: ZoneText, moment: datetime) -> frozenset[timedelta]:
    """The offsets `zone` may have at a wall-clock `moment` (naive); an abbreviation also as people use it all year."""
    if zone.offset is not None:
        return frozenset({zone.offset})
    if zone.name is not None:
        return frozenset({_offset(ZoneInfo(zone.name), moment)})
    users = zones_by_abbreviation().get(zone.abbreviation or "", {})
    return frozenset({*users.values(), *(_offset(ZoneInfo(name), moment) for name in users)})


def habits(zone: ZoneText) -> frozenset[timedelta]:
    """All offsets of a zone over one year."""
    return frozenset(offset for month in (1, 4, 7, 10) for offset in offsets(zone, datetime(_YEAR, month, 15, 12)))


def _offset(zone: tzinfo, moment: datetime) -> timedelta:
    return zone.utcoffset(moment) or timedelta(0)


def merged(first: ZoneText, second: ZoneText) -> bool:
    """Whether the database keeps two places' zones as one since 1970 (Oslo and Berlin), though both have their own."""
    return first.name == second.name and first.written != second.written and _both_places(first, second)


def _both_places(first: ZoneText, second: ZoneText) -> bool:
    return first.written in _places() and second.written in _places()


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple((files("tzdata.zoneinfo") / name).read_text(encoding="utf-8").splitlines())


@cache
def _links() -> dict[str, str]:
    """Alias -> target, as the database links them."""
    rows = (line.split() for line in _lines("tzdata.zi") if line.startswith("L "))
    return {row[2]: row[1] for row in rows}


@cache
def _places() -> frozenset[str]:
    """Names under which a country's place keeps its time today (a renamed zone is not among them)."""
    return frozenset(line.split("\t")[2] for line in _lines("zone.tab") if line and not line.startswith("#"))


@cache
def _folded() -> dict[str, str]:
    """Every IANA name by its case-folded form; abbreviations that are also names (EST, CET) are left out."""
    zones = (line.split()[1] for line in _lines("tzdata.zi") if line.startswith("Z "))
    names = {*zones, *_links()}
    return {name.casefold(): name for name in names if "/" in name or len(name) > 4 or name in {"Cuba", "Iran"}}


def _renamed(name: str) -> str:
    return _links().get(name, name)


@cache
def zones_by_abbreviation() -> dict[str, dict[str, timedelta]]:
    """For each abbreviation in use: the places' zones that use it, with their offset then."""
    found: dict[str, dict[str, timedelta]] = {}
    for place in _places():
        zone = ZoneInfo(place)
        for month in (1, 7):
            moment = datetime(_YEAR, month, 15, 12, tzinfo=UTC).astimezone(zone)
            found.setdefault(moment.tzname() or "", {})[place] = moment.utcoffset() or timedelta(0)
    return {name: zones for name, zones in found.items() if name.isalpha()}
