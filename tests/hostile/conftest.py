"""A home with a benchmark, a run and jobs in it, whose one plugin must never start: it would leave its mark.

Beside the home lies a canary: nothing outside of the home may change.
"""

import os
from pathlib import Path
from typing import NamedTuple

import anyio
import pytest

from doubles.mcp_client import Agent, Home, in_memory, plugin_table
from journeys.conftest import counting_home

STARTED = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text('started')"


class Fort(NamedTuple):
    """What is under attack, and the names that an attacker may have learnt."""

    home: Home
    outside: Path
    mark: Path
    names: tuple[str, ...]

    def untouched(self) -> bool:
        """Whether no plugin was started, and nothing lies outside of the home that was not there."""
        return not self.mark.exists() and sorted(os.listdir(self.outside)) == ["canary.txt", "home"]


@pytest.fixture(scope="module")
def fort(tmp_path_factory: pytest.TempPathFactory) -> Fort:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "canary.txt").write_text("untouched")
    home = counting_home(outside / "home")
    names = anyio.run(_names, home)
    mark = outside / "started.txt"
    registered = plugin_table("canary", Path("-c"), STARTED, str(mark)).replace('"-S", ', "")
    Home.at(home.path, registered)
    return Fort(home, outside, mark, names)


async def _names(home: Home) -> tuple[str, ...]:
    """Build and measure; the ids of everything there is then."""
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        build = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=3, wait_s=45)
        assert isinstance(build["result"], dict)
        benchmark = str(build["result"]["benchmark_id"])
        run = await agent.call(
            "evaluation_run", benchmark_id=benchmark, models=["baseline:lexical"], repeats=1, wait_s=45
        )
        assert isinstance(run["result"], dict)
        page = await agent.call("benchmark_get", benchmark_id=benchmark, limit=1)
        assert isinstance(page["items"], list)
        assert isinstance(page["items"][0], dict)
        case = str(page["items"][0]["id"])
        return (benchmark, "lengths", case, str(run["result"]["run_id"]), str(build["job_id"]))
