"""What was recorded is replayed exactly: rows, votes and whole benchmarks, from a file, with nobody left to ask."""

import json
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from doubles.cli import Called, addition, case, cases_file, endpoint, obedient, plugineval
from doubles.mcp_client import plugin_table
from doubles.moody import moody
from doubles.openai_server import Document, Reply, message, refusal
from plugineval.clients.recorded.config import RecordedConfig
from plugineval.harness.run import RunConfig
from plugineval.pccf.errors import UnknownNameError
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import open_routers, unready_models

COUNTING = Path(__file__).parents[2] / "journeys" / "counting.py"
CANARY = "sk-canary-5f2e9a77b1c04d"
CASES: list[Document] = [
    *(addition(f"sum-{number}", number) for number in range(6)),
    # Another case that asks the very same, and may have been answered differently.
    {**addition("sum-0", 0), "id": "again"},
    case("nothing", "Say nothing.", kind="global_negative"),
]
APART = {"model", "at", "run_id"}


def rows_of(home: Path, run: str) -> list[dict[str, Any]]:
    """The graded rows of the first model of a run with what it answered, ids and times apart."""
    report = plugineval("report", run, "--home", home, "--json").printed
    first = report["models"][0]["id"]
    with connect(home / "plugineval.db") as store:
        bodies = store.execute(
            "select a.body, g.body from attempts a join graded g using (run_id, model, case_id, repeat, variant) "
            "where a.run_id = ? and a.model = ? order by case_id, repeat",
            (run, first),
        ).fetchall()
    return [
        {name: value for name, value in {**json.loads(attempt), **json.loads(row)}.items() if name not in APART}
        for attempt, row in bodies
    ]


def evaluated(folder: Path, cases: Path, *options: object) -> Called:
    return plugineval("evaluate", cases, "--home", folder / "home", "--repeats", 3, "--json", *options)


def recorded_run(folder: Path) -> tuple[Path, str]:
    """A cases file and the id of a run of a moody model on it; the endpoint is gone afterwards."""
    cases = cases_file(folder, CASES)
    with endpoint(moody) as server:
        called = evaluated(folder, cases, "--model", "openai:m", "--base-url", server.base_url)
    assert called.code == 0, called.err
    return cases, str(called.printed["run_id"])


@pytest.mark.requirement("X2", "X9")
def test_an_evaluation_replayed_from_its_file_gives_the_same_rows(tmp_path: Path) -> None:
    cases, run = recorded_run(tmp_path)
    file = tmp_path / "kept.jsonl"
    told = plugineval("record", run, "--out", file, "--home", tmp_path / "home", "--json")
    assert told.code == 0, told.err
    assert told.printed["answers"] == {"openai:m": 3 * len(CASES)}
    again = evaluated(tmp_path, cases, "--model", f"recorded:{file}")
    assert again.code == 0, again.err
    assert again.printed["models"][0]["id"] == "recorded:kept"
    before, after = rows_of(tmp_path / "home", run), rows_of(tmp_path / "home", again.printed["run_id"])
    assert len(before) == 3 * len(CASES)
    assert json.dumps(before) == json.dumps(after)
    assert len({json.dumps(row["reply"]["raw"]) for row in after}) > len(CASES), "repeats keep their own answers"
    shown = plugineval("report", again.printed["run_id"], "--home", tmp_path / "home", "--markdown").out
    assert "recorded openai:m" in shown
    assert run in shown
    assert str(tmp_path) not in shown


def test_what_was_not_recorded_is_a_failure_that_says_what_is_missing_and_never_a_missing_call(tmp_path: Path) -> None:
    _, run = recorded_run(tmp_path)
    file = tmp_path / "kept.jsonl"
    plugineval("record", run, "--out", file, "--home", tmp_path / "home")
    (tmp_path / "more").mkdir()
    cases = cases_file(tmp_path / "more", [*CASES[:2], addition("new", 77)])
    called = plugineval(
        "evaluate", cases, "--model", f"recorded:{file}", "--repeats", 4, "--home", tmp_path / "home", "--json"
    )
    assert called.code == 3
    assert called.printed["errors"] == {"not_recorded": 2 + 4}
    rows = rows_of(tmp_path / "home", called.printed["run_id"])
    details = {row["reply"]["failure"]["detail"] for row in rows if row["reply"]["failure"]}
    assert any("repeat 3 of this request is not in kept.jsonl, which has 0, 1, 2" in each for each in details)
    assert any("holds no answer of openai:m to this request" in each for each in details)
    assert all("plugineval record" in each for each in details)
    failed = [row for row in rows if row["reply"]["failure"]]
    assert {(row.get("outcome"), row["exclusion"]) for row in failed} == {(None, "not_recorded")}


