"""One query text, read once: every kind of value that stands in it, each found on first use and then kept."""

from datetime import datetime
from functools import cached_property, lru_cache

from plugineval.clients.baseline.spotting.expressions import expressions_in, spoken_in
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.moments import dates_in, datetimes_in, times_in
from plugineval.clients.baseline.spotting.numbers import numbers_in
from plugineval.clients.baseline.spotting.spans import (
    emails_in,
    identifiers_in,
    literals_in,
    paths_in,
    quoted_in,
    urls_in,
)
from plugineval.clients.baseline.spotting.zones import zones_in
from plugineval.pccf.examples import Query


class Reading:
    """The values of one text at one clock. Immutable once made; findings are in the order of the text."""

    def __init__(self, text: str, now: datetime | None) -> None:
        self.text = text
        self.now = now

    @cached_property
    def quoted(self) -> list[Found]:
        """Quoted strings."""
        return quoted_in(self.text)

    @cached_property
    def literals(self) -> list[Found]:
        """JSON written out."""
        return literals_in(self.text)

    @cached_property
    def times(self) -> list[Found]:
        """Times of day."""
        return times_in(self.text)

    @cached_property
    def datetimes(self) -> list[Found]:
        """Full timestamps."""
        return datetimes_in(self.text)

    @cached_property
    def dates(self) -> list[Found]:
        """Dates."""
        return dates_in(self.text, self.now)

    @cached_property
    def zones(self) -> list[Found]:
        """Time zones."""
        return zones_in(self.text)

    @cached_property
    def addresses(self) -> list[Found]:
        """E-mail addresses and URLs."""
        return emails_in(self.text) + urls_in(self.text)

    @cached_property
    def emails(self) -> list[Found]:
        """E-mail addresses."""
        return emails_in(self.text)

    @cached_property
    def urls(self) -> list[Found]:
        """URLs."""
        return urls_in(self.text)

    @cached_property
    def paths(self) -> list[Found]:
        """Paths."""
        return [found for found in paths_in(self.text) if not found.within(self.zones + self.datetimes)]

    @cached_property
    def identifiers(self) -> list[Found]:
        """Identifiers that are no part of something else."""
        taken = [*self.datetimes, *self.dates, *self.times, *self.addresses, *self.zones]
        return [found for found in identifiers_in(self.text) if not found.within(taken)]

    @cached_property
    def numbers(self) -> list[Found]:
        """Numbers that are no part of a time, date, address, path, identifier or quoted string."""
        taken = [*self.datetimes, *self.dates, *self.times, *self.addresses, *self.identifiers, *self.quoted]
        return [found for found in self.all_numbers if not found.within(taken)]

    @cached_property
    def all_numbers(self) -> list[Found]:
        """Every number, wherever it stands."""
        return numbers_in(self.text)

    @cached_property
    def expressions(self) -> list[Found]:
        """Arithmetic, written or spelled, in the order of the text."""
        taken = [*self.datetimes, *self.dates, *self.times, *self.addresses, *self.literals]
        written = [found for found in expressions_in(self.text) if not found.within(taken)]
        spoken = [found for found in spoken_in(self.text, self.numbers) if not found.within(written)]
        return sorted(written + spoken, key=lambda found: found.start)


@lru_cache(maxsize=512)
def _read(text: str, now: datetime | None) -> Reading:
    return Reading(text, now)


def read(query: Query) -> Reading:
    """The reading of the query's last user message at the query's clock."""
    return _read(query.text, query.now)
