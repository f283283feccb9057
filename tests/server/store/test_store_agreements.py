"""Processes agree through the database: steps of one name never overlap, and the clock is the database's."""

import time
from functools import partial

import anyio
import pytest

from doubles.store import start_script
from plugineval.server.store.agreements import Agreed
from plugineval.server.store.store import Store

pytestmark = [pytest.mark.anyio]

COUNTING = """
import sys, anyio
from plugineval.server.store.store import Store

async def count():
    async with Store.open(sys.argv[1]) as store:
        print("open", flush=True)
        sys.stdin.readline()
        for _ in range(100):
            await store.agreements.change("count", lambda found: (str(int(found.body or 0) + 1), None))

anyio.run(count)
"""


async def test_a_step_is_given_what_the_step_before_it_left_and_nothing_where_there_was_none(store: Store) -> None:
    def note(found: Agreed) -> tuple[str, str]:
        return found.body + "x", found.body

    assert [await store.agreements.change("a", note) for _ in range(3)] == ["", "x", "xx"]
    assert await store.agreements.change("b", note) == ""
    await store.agreements.change("a", lambda _: ("", None))
    assert (await store.agreements.read("a")).body == ""
    assert await store.agreements.change("a", note) == ""


async def test_the_clock_is_that_of_the_database(store: Store) -> None:
    found = [(await store.agreements.read("a")).now, await store.agreements.change("a", lambda found: ("x", found.now))]
    assert found == [pytest.approx(time.time(), abs=5)] * 2
    assert found[0] <= found[1]


async def test_two_processes_lose_no_step(where: str, store: Store) -> None:
    processes = [start_script(COUNTING, where) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        await anyio.to_thread.run_sync(process.stdout.readline)
    said = [await anyio.to_thread.run_sync(partial(each.communicate, "go\n")) for each in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert (await store.agreements.read("count")).body == "200"
