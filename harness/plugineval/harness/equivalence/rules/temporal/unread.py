"""A time against a text that nobody here can read as one: another language, a feast day, or no time at all."""

import re

from plugineval.harness.equivalence.rules.temporal.evidence import evidence_at
from plugineval.harness.equivalence.rules.temporal.foreign import read_foreign
from plugineval.harness.equivalence.rules.temporal.moments import Moment
from plugineval.harness.equivalence.rules.temporal.points import compare_points
from plugineval.harness.equivalence.rules.temporal.traits import traits_of
from plugineval.harness.equivalence.rules.temporal.words import normal
from plugineval.harness.equivalence.rules.temporal.zones import ZoneText
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling

_SPEAKS_OF_TIME = re.compile(
    r"\d|[^\x00-\x7f]|\b(?:time|day|days|date|night|tonight|morning|noon|afternoon|evening|eve|dawn|dusk|sunrise|sunset"
    r"|week|weeks|weekend|month|months|year|years|quarter|hour|hours|minutes?|century|season|spring|summer|autumn|fall"
    r"|winter|now|later|soon|asap|immediately|end|beginning|start|christmas|xmas|easter|thanksgiving|halloween"
    r"|valentine\S*|ramadan|eid|diwali|hanukkah|holidays?|birthday|anniversary|lunch|dinner|breakfast|after|before)\b"
)


def against_unread(moment: Moment | None, zone: ZoneText | None, other: str, place: Place) -> Ruling | None:
    """The ruling on a time and an unread text; None where the place does not ask for such a time."""
    plain, traits = normal(other), traits_of(place)
    if not plain:
        return None
    if zone is not None and traits.zone:
        return _zone_and_text(plain)
    if moment is None or not traits.moment or not (moment.evident or traits.named):
        return None
    foreign = read_foreign(plain, place.context.now)
    if foreign is not None:
        return compare_points(moment, foreign, evidence_at(place))
    if _SPEAKS_OF_TIME.search(plain):
        return Ruling(Agreement.UNSURE, "dates.unread", f"`{other}` may name a time in other words", temporal=True)
    return Ruling(Agreement.DIFFERENT, "dates.no_time", f"`{other}` names no time", temporal=True)


def _zone_and_text(other: str) -> Ruling:
    if "/" in other:
        return Ruling(Agreement.DIFFERENT, "zones.no_such_zone", f"`{other}` is no time zone", temporal=True)
    return Ruling(Agreement.UNSURE, "zones.unread", f"`{other}` may name the zone in other words", temporal=True)