def settings(home: Path, roles: str, models: str = "", environment: str = "") -> Path:
    home.mkdir(exist_ok=True)
    given = f'env = {{CALLS = "{home / "calls.txt"}"{environment}}}\n'
    text = f"{plugin_table('counting', COUNTING)}{given}{models}[roles]\n{roles}"
    (home / "plugineval.toml").write_text(text)
    return home


PLAYED = """generators = ["{0}", "baseline:lexical"]
argument_evaluator = "{1}"
result_evaluator = "{1}"
depth = "{1}"
router = "{0}"
"""


def build(home: Path, *options: object) -> Called:
    return plugineval("build", "--plugin", "counting", "--name", "n", "--size", 8, "--home", home, "--json", *options)


def hash_of(home: Path) -> str:
    (benchmark,) = plugineval("benchmarks", "--home", home, "--json").printed["benchmarks"]
    return str(benchmark["content_hash"])


@pytest.mark.requirement("X2", "X3")
def test_a_build_replayed_from_its_file_gives_the_same_benchmark_and_asks_nobody(tmp_path: Path) -> None:
    with endpoint(moody) as server:
        table = '[models.{}]\nmodel = "{}"\nbase_url = "' + server.base_url + '"\napi_key_env = "A_KEY"\n'
        models = table.format("fast", "x") + table.format("slow", "y")
        home = settings(tmp_path / "home", PLAYED.format("fast", "slow"), models)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("A_KEY", CANARY)
            first = build(home)
    assert first.code == 0, first.err
    file = tmp_path / "built.jsonl"
    # The endpoint is gone, and so is its key.
    told = plugineval("record", first.printed["job_id"], "--out", file, "--home", home, "--json")
    assert told.code == 0, told.err
    assert set(told.printed["answers"]) == {"fast", "slow"}
    replay = settings(tmp_path / "elsewhere", PLAYED.format("recorded:../built.jsonl#fast", "again"))
    with (replay / "plugineval.toml").open("a") as more:
        more.write('[models.again]\nrecorded = "../built.jsonl"\nmodel = "slow"\n')
    second = build(replay)
    assert second.code == 0, second.err
    assert hash_of(replay) == hash_of(home)
    assert second.printed["benchmark_id"] != first.printed["benchmark_id"]
    replayed, calls = second.printed["calls_replayed"], first.printed["calls"]
    assert second.printed["calls"] + replayed == calls
    assert replayed == sum(told.printed["answers"].values())


def test_a_judge_is_replayed_and_votes_as_it_voted(tmp_path: Path) -> None:
    gold: Document = {"name": "book.table", "arguments": {"when": "2026-03-01T12:00:00Z"}}
    spelled = json.dumps({"book.table": {"when": "about noon on the first of March"}})
    cases = cases_file(tmp_path, [case(f"c{number}", f"{number}: CALL {spelled}", gold) for number in range(3)])

    def honest(request: Document) -> Reply:
        return obedient(request) if request.get("tools") else moody(request)

    with endpoint(honest) as server:
        common = ("--base-url", server.base_url)
        called = evaluated(tmp_path, cases, "--model", "openai:m", "--judge", "openai:j", *common)
    assert called.code == 0, called.err
    file = tmp_path / "judged.jsonl"
    told = plugineval("record", called.printed["run_id"], "--out", file, "--home", tmp_path / "home", "--json")
    assert "openai:j" in told.printed["answers"], told.err
    again = evaluated(tmp_path, cases, "--model", f"recorded:{file}#openai:m", "--judge", f"recorded:{file}#openai:j")
    assert again.code == 0, again.err
    before, after = (rows_of(tmp_path / "home", each.printed["run_id"]) for each in (called, again))
    assert any(row["judged"] for row in before)
    assert json.dumps(before).replace("openai:j", "recorded:judged#openai:j") == json.dumps(after)


