"""`[[schedules]]`: what is measured again, and when. Who starts it, and that only one does, is decided elsewhere."""

import re
from datetime import timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, model_validator

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value
from plugineval.server.settings.run_defaults import MOST_REPEATS
from plugineval.server.settings.source import SettingsSource, kind_of
from plugineval.server.settings.validation import validated

_EVERY = re.compile(r"([1-9][0-9]{0,5}) ?(m|h|d|w)")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_EXAMPLE = '[[schedules]] with name = "nightly", run = "RUN_ID" and cron = "0 3 * * *"'


class Schedule(Value):
    """One measurement that comes again (B27)."""

    name: str = Field(min_length=1)
    run: str | None = None
    """A run: its cases, models and repeats, again; it is the baseline too, unless `baseline` names another."""
    benchmark: str | None = None
    """Or a benchmark, as it is then."""
    models: tuple[str, ...] = ()
    """None: those of the run, or of `[run]`."""
    repeats: int | None = Field(default=None, ge=1, le=MOST_REPEATS)
    baseline: str | None = None
    """The run that each is compared with; None: `run`, or the first one that the schedule made."""
    every: str | None = None
    """A number and m, h, d or w: `12h`; counted from when the schedule was first seen."""
    cron: str | None = None
    """Minute, hour, day of the month, month, day of the week."""
    time_zone: str = "UTC"
    """Of `cron`."""

    @property
    def period(self) -> timedelta | None:
        """Of `every`."""
        found = _EVERY.fullmatch(self.every or "")
        return timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else None

    @property
    def zone(self) -> ZoneInfo:
        """Of `cron`."""
        return ZoneInfo(self.time_zone)

    @property
    def rhythm(self) -> str:
        """When it comes, as it was written."""
        return f"every {self.every}" if self.every else f"cron {self.cron} ({self.time_zone})"

    @property
    def subject(self) -> str:
        """What is measured."""
        return self.run or self.benchmark or ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _one_of("run", self.run, "benchmark", self.benchmark)
        _one_of("every", self.every, "cron", self.cron)
        if self.every is not None and self.period is None:
            raise ConfigurationError("is no time between two runs", field="every", allowed=("30m", "12h", "1d", "2w"))
        try:
            _ = self.zone
        except (ZoneInfoNotFoundError, ValueError) as error:
            step = 'write a name such as "UTC" or "Europe/Berlin"'
            raise ConfigurationError("is no time zone", field="time_zone", next_step=step) from error
        if self.cron is not None and not _is_cron(self.cron):
            step = 'write five fields, such as "0 3 * * 1" (Mondays at three)'
            raise ConfigurationError("is no cron expression", field="cron", next_step=step)
        return self


def read_schedules(source: SettingsSource) -> tuple[Schedule, ...]:
    """Those of the file; `ConfigurationError` for a mistake, or for two of one name."""
    found = source.tables.get("schedules", [])
    if not isinstance(found, list):
        raise source.error(("schedules",), f"must be a list of tables, not {kind_of(found)}", next_step=_EXAMPLE)
    schedules = tuple(_schedule(source, number, table) for number, table in enumerate(found))
    names = [schedule.name for schedule in schedules]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise source.error(("schedules", number, "name"), f"there are two schedules {name!r}")
    return schedules


def _schedule(source: SettingsSource, number: int, table: Json) -> Schedule:
    key = ("schedules", number)
    return validated(source, key, Schedule, source.table(key, table, example=_EXAMPLE))


def _one_of(one: str, said: str | None, other: str, said_too: str | None) -> None:
    if (said is None) == (said_too is None):
        problem = f"stands beside {other}" if said is not None else f"is missing, and so is {other}"
        raise ConfigurationError(problem, field=one, next_step=f"write one of {one} and {other}")


def _is_cron(text: str) -> bool:
    from croniter import croniter

    return len(text.split()) == 5 and croniter.is_valid(text)
