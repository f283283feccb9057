"""A home is opened once, when it is needed; what keeps it from being opened is said to everyone who asks."""

from pathlib import Path

import anyio
import pytest

from doubles.scripted_jobs import workspace_of
from plugineval.pccf.errors import StoreError
from plugineval.server.store.store import Store

pytestmark = pytest.mark.anyio


async def test_all_who_ask_at_once_get_the_same_store(tmp_path: Path) -> None:
    workspace = workspace_of(tmp_path)
    stores: list[Store] = []

    async def ask() -> None:
        stores.append(await workspace.store())

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(ask)
    await workspace.aclose()
    assert len(stores) == 4
    assert len(set(map(id, stores))) == 1


async def test_a_store_that_cannot_be_opened_is_refused_each_time_until_it_can(tmp_path: Path) -> None:
    (tmp_path / "plugineval.db").write_text("this is no database, whatever its name says", encoding="utf-8")
    workspace = workspace_of(tmp_path)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"plugineval\.db"):
            await workspace.store()
    (tmp_path / "plugineval.db").unlink()
    assert await workspace.store()
    await workspace.aclose()


async def test_a_store_whose_dead_jobs_cannot_be_released_is_not_kept_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_of(tmp_path)

    async def full(*arguments: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("plugineval.server.store.jobs.JobShelf.mark_interrupted", full)
        with pytest.raises(StoreError, match="the disk is full"):
            await workspace.store()
    assert (await (await workspace.store()).jobs.page()).items == ()
    await workspace.aclose()
