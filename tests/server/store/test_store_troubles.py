"""What kept workers from parts of a job is kept each, with who, when, why and how often, and never without bounds."""

from datetime import UTC, datetime, timedelta

import pytest

from plugineval.server.store import Store
from plugineval.server.store.trouble_notes import MOST, REASON, SHOWN, Trouble, Troubles

pytestmark = pytest.mark.anyio

AT = datetime(2026, 1, 1, tzinfo=UTC)
NO_KEY = Trouble(what="refused", worker="one:1", model="m", reason="KEY is not set")


def test_the_same_trouble_is_counted_and_another_workers_is_kept_beside_it() -> None:
    other = NO_KEY.model_copy(update={"worker": "two:2"})
    found = Troubles().and_also(NO_KEY, AT).and_also(other, AT).and_also(NO_KEY, AT + timedelta(minutes=1))
    assert [(note.worker, note.times, note.first_at) for note in found.notes] == [("two:2", 1, AT), ("one:1", 2, AT)]
    assert found.refusals == ("two:2: KEY is not set", "one:1: KEY is not set")
    assert found.told[-1] == "one:1 refused m (2 times, last 2026-01-01 00:01:00 UTC): KEY is not set"


def test_of_many_troubles_the_latest_are_kept_and_the_others_counted() -> None:
    found = Troubles()
    for number in range(MOST + 10):
        found = found.and_also(Trouble(what="lost", worker="one:1", model="m", shard=number, reason="x" * 999), AT)
    assert (len(found.notes), found.more, found.notes[-1].shard) == (MOST, 10, MOST + 9)
    assert {len(note.reason) for note in found.notes} == {REASON}
    assert (len(found.told), found.told[-1]) == (SHOWN + 1, f"and {MOST + 10 - SHOWN} more")


async def test_troubles_of_a_job_are_read_by_whoever_opens_the_store(store: Store) -> None:
    for trouble in (NO_KEY, Trouble(what="failed", worker="one:1", model="m", shard=3, reason="no such tool")):
        await store.troubles.note("job-a", trouble)
    told = [note.sentence for note in (await store.troubles.of("job-a")).notes]
    assert [sentence.partition(" (")[0] for sentence in told] == ["one:1 refused m", "one:1 failed shard 3 of m"]
    assert (await store.troubles.of("job-b")).notes == ()
