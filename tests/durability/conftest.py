"""One process that forks for every command, and what runs and builds end with where nobody kills them."""

import json
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from doubles.cli import endpoint
from doubles.doomed import Doom, Evaluation, Kept
from doubles.forks import Forks
from doubles.mcp_client import plugin_table

COUNTING = Path(__file__).parents[1] / "journeys" / "counting.py"
BUILT = ("--plugin", "counting", "--name", "lengths", "--size", 6, "--json")


def content_of(home: Path, benchmark_id: str) -> str:
    """The hash of everything that a benchmark holds; its database is sound."""
    with closing(sqlite3.connect(home / "plugineval.db")) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        query = "select content_hash from benchmarks where id = ?"
        (content,) = connection.execute(query, (benchmark_id,)).fetchone()
    return str(content)


class Reference(NamedTuple):
    """A build that nobody killed."""

    home: Path
    benchmark_id: str
    content: str
    calls: int
    seconds: float


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """What starts commands."""
    started = Forks(tmp_path_factory.mktemp("streams"))
    yield started
    started.close()


@pytest.fixture(scope="session")
def asked(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """What a whole run keeps of its cases."""
    folder = tmp_path_factory.mktemp("whole")
    with endpoint(Doom(random.Random(0))) as server:
        whole = Evaluation.of(forks, folder, server.base_url)
        ended = forks.wait(whole.start())
    return Kept.of(whole.home, json.loads(ended.out)["run_id"]).asked


@pytest.fixture(scope="session")
def counting_home() -> Callable[[Path], Path]:
    """Make a home whose plugin writes down its calls."""

    def make(home: Path) -> Path:
        home.mkdir(parents=True)
        environ = f'env = {{CALLS = "{home / "calls.txt"}", DELAY = "0.01"}}\n'
        (home / "plugineval.toml").write_text(plugin_table("counting", COUNTING) + environ)
        return home

    return make


@pytest.fixture(scope="session")
def reference(
    forks: Forks, counting_home: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Reference:
    """A whole build."""
    home = counting_home(tmp_path_factory.mktemp("reference") / "home")
    began = time.monotonic()
    ended = forks.run("build", *BUILT, "--home", home)
    assert ended.code == 0, ended
    built = json.loads(ended.out)
    calls = len((home / "calls.txt").read_text().splitlines())
    return Reference(
        home, built["benchmark_id"], content_of(home, built["benchmark_id"]), calls, time.monotonic() - began
    )