def test_a_recording_holds_no_secret_and_no_place_of_this_machine(tmp_path: Path) -> None:
    told_back = f"the key is {CANARY}, or Bearer {CANARY}"
    home = tmp_path / "home"
    cases = cases_file(tmp_path, [addition("one", 1)])
    with endpoint(lambda _: message(told_back)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("A_KEY", CANARY)
        models = f'[models.fast]\nmodel = "x"\nbase_url = "{server.base_url}"\napi_key_env = "A_KEY"\n'
        models += 'headers = { X-Other = "${A_KEY}-header" }\n'
        settings(home, "", models, environment=f', PLUGIN_SECRET = "{CANARY}-of-the-plugin"')
        called = evaluated(tmp_path, cases, "--model", "fast", "--no-preflight")
        # A database may hold what was written before a key was known as one.
        with connect(home / "plugineval.db") as store:
            planted = f"{CANARY} and {CANARY}-of-the-plugin"
            changed = store.execute("update attempts set body = replace(body, '[redacted]', ?)", (planted,)).rowcount
            assert changed
        plugineval("record", called.printed["run_id"], "--out", tmp_path / "kept.jsonl", "--home", home)
    text = (tmp_path / "kept.jsonl").read_text()
    assert "the key is" in text
    assert CANARY not in text
    assert str(tmp_path) not in text
    assert str(Path.home()) not in text.replace(str(tmp_path), "")


def test_outages_are_not_recorded(tmp_path: Path) -> None:
    cases = cases_file(tmp_path, [addition("up", 1), addition("down", 2)])

    def half_down(request: Document) -> Reply:
        return refusal(401) if "case down" in json.dumps(request) else moody(request)

    with endpoint(half_down) as server:
        called = evaluated(tmp_path, cases, "--model", "openai:m", "--base-url", server.base_url)
    file = tmp_path / "kept.jsonl"
    told = plugineval("record", called.printed["run_id"], "--out", file, "--home", tmp_path / "home", "--json")
    assert told.printed["answers"] == {"openai:m": 3}


def test_a_file_with_wrong_lines_is_refused_by_line_before_anything_starts(tmp_path: Path) -> None:
    cases, run = recorded_run(tmp_path)
    file = tmp_path / "kept.jsonl"
    plugineval("record", run, "--out", file, "--home", tmp_path / "home")
    lines = file.read_text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([lines[0], "{", lines[2], lines[3].replace('"seed":', '"sead":'), *lines[4:]]))
    called = evaluated(tmp_path, cases, "--model", f"recorded:{broken}")
    assert called.code == 2
    problem = called.error["problem"]
    assert "line 2, line: is not JSON" in problem
    assert "line 4, seed: Field required" in problem
    short = tmp_path / "short.jsonl"
    short.write_text("\n".join(lines[:-1]))
    called = evaluated(tmp_path, cases, "--model", f"recorded:{short}")
    assert "it holds 23 answers of openai:m, and its header says 24" in called.error["problem"]


def test_a_file_of_several_models_asks_which_one(tmp_path: Path) -> None:
    cases = cases_file(tmp_path, CASES[:1])
    with endpoint(moody) as server:
        both = ("--model", "openai:a", "--model", "openai:b", "--base-url", server.base_url)
        run = evaluated(tmp_path, cases, *both).printed["run_id"]
    file = tmp_path / "kept.jsonl"
    plugineval("record", run, "--out", file, "--home", tmp_path / "home")
    called = evaluated(tmp_path, cases, "--model", f"recorded:{file}")
    assert called.error["allowed"] == ["openai:a", "openai:b"]
    named = evaluated(tmp_path, cases, "--model", f"recorded:{file}#openai:b")
    assert named.printed["models"][0]["id"] == "recorded:kept#openai:b"


@pytest.mark.anyio
@pytest.mark.requirement("X2")
async def test_an_agent_can_name_what_is_registered_and_no_file(tmp_path: Path) -> None:
    registered = RecordedConfig(id="recorded:kept", path=tmp_path / "kept.jsonl")
    known = Settings(home=tmp_path, database="sqlite://", recorded={registered.id: registered})
    for named in (f"recorded:{tmp_path / 'other.jsonl'}", "recorded:../other.jsonl", "recorded:kept#x"):
        config = RunConfig(models=(named,))
        with pytest.raises(UnknownNameError, match="there is no model"):
            async with open_routers(known, config, base_url=None, environ={}):
                raise AssertionError
    assert unready_models(known, {}) == {"recorded:kept": "kept.jsonl is not there; write it with `plugineval record`"}
    assert known.id_of("kept") == "recorded:kept"


def test_nothing_is_written_over(tmp_path: Path) -> None:
    _, run = recorded_run(tmp_path)
    file = tmp_path / "kept.jsonl"
    file.write_text("precious")
    called = plugineval("record", run, "--out", file, "--home", tmp_path / "home")
    assert called.code == 2
    assert "is there already" in called.err
    assert file.read_text() == "precious"
