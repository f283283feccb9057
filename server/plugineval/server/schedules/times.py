"""When a schedule is due: pure arithmetic over its rhythm and the moment since which it is known."""

from datetime import UTC, datetime, timedelta

from plugineval.server.settings.schedules import Schedule


def last_due(schedule: Schedule, since: datetime, now: datetime) -> datetime | None:
    """The newest time after `since` that is not after `now`: however many were missed, one is made up for."""
    period = schedule.period
    if period is None:
        # The second that has begun counts: croniter looks before a moment, never at it.
        before = now.replace(microsecond=0) + timedelta(seconds=1)
        found = _cron(schedule, before, forward=False)
    else:
        found = since + (now - since) // period * period
    return found if since < found <= now else None


def next_due(schedule: Schedule, since: datetime, now: datetime) -> datetime:
    """The first time after `now`."""
    period = schedule.period
    if period is None:
        return _cron(schedule, now, forward=True)
    return since + ((now - since) // period + 1) * period


def _cron(schedule: Schedule, moment: datetime, *, forward: bool) -> datetime:
    from croniter import croniter

    walk = croniter(schedule.cron or "", moment.astimezone(schedule.zone))
    found: datetime = walk.get_next(datetime) if forward else walk.get_prev(datetime)
    return found.astimezone(UTC)
