"""Dates in languages other than English, read by dateparser, and only where the argument is known to take a date.

The library guesses, so it is asked strictly (day, month and year must all be there) and in both orders of day and
month.
"""

from datetime import date, datetime
from functools import lru_cache

from plugineval.harness.equivalence.rules.temporal.dates import DateText, Written
from plugineval.harness.equivalence.rules.temporal.moments import Moment

_LANGUAGES = [
    "es", "fr", "de", "it", "pt", "nl", "pl", "ru", "uk", "cs", "sv", "da", "nb", "fi", "tr", "ro", "hu", "el",
    "ja", "zh", "ko", "ar", "hi", "id", "vi"
]  # fmt: skip
_LONGEST = 40


@lru_cache(maxsize=4_096)
def read_foreign(text: str, now: datetime | None) -> Moment | None:
    """The day `text` names in one of the languages; None where the library reads none or its two readings are no day.

    Relative words (mañana) need `now`.
    """
    if len(text) > _LONGEST or not any(letter.isalpha() for letter in text):
        return None
    days = {order: _day(text, order, now) for order in ("DMY", "MDY")}
    if not all(days.values()):
        return None
    kept = {day: order for order, day in days.items() if day is not None}
    orders = [("" if len(kept) == 1 else order, day) for day, order in kept.items()]
    return Moment(date=DateText(tuple(Written(o, d.year, d.month, d.day) for o, d in orders), evident=False))


def _day(text: str, order: str, now: datetime | None) -> date | None:
    import dateparser

    clock = now.replace(tzinfo=None) if now else None
    parsers = ["relative-time", "absolute-time"] if clock else ["absolute-time"]
    found = dateparser.parse(
        text,
        languages=_LANGUAGES,
        settings={
            "STRICT_PARSING": True,
            "DATE_ORDER": order,
            "PARSERS": parsers,
            "RELATIVE_BASE": clock or datetime(2000, 1, 1),
        },
    )
    return found.date() if found else None
