"""Processes that measure at the same time keep an endpoint within its limits together, and use them up."""

from pathlib import Path
from typing import NamedTuple

import anyio
import pytest

from doubles.cli import endpoint, started
from doubles.openai_server import OpenAIServer
from doubles.postgres import Postgres
from doubles.shared_endpoint import Strict, additions, settings_file
from plugineval.clients.models.pace import LEASE_S, PaceLimits, Told
from plugineval.server.sharing.stored_pace import StoredPace
from plugineval.server.store.store import Store

PER_S, PLACES, CALLS = 20.0, 8, 120
LIMITS = {"requests_per_minute": PER_S * 60, "concurrency": PLACES}


class Home(NamedTuple):
    """What both processes are given."""

    cases: Path
    config: Path

    @classmethod
    def at(cls, folder: Path, server: OpenAIServer, url: str) -> "Home":
        return cls(additions(folder, CALLS), settings_file(folder, server, url, **LIMITS))

    @property
    def words(self) -> tuple[object, ...]:
        asked = ("--model", "fast", "--repeats", 1, "--concurrency", 16, "--no-preflight", "--json")
        return ("evaluate", self.cases, *asked, "--config", self.config, "--home", self.config.parent)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'shared.db'}"
    server = request.getfixturevalue("postgres")
    assert isinstance(server, Postgres)
    return server.create()


def test_two_processes_stay_within_the_rate_and_the_places_of_one_endpoint(url: str, tmp_path: Path) -> None:
    strict = Strict(per_s=PER_S, burst=1.5 * PER_S)
    with endpoint(strict.answer) as server:
        server.latency_s = 0.3
        home = Home.at(tmp_path, server, url)
        processes = [started(*home.words) for _ in range(2)]
        said = [process.communicate(timeout=120) for process in processes]
        assert [process.returncode for process in processes] == [0, 0], said
        assert len(strict.answered) == 2 * CALLS
        assert strict.refused == []
        assert server.most_in_flight <= PLACES
        assert 0.85 * PER_S <= strict.rate <= 1.1 * PER_S


def test_the_share_of_a_killed_process_comes_back(url: str, tmp_path: Path) -> None:
    strict = Strict(per_s=PER_S, burst=1.5 * PER_S)
    with endpoint(strict.answer) as server:
        # So slow that the rate is reached with all places only.
        server.latency_s = PLACES / PER_S * 1.2
        home = Home.at(tmp_path, server, url)
        survivor, killed = started(*home.words), started(*home.words)
        while len(strict.answered) < CALLS / 2:
            assert survivor.poll() is None, survivor.communicate()
            anyio.run(anyio.sleep, 0.05)
        killed.kill()
        killed.communicate()
        out, err = survivor.communicate(timeout=120)
        assert survivor.returncode == 0, (out, err)
        assert strict.refused == []
        assert server.most_in_flight <= PLACES + PLACES
        last = strict.answered[-40:]
        assert 39 / (last[-1] - last[0]) >= 0.85 * PLACES / server.latency_s


@pytest.mark.anyio
async def test_a_process_that_left_without_a_word_is_forgotten_by_the_clock_of_the_database(url: str) -> None:
    async with Store.open(url) as store:
        pace, limits = StoredPace(store), PaceLimits(4, None, None)
        assert (await pace.meet("http://h", "a", limits, Told(wanted=4))).places == 4
        assert (await pace.meet("http://h", "b", limits, Told(wanted=4))).places == 0
        with anyio.fail_after(2 * LEASE_S):
            while not (await pace.meet("http://h", "b", limits, Told(wanted=4))).places:
                await anyio.sleep(0.2)
        await pace.leave("http://h", "b")
        assert pace.meetings >= 4
