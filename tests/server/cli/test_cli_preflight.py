"""The question before the work: what only a person can mend stops it before anything costs, and says how to mend it."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from doubles.cli import Called, addition, cases_file, endpoint, obedient, plugineval
from doubles.mcp_client import plugin_table
from doubles.openai_server import Document, Reply, message, refusal
from plugineval.pccf.values import Json
from plugineval.server.jobs import preflight

COUNTING = Path(__file__).parents[2] / "journeys" / "counting.py"


def home(folder: Path, base_url: str, *lines: str) -> tuple[object, ...]:
    config = folder / "plugineval.toml"
    config.write_text("\n".join(["[models.m]", f'base_url = "{base_url}"', 'model = "x"', *lines]))
    return ("--config", config, "--home", folder / "home", "--json")


def evaluated(folder: Path, places: tuple[object, ...], *words: object, cells: int = 3) -> Called:
    cases = cases_file(folder, (addition(f"c{number}", number) for number in range(cells)))
    return plugineval("evaluate", cases, "--model", "m", "--repeats", 1, *words, *places)


def first(reply: Callable[[], Reply]) -> Callable[[Document], Reply]:
    """Whatever comes is answered so; only the first question should."""
    return lambda _: reply()


@pytest.mark.parametrize(
    ("reply", "field", "said"),
    [
        (lambda: refusal(401, "bad key"), "models.m.api_key_env", "export a key"),
        (lambda: refusal(403, "not yours"), "models.m.api_key_env", "export a key"),
        (lambda: refusal(404, "no model x"), "models.m.model", "write a model"),
        (lambda: refusal(400, "no tools here"), "models.m.model", "mend what the endpoint names"),
    ],
)
def test_what_a_person_must_mend_stops_a_run_before_it_costs(
    tmp_path: Path, reply: Callable[[], Reply], field: str, said: str
) -> None:
    with endpoint(first(reply)) as server:
        server.ready = False
        called = evaluated(tmp_path, home(tmp_path, server.base_url))
        assert (called.code, called.error["field"], len(server.requests)) == (2, field, 1)
        assert "preflight of m: HTTP 4" in called.error["problem"]
        assert said in called.error["next_step"]
        assert "--no-preflight" in called.error["next_step"]
        server.answer = obedient
        server.ready = True
        mended = plugineval("resume", called.error["job_id"], *home(tmp_path, server.base_url))
    assert (mended.code, mended.printed["rows"]) == (0, 3)


def test_an_endpoint_where_nobody_is_stops_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    with endpoint(obedient) as gone:
        places = home(tmp_path, gone.base_url, "max_retries = 0")
    called = evaluated(tmp_path, places)
    assert (called.code, called.error["field"], called.error["kind"]) == (3, "models.m.base_url", "IncompleteError")
    with endpoint(obedient) as server:
        done = plugineval("resume", called.error["job_id"], *home(tmp_path, server.base_url, "max_retries = 0"))
    assert (done.code, done.printed["rows"]) == (0, 3)


def test_a_missing_key_stops_a_run_before_anything_is_sent(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, home(tmp_path, server.base_url, 'api_key_env = "NO_SUCH_KEY_HERE"'))
        assert (called.code, called.error["field"]) == (2, "models.m.api_key_env")
        assert (server.requests, server.rehearsals) == ([], [])


@pytest.mark.parametrize(
    ("reply", "warned"),
    [
        (lambda: message("I am ready"), "m answered in text"),
        (lambda: refusal(429, "later"), "m did not answer: rate_limited"),
        (lambda: refusal(500, "broken"), "m did not answer: provider_error"),
    ],
)
def test_what_may_pass_is_a_warning(tmp_path: Path, reply: Callable[[], Reply], warned: str) -> None:
    def answer(request: Document) -> Reply:
        return reply() if "report_ready" in repr(request) else obedient(request)

    with endpoint(answer) as server:
        server.ready = False
        places = home(tmp_path, server.base_url, "max_retries = 0")
        called = evaluated(tmp_path, places)
        report = plugineval("report", called.printed["run_id"], *places).printed
    assert (called.code, called.printed["rows"], called.printed["errors"]) == (0, 3, {})
    assert f"preflight: {warned}" in called.err
    assert any(note.startswith(f"Preflight: {warned}") for note in report["run"]["notes"])


def test_the_question_is_counted_apart_and_is_no_answer_of_the_run(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, home(tmp_path, server.base_url))
        assert (len(server.rehearsals), len(server.requests)) == (1, 3)
    (asked,) = called.printed["preflight"]
    assert (asked["model"], asked["answer"], asked["requests"]) == ("m", "call", 1)
    assert (called.printed["calls"], called.printed["rows"]) == (3, 3)


def test_who_answered_is_not_asked_again_by_the_same_job_unless_it_is_another_or_an_hour_has_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint(lambda request: refusal(503, "later") if "case c1" in repr(request) else obedient(request)) as server:
        places = home(tmp_path, server.base_url, "max_retries = 0")
        partly = evaluated(tmp_path, places)
        assert (partly.code, len(server.rehearsals)) == (3, 1)
        again = plugineval("resume", partly.printed["run_id"], *places)
        assert (again.code, len(server.rehearsals)) == (3, 1)
        assert again.printed["preflight"] == partly.printed["preflight"]
        changed = home(tmp_path, server.base_url, "max_retries = 0", "timeout_s = 50")
        plugineval("resume", partly.printed["run_id"], *changed)
        assert len(server.rehearsals) == 2
        monkeypatch.setattr(preflight, "FRESH", timedelta(0))
        plugineval("resume", partly.printed["run_id"], *changed)
        assert len(server.rehearsals) == 3


def test_what_the_first_questions_of_a_build_took_is_in_its_spending(tmp_path: Path) -> None:
    plugin = plugin_table("counting", COUNTING) + f'env = {{CALLS = "{tmp_path / "calls.txt"}"}}\n'
    prices = "prices = { input_per_million = 1000000, output_per_million = 0 }"
    roles = "[roles]\nrouter = 'm'"
    with endpoint(obedient) as server:
        places = home(tmp_path, server.base_url, prices, roles, plugin)
        words = ("build", "--plugin", "counting", "--name", "n", "--size", 6)
        built = plugineval(*words, *places)
        assert (built.code, len(server.rehearsals)) == (0, 1), built.err
        silent = plugineval(*words, "--no-preflight", *places)
    asked, spent = built.printed["preflight"][0]["spent"], built.printed["spending"]["spent"]
    assert (asked["calls"], asked["cost"] > 0) == (1, True)
    assert spent["calls"] == built.printed["calls"] + 1
    assert sum(built.printed["calls_by_stage"].values()) == built.printed["calls"]
    assert "snapshot" not in built.printed["calls_by_stage"]
    assert silent.printed["spending"]["spent"]["calls"] == silent.printed["calls"] == built.printed["calls"]
    assert spent["cost"] == pytest.approx(silent.printed["spending"]["spent"]["cost"] + asked["cost"])


def test_nobody_is_asked_who_said_so_or_who_has_answered_everything(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        places = home(tmp_path, server.base_url)
        assert evaluated(tmp_path, places, "--no-preflight").code == 0
        assert evaluated(tmp_path, places, "--model", "baseline:lexical").code == 0
        assert len(server.rehearsals) == 1
        server.answer = lambda request: refusal(401, "revoked") if "case c1" in repr(request) else obedient(request)
        partly = evaluated(tmp_path, places, "--model", "baseline:lexical")
        plugineval("resume", partly.printed["run_id"], *places)
        # By the same job within the hour: it had answered already.
        assert [len(server.rehearsals), partly.code] == [2, 3]


def test_a_judge_is_asked_first_too_and_may_talk(tmp_path: Path) -> None:
    predicted: Json = [{"name": "add", "arguments": {"a": 1, "b": 1}}]
    row: Document = {**addition("c0", 1), "predicted": predicted}
    file = cases_file(tmp_path, [row])
    with endpoint(lambda _: message("ready")) as server:
        server.ready = False
        places = home(tmp_path, server.base_url)
        talking = plugineval("judge", "--file", file, "--judge", "m", "--out", tmp_path / "out", *places)
        server.answer = lambda _: refusal(401, "bad key")
        refused = plugineval("judge", "--file", file, "--judge", "m", "--out", tmp_path / "out", *places)
    assert (talking.code, "preflight: m answers" in talking.err) == (0, True)
    assert (refused.code, refused.error["field"]) == (2, "models.m.api_key_env")


def test_a_build_asks_every_model_of_its_roles_first(tmp_path: Path) -> None:
    plugin = "[plugins.calc]\ncommand = 'never-started'\n[roles]\nwriter = 'm'\ngenerators = ['m', 'baseline:lexical']"
    with endpoint(first(lambda: refusal(401, "bad key"))) as server:
        server.ready = False
        places = home(tmp_path, server.base_url, plugin)
        built = plugineval("build", "--plugin", "calc", "--name", "b", *places)
        assert len(server.requests) == 1
    assert (built.code, built.error["field"]) == (2, "models.m.api_key_env")


def test_a_run_that_was_stopped_is_not_listed_as_running(tmp_path: Path) -> None:
    with endpoint(obedient) as gone:
        places = home(tmp_path, gone.base_url, "max_retries = 0")
    called = evaluated(tmp_path, places)
    (listed,) = plugineval("runs", *places).printed["runs"]
    stopped = listed["progress"]
    assert (stopped["job_id"], stopped["state"]) == (called.error["job_id"], "interrupted")
    told = plugineval("runs", *places[:-1]).out
    assert "running" not in told
    assert "interrupted: 0 of " in told
    assert "preflight of m" in told
    assert f"plugineval resume {listed['id']}" in told


def test_a_run_that_only_a_person_can_mend_is_listed_as_failed(tmp_path: Path) -> None:
    with endpoint(first(lambda: refusal(401, "bad key"))) as server:
        server.ready = False
        places = home(tmp_path, server.base_url)
        assert evaluated(tmp_path, places).code == 2
    assert ", failed" in plugineval("runs", *places[:-1]).out
