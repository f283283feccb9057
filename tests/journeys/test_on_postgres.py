"""The command line on a PostgreSQL server: two runs at once, a crash of the server in mid-run, a kill, a resume."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from doubles.cli import addition, cases_file, endpoint, obedient, plugineval, started
from doubles.mcp_client import Home
from doubles.openai_server import Document, Reply
from doubles.postgres import Postgres
from doubles.store import engine_of

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="a server of the tests' own"),
    pytest.mark.requirement("X3"),
]

CELLS, IN_FLIGHT = 40, 4


@pytest.fixture(scope="module")
def doomed() -> Iterator[Postgres]:
    """A server that nobody else uses."""
    with Postgres.running() as server:
        yield server


@pytest.fixture
def url(doomed: Postgres) -> str:
    """An empty database."""
    return doomed.create()


class Asked:
    """Does what is asked, and something else before the answer to the question with a number."""

    def __init__(self, at: int, do: Callable[[], None]) -> None:
        self.count, self._at, self._do = 0, at, do

    def __call__(self, request: Document) -> Reply:
        self.count += 1
        if self.count == self._at:
            self._do()
        return obedient(request)


def settings(folder: Path, url: str, base_url: str) -> Path:
    """A home that keeps everything on the server."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    table = f'[store]\nurl = "{url}"\n[models.m]\nmodel = "m"\nbase_url = "{base_url}"\n'
    (home / "plugineval.toml").write_text(f"{table}[run]\nrepeats = 1\nconcurrency = {IN_FLIGHT}\n")
    return home


def cells(url: str) -> list[tuple[str, int, int]]:
    """State, rows and different cases of every run."""
    engine = engine_of(url)
    query = (
        "SELECT r.state, count(*), count(DISTINCT g.case_id) FROM runs r JOIN graded g ON g.run_id = r.id "
        "WHERE g.model = 'm' AND g.outcome = 'correct' GROUP BY r.id, r.state"
    )
    with engine.connect() as connection:
        found = [(row[0], row[1], row[2]) for row in connection.execute(text(query))]
    engine.dispose()
    return found


def words(folder: Path, home: Path) -> tuple[object, ...]:
    """A run of a cases file."""
    path = cases_file(folder, [addition(f"c{number}", number) for number in range(CELLS)])
    return ("evaluate", path, "--model", "m", "--home", home, "--json")


def test_a_run_waits_for_a_server_that_crashes_and_pays_for_nothing_twice(
    tmp_path: Path, doomed: Postgres, url: str
) -> None:
    def crash() -> None:
        doomed.kill()
        doomed.start()

    asked = Asked(CELLS // 2, crash)
    with endpoint(asked) as model:
        ended = plugineval(*words(tmp_path, settings(tmp_path, url, model.base_url)))
    assert ended.code == 0, ended
    assert cells(url) == [("completed", CELLS, CELLS)]
    assert asked.count == CELLS
    assert url.split(":")[2].split("@", maxsplit=1)[0] not in ended.out + ended.err


def test_of_two_processes_on_one_server_one_is_killed_and_both_runs_are_whole(tmp_path: Path, url: str) -> None:
    running: list[subprocess.Popen[str]] = []

    def kill_one() -> None:
        running[0].kill()

    asked = Asked(CELLS, kill_one)
    with endpoint(asked) as model:
        home = settings(tmp_path, url, model.base_url)
        command = words(tmp_path, home)
        running += [started(*command), started(*command)]
        for process in running:
            process.communicate()
        victim, survivor = running
        assert survivor.returncode == 0
        if victim.returncode:
            ended = plugineval("resume", "--last", "--home", home, "--json")
            assert ended.code == 0, ended
            assert ended.printed["rows"] == CELLS
    assert cells(url) == [("completed", CELLS, CELLS)] * 2
    assert asked.count <= 2 * CELLS + IN_FLIGHT


def test_a_benchmark_is_built_while_its_server_crashes_and_is_measured_and_reported(
    doomed: Postgres, url: str, new_home: Callable[..., Home]
) -> None:
    whole, other = new_home("whole"), new_home("other", DELAY="0.02")
    for home in (whole, other):
        where = url if home is other else doomed.create()
        with (home.path / "plugineval.toml").open("a") as file:
            file.write(f'[store]\nurl = "{where}"\n')
    build = ("build", "--plugin", "counting", "--name", "lengths", "--size", 6, "--json", "--home")
    reference = plugineval(*build, whole.path).printed
    process = started(*build, other.path)
    calls = other.path / "calls.txt"
    while process.poll() is None and not (calls.exists() and len(calls.read_text().splitlines()) > 5):
        os.sched_yield()
    doomed.kill()
    doomed.start()
    out, err = process.communicate()
    assert process.returncode == 0, err
    built = json.loads(out)
    assert [built[name] for name in ("examples", "calls", "coverage")] == [
        reference[name] for name in ("examples", "calls", "coverage")
    ]
    assert len(calls.read_text().splitlines()) == len((whole.path / "calls.txt").read_text().splitlines())
    places = ("--home", other.path, "--json")
    run = plugineval("evaluate", "lengths", "--model", "baseline:lexical", "--repeats", 1, *places).printed
    assert run["rows"] == built["examples"]
    assert plugineval("report", run["run_id"], *places).code == 0
    assert [each["state"] for each in plugineval("runs", *places).printed["runs"]] == ["completed"]
