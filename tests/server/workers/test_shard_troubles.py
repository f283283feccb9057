"""Why a shard failed or was given back is kept with its number, and not only that of the last one."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

import anyio
import pytest

from plugineval.pccf.errors import IncompleteError, InvalidRecordError
from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.store import Store
from plugineval.server.store.shard_notes import ShardPlan
from plugineval.server.store.states import ShardState
from plugineval.server.workers import holding
from plugineval.server.workers.holding import Hold
from plugineval.server.workers.posts import Post

pytestmark = pytest.mark.anyio

LONG = timedelta(hours=1)


@dataclass
class _Context:
    store: Store


@dataclass
class _Post:
    """As much of a post as holding a shard looks at."""

    context: _Context
    places: anyio.CapacityLimiter


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.db")
    yield opened
    opened.close()


async def test_each_failure_and_each_shard_given_back_is_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    job = await store.jobs.create("evaluate", {"run_id": "run-a"}, engine="workers")
    await store.shards.plan(job.id, [ShardPlan(number, "m", number, number + 1, 1) for number in range(3)])
    errors: list[Exception] = [InvalidRecordError("no such tool"), ValueError(), IncompleteError("nobody there")]
    for number, error in enumerate(errors):

        async def measure(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(holding, "measure", measure)
        lease = await store.shards.claim(job.id, number, stale_after=LONG)
        assert lease is not None
        post = cast("Post", _Post(_Context(store), anyio.CapacityLimiter(1)))
        await Hold(post, lease, WorkerOptions(), anyio.Event()).run(lambda event, sentence, **facts: None)
    notes = (await store.troubles.of(job.id)).notes
    assert [(note.what, note.shard) for note in notes] == [("failed", 0), ("failed", 1), ("gave_back", 2)]
    reasons = ("no such tool", "internal error: ValueError", "nobody there")
    assert [reason for reason, note in zip(reasons, notes, strict=True) if reason not in note.reason] == [], notes
    states = (await store.shards.tally(job.id)).states
    assert states == {ShardState.FAILED: 2, ShardState.QUEUED: 1}
