"""A run is measured again on its own or by its schedule, and a script hears whether anything moved since."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio
import pytest
from sqlalchemy import text

from doubles.cli import addition, cases_file, endpoint, kill_when, obedient, plugineval, started
from doubles.openai_server import Document, OpenAIServer, Reply, message
from doubles.store import a_benchmark, engine_of
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.schedules.claims import ScheduleState
from plugineval.server.schedules.starting import start_due
from plugineval.server.settings.loading import load_settings
from plugineval.server.store.store import Store
from plugineval.server.workspace import Workspace

pytestmark = pytest.mark.requirement("B27", "X4")

CASES = 30


class Moody:
    """A model that does what it is asked until it `sulks`."""

    def __init__(self) -> None:
        self.sulks = False

    def answer(self, request: Document) -> Reply:
        return message("No.") if self.sulks else obedient(request)


class Place(NamedTuple):
    """A home with a finished run, and a schedule of it that is due since the last midnight."""

    home: Path
    run_id: str

    @classmethod
    def at(cls, home: Path, server: OpenAIServer) -> "Place":
        model = f'[models.fast]\nmodel = "m"\nbase_url = {json.dumps(server.base_url)}\n'
        (home / "plugineval.toml").write_text(model)
        cases = cases_file(home, [addition(f"c{number}", number) for number in range(CASES)])
        done = plugineval("evaluate", cases, "--model", "fast", "--repeats", 1, "--home", home, "--json")
        assert done.code == 0, done
        run_id = str(done.printed["run_id"])
        schedule = f'[[schedules]]\nname = "daily"\nrun = "{run_id}"\nevery = "1d"\n'
        (home / "plugineval.toml").write_text(model + schedule)
        return cls(home, run_id)

    def seen(self, ago: timedelta) -> None:
        """The schedule was first seen so long ago."""
        state = ScheduleState(seen_at=datetime.now(UTC) - ago).model_dump_json()

        async def note() -> None:
            async with Store.open(self.home / "plugineval.db") as store:
                await store.agreements.change("schedule daily", lambda _: (state, None))

        anyio.run(note)


def test_a_run_that_is_measured_again_says_what_moved(tmp_path: Path) -> None:
    moody = Moody()
    with endpoint(moody.answer) as server:
        place = Place.at(tmp_path, server)
        same = plugineval("rerun", place.run_id, "--home", tmp_path, "--json")
        moody.sulks = True
        shown = plugineval("rerun", place.run_id, "--home", tmp_path)
    assert (same.code, shown.code) == (0, 1), (same, shown)
    drift = same.printed["drift"]
    assert (drift["baseline"], drift["moved"], drift["compared"], drift["expired"]) == (place.run_id, False, True, [])
    assert drift["run_id"] == same.printed["run_id"] != place.run_id
    assert f"against {place.run_id}: Moved: recall of fast" in shown.out.replace("\n", " ")
    assert "Then and now" in shown.out


def test_a_run_of_floors_compares_nothing_and_is_no_success(tmp_path: Path) -> None:
    cases = cases_file(tmp_path, [addition("c", 1)])
    floors = ("--model", "baseline:lexical", "--repeats", 1, "--home", tmp_path, "--json")
    run_id = plugineval("evaluate", cases, *floors).printed["run_id"]
    again = plugineval("rerun", run_id, "--home", tmp_path, "--json")
    assert (again.code, again.printed["drift"]["compared"], again.printed["drift"]["moved"]) == (3, False, False)
    assert "both runs measured floors only; nothing to compare" in again.printed["drift"]["sentence"]
    (tmp_path / "plugineval.toml").write_text(f'[[schedules]]\nname = "daily"\nrun = "{run_id}"\nevery = "1d"\n')
    Place(tmp_path, run_id).seen(timedelta(days=1, minutes=5))
    assert plugineval("schedules", "run-due", "--home", tmp_path, "--json").code == 3


def test_a_baseline_that_has_expired_is_said_first(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)

        engine = engine_of(str(tmp_path / "plugineval.db"))
        with engine.begin() as connection:
            body = json.loads(connection.execute(text("SELECT body FROM reports")).scalar_one())
            aged = json.dumps({**body, "expires_at": "2026-01-01T00:00:00Z"})
            connection.execute(text("UPDATE reports SET body = :body"), {"body": aged})
        engine.dispose()
        again = plugineval("rerun", place.run_id, "--home", tmp_path, "--json")
    assert again.printed["drift"]["expired"][0].startswith("date_passed 2026-01-01")


def test_of_several_processes_one_starts_what_is_due_and_makes_up_for_many_times_once(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)
        server.latency_s = 0.05
        place.seen(timedelta(days=9, minutes=5))
        words = ("schedules", "run-due", "--home", tmp_path, "--json")
        processes = [started(*words) for _ in range(2)]
        said = [process.communicate(timeout=120) for process in processes]
        assert [process.returncode for process in processes] == [0, 0], said
        ran = [each for out, _ in said for each in json.loads(out)["started"]]
        assert len(ran) == 1
        assert len(server.requests) == 2 * CASES
        assert plugineval(*words).printed == {"started": []}
        card = plugineval("schedules", "--home", tmp_path, "--json").printed["schedules"][0]
    last = card["last"]
    assert (last["state"], last["drift"]["moved"], last["due"]) == ("completed", False, ran[0]["due"])
    assert last["run_id"] == ran[0]["evaluation"]["run_id"]
    due, following = (datetime.fromisoformat(moment) for moment in (last["due"], card["next_due"]))
    assert following - due == timedelta(days=1)
    assert datetime.now(UTC) - due < timedelta(days=1)


def test_a_drift_is_an_exit_code_for_the_cron_of_the_system(tmp_path: Path) -> None:
    moody = Moody()
    with endpoint(moody.answer) as server:
        place = Place.at(tmp_path, server)
        place.seen(timedelta(days=1, minutes=5))
        moody.sulks = True
        ran = plugineval("schedules", "run-due", "--home", tmp_path)
        listed = plugineval("schedules", "--home", tmp_path)
    assert ran.code == 1, ran
    assert "Moved: recall of fast" in ran.out.replace("\n", " ")
    assert listed.code == 0
    assert listed.out.startswith(f"daily  {place.run_id}, every 1d; next ")
    assert f"against {place.run_id}: Moved: recall of fast" in listed.out


def test_what_cannot_be_planned_is_told_and_waits_for_its_next_time(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)
        settings = tmp_path / "plugineval.toml"
        settings.write_text(settings.read_text().replace(place.run_id, "run-gone"))
        place.seen(timedelta(days=1, minutes=5))
        ran = plugineval("schedules", "run-due", "--home", tmp_path, "--json")
        again = plugineval("schedules", "run-due", "--home", tmp_path, "--json")
        listed = plugineval("schedules", "--home", tmp_path)
    assert (ran.code, again.code, again.printed) == (2, 0, {"started": []})
    assert "run-gone" in ran.printed["started"][0]["error"]
    assert "not started: " in listed.out


def test_a_job_whose_process_died_is_gone_on_with(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)
        place.seen(timedelta(days=1, minutes=5))
        server.latency_s = 0.2
        process = started("schedules", "run-due", "--home", tmp_path, "--json")
        kill_when(lambda: len(server.requests) >= CASES + 12, process)
        server.latency_s = 0
        ran = plugineval("schedules", "run-due", "--home", tmp_path, "--json")
    assert ran.code == 0, ran
    (evaluation,) = [each["evaluation"] for each in ran.printed["started"]]
    assert (evaluation["rows"], evaluation["errors"]) == (CASES, {})
    assert evaluation["calls_replayed"] > 0
    assert len(server.requests) <= 2 * CASES + 16


def test_a_server_starts_what_is_due_in_its_own_engine(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)
        now = datetime.now(UTC)
        settings = load_settings(config=None, home=tmp_path, environ={}, cwd=tmp_path)

        async def serve() -> list[list[str]]:
            async with JobEngine.open(Workspace(settings, environ={}), RUNNERS) as engine:
                look = partial(start_due, engine)
                looks = [await look(now), await look(now + timedelta(hours=23)), await look(now + timedelta(days=3))]
                for found in looks[2]:
                    assert found.job_id is not None
                    await engine.result(found.job_id)
                return [[found.schedule for found in each] for each in looks]

        assert anyio.run(serve) == [[], [], ["daily"]]
    assert len(server.requests) == 2 * CASES
    assert place.run_id


WRONG = """
[[schedules]]
name = "gone"
run = "run-nope"
every = "1d"
[[schedules]]
name = "strange"
benchmark = "nope"
every = "1d"
models = ["fast"]
[[schedules]]
name = "lost"
run = "RUN"
every = "1d"
baseline = "run-older"
[[schedules]]
name = "nobody"
run = "RUN"
every = "1d"
models = ["slow"]
"""


def test_what_keeps_a_schedule_from_starting_is_told_before_it_is_due(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        place = Place.at(tmp_path, server)
        with (tmp_path / "plugineval.toml").open("a") as file:
            file.write(WRONG.replace("RUN", place.run_id))
        cards = plugineval("schedules", "--home", tmp_path, "--json").printed["schedules"]
        listed = plugineval("schedules", "--home", tmp_path).out
        examined = plugineval("doctor", "--home", tmp_path, "--json")
    problems = [card["problem"] for card in cards]
    assert problems[0] == ""
    for problem, name in zip(problems[1:], ("run-nope", "nope", "run-older", "slow"), strict=True):
        assert name in problem
        assert f"cannot start: {problem}" in listed
    found = [each for each in examined.printed["findings"] if each["name"].startswith("schedule ")]
    assert [each["status"] for each in found] == ["ok", *["fail"] * 4]
    assert examined.code == 1
    assert len(server.requests) == CASES


def test_a_schedule_of_a_benchmark_needs_models_and_examples_and_one_benchmark(tmp_path: Path) -> None:
    async def store() -> None:
        async with Store.open(tmp_path / "plugineval.db") as kept:
            for identity, examples in (("benchmark-full-1", 1), ("benchmark-full-2", 1), ("benchmark-empty", 0)):
                await kept.benchmarks.finish(a_benchmark(identity, examples=examples))

    anyio.run(store)
    told = {
        'benchmark = "benchmark-full-1"': 'write models = ["MODEL"] into this schedule, or under [run]',
        'benchmark = "benchmark-full-1"\nmodels = ["baseline:lexical"]': "",
        'benchmark = "benchmark-full"\nmodels = ["baseline:lexical"]': "benchmark-full-2",
        'benchmark = "benchmark-empty"\nmodels = ["baseline:lexical"]': "holds no examples",
    }
    tables = [f'[[schedules]]\nname = "{number}"\nevery = "1d"\n{words}\n' for number, words in enumerate(told)]
    (tmp_path / "plugineval.toml").write_text("".join(tables))
    cards = plugineval("schedules", "--home", tmp_path, "--json").printed["schedules"]
    for card, words in zip(cards, told.values(), strict=True):
        assert words in card["problem"]
        assert bool(card["problem"]) == bool(words)
    (tmp_path / "plugineval.toml").write_text(tables[0].replace('"0"', '"daily"'))
    Place(tmp_path, "").seen(timedelta(days=1, minutes=5))
    (due,) = plugineval("schedules", "run-due", "--home", tmp_path, "--json").printed["started"]
    assert "into this schedule" in due["error"]


def test_the_next_time_that_is_listed_is_the_one_that_is_started(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        Place.at(tmp_path, server)
        settings = load_settings(config=None, home=tmp_path, environ={}, cwd=tmp_path)
        listed = plugineval("schedules", "--home", tmp_path, "--json").printed["schedules"][0]["next_due"]

        async def serve() -> list[datetime]:
            async with JobEngine.open(Workspace(settings, environ={}), RUNNERS) as engine:
                found = await start_due(engine, datetime.fromisoformat(listed) + timedelta(minutes=1))
                for each in found:
                    assert each.job_id is not None
                    await engine.result(each.job_id)
                return [each.due for each in found]

        assert anyio.run(serve) == [datetime.fromisoformat(listed)]
