"""Homes for journeys: one where a benchmark was built and measured, and a way to make others."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import anyio
import pytest

from doubles.mcp_client import Agent, Home, in_memory, plugin_table

COUNTING = Path(__file__).with_name("counting.py")


class Built(NamedTuple):
    """A home that holds one benchmark and one run on it."""

    home: Home
    benchmark_id: str
    run_id: str
    build_job: str
    cases: tuple[str, ...]


def counting_home(path: Path, **plugin_env: str) -> Home:
    """A home whose only plugin writes its calls to `calls.txt` there."""
    environ = {"CALLS": str(path / "calls.txt"), **plugin_env}
    return Home.at(path, plugin_table("counting", COUNTING) + _table(environ))


@pytest.fixture
def new_home(tmp_path: Path) -> Callable[..., Home]:
    """Make a home with the counting plugin, whose environment is given."""

    def make(name: str = "home", **plugin_env: str) -> Home:
        return counting_home(tmp_path / name, **plugin_env)

    return make


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A home with a small benchmark and a run, made once through a client."""
    home = counting_home(tmp_path_factory.mktemp("built"))
    return anyio.run(_build, home)


async def _build(home: Home) -> Built:
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        build = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=6, wait_s=45)
        assert isinstance(build["result"], dict)
        benchmark_id = str(build["result"]["benchmark_id"])
        models = ["baseline:lexical", "degenerate:never-call"]
        run = await agent.call("evaluation_run", benchmark_id=benchmark_id, models=models, repeats=1, wait_s=45)
        assert isinstance(run["result"], dict)
        page = await agent.call("benchmark_get", benchmark_id=benchmark_id)
        assert isinstance(page["items"], list)
        cases = tuple(str(item["id"]) for item in page["items"] if isinstance(item, dict))
        return Built(home, benchmark_id, str(run["result"]["run_id"]), str(build["job_id"]), cases)


def _table(environ: dict[str, str]) -> str:
    return "env = {" + ", ".join(f'{key} = "{value}"' for key, value in environ.items()) + "}\n"
