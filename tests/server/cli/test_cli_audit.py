"""`plugineval audit`: people with a sheet, agents with work, models behind an endpoint; and what is refused."""

import json
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from doubles.audited import an_audited_benchmark, filled, stored
from doubles.cli import addition, case, cases_file, endpoint, obedient, plugineval, started
from doubles.openai_server import Document, Reply, message
from plugineval.server.store.store import Store

REVIEWERS = ("ada", "bob", "cyd")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With a benchmark of six positives and two negatives."""
    place = tmp_path / "home"
    place.mkdir()

    async def keep() -> None:
        async with Store.open(place / "plugineval.db") as store:
            await stored(store, an_audited_benchmark(6, 2))

    anyio.run(keep)
    return place


@pytest.mark.requirement("P60")
def test_people_fill_in_a_sheet_and_their_reviews_become_the_audit(home: Path, tmp_path: Path) -> None:
    sheet, answers = tmp_path / "sheet.jsonl", tmp_path / "answers.jsonl"
    where = ("audit", "reference", "weather", "--sample", 4, "--home", home)
    assert plugineval(*where, "--sheet", sheet).code == 0
    lines = [json.loads(line) for line in sheet.read_text().splitlines()]
    assert [("target" in line, bool(line["observed"])) for line in lines] == [(True, True)] * 3 + [(False, False)]
    filled(sheet, answers, REVIEWERS, need="yes", target="yes", args="yes", reason="as asked")
    sound = plugineval(*where, "--answers", answers, "--json")
    assert sound.code == 0
    found = sound.printed
    assert (found["reviewed"], found["raters"], found["unanswered"]) == (12, 3, [])
    assert [(each["reviewer"], each["valid"]["value"]) for each in found["reviewers"]] == [
        (who, 1.0) for who in REVIEWERS
    ]
    assert [(each["level"], each["subjects"]) for each in found["agreement"]] == [
        ("need", 4),
        ("target", 3),
        ("args", 3),
    ]


@pytest.mark.requirement("P60")
def test_what_most_reject_fails_the_check_and_names_the_command_that_revises(home: Path, tmp_path: Path) -> None:
    sheet, answers = tmp_path / "sheet.jsonl", tmp_path / "answers.jsonl"
    where = ("audit", "reference", "weather", "--home", home)
    plugineval(*where, "--sheet", sheet)
    filled(sheet, answers, REVIEWERS, need="yes", target="yes", args="no", reason="another town")
    told = plugineval(*where, "--answers", answers)
    assert told.code == 1
    assert "6 rejected by somebody, 6 by most" in told.out
    assert "plugineval revise benchmark-a" in told.err.replace("\n", " ")
    assert "another town" in told.out
    assert "8 of 300" not in told.out
    assert "6 of 225 positives" in told.out.replace("\n", " ")


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"case": "example-0000", "need": "yes"}, "reviewer"),
        ({"reviewer": "ada", "case": "example-0000", "need": "perhaps"}, "need"),
        ({"reviewer": "ada", "case": "example-0000", "neeed": "yes"}, "neeed"),
        ({"reviewer": "ada", "case": "elsewhere", "need": "yes"}, "none of the 1 reviews is about the sample"),
    ],
)
def test_a_file_of_reviews_that_cannot_be_used_is_refused_by_line(
    home: Path, tmp_path: Path, line: dict[str, str], problem: str
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(line), encoding="utf-8")
    found = plugineval("audit", "reference", "weather", "--answers", file, "--reviewers", 1, "--home", home, "--json")
    assert found.code == 2
    assert problem in json.dumps(found.error)


@pytest.mark.requirement("X11", "P60")
def test_reviews_that_are_missing_or_of_another_sample_are_listed(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    said: dict[str, Any] = {"reviewer": "ada", "need": "yes", "reason": "so"}
    lines = [{**said, "case": "example-0007"}, {**said, "case": "elsewhere"}, {**said, "case": "example-0000"}]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = plugineval("audit", "reference", "weather", "--answers", file, "--reviewers", 1, "--home", home, "--json")
    assert found.printed["outside"] == ["elsewhere"]
    missing = {each["subject"]: each["reason"] for each in found.printed["unanswered"]}
    assert missing["example-0000"] == "asked are need, target, args, reason"
    assert missing["example-0001"] == "not in the file"
    assert found.printed["reviewed"] == 1


@pytest.mark.requirement("P60", "X2")
def test_work_of_three_different_people_finishes_an_audit_that_waits(home: Path, tmp_path: Path) -> None:
    places = ("--home", home, "--json")
    running = started("audit", "reference", "weather", "--sample", "2", *places)
    overdue = threading.Timer(90, running.kill)
    overdue.start()
    assert running.stderr is not None
    said = next(line for line in running.stderr if "waiting for work" in line)
    assert "6 review" in said
    for who in REVIEWERS:
        batch = plugineval("work", "next", "--limit", "8", "--model", who, *places).printed
        items = [(group, item) for group in batch["groups"] for item in group["items"]]
        assert len(items) == 2
        again = plugineval("work", "next", "--limit", "8", "--model", who, *places).printed
        assert not again["groups"]
        answers = [{"item_id": item["item_id"], "answer": _yes(group)} for group, item in items]
        file = tmp_path / "work.json"
        file.write_text(json.dumps({"lease_id": batch["lease_id"], "answers": answers}), encoding="utf-8")
        assert plugineval("work", "submit", file, *places).code == 0
    out, _ = running.communicate()
    overdue.cancel()
    found = json.loads(out)
    assert [each["reviewed"] for each in found["reviewers"]] == [2, 2, 2]
    assert all(f"({who})" in each["reviewer"] for who, each in zip(REVIEWERS, found["reviewers"], strict=True))


def _yes(group: dict[str, Any]) -> dict[str, str]:
    return dict.fromkeys(group["answer_schema"]["required"], "yes")


def _reviewing(request: Document) -> Reply:
    told = json.dumps(request)
    if "You review one case" not in told:
        return obedient(request)
    asked = ("need", "target", "args") if "sunny in town" in told else ("need",)
    return message(json.dumps({**dict.fromkeys(asked, "yes"), "reason": "it was executed"}))


@pytest.mark.requirement("P60")
def test_a_registered_model_takes_a_seat_and_is_asked_once(home: Path) -> None:
    with endpoint(_reviewing) as server:
        table = f'[models.fast]\nmodel = "small"\nbase_url = "{server.base_url}"\napi_key_env = ""\n'
        (home / "plugineval.toml").write_text(table.replace('api_key_env = ""\n', ""), encoding="utf-8")
        words = ("audit", "reference", "weather", "--reviewer", "fast", "--reviewers", 1, "--no-preflight")
        found = plugineval(*words, "--home", home, "--json")
    assert found.code == 0, found.err
    (fast,) = found.printed["reviewers"]
    assert (fast["reviewer"], fast["reviewed"], fast["valid"]["value"]) == ("fast", 8, 1.0)
    assert found.printed["calls"] == 8


@pytest.mark.requirement("P60")
def test_a_reviewer_that_is_no_chat_model_is_refused_before_anything_is_asked(home: Path) -> None:
    found = plugineval("audit", "reference", "weather", "--reviewer", "baseline:lexical", "--home", home, "--json")
    assert (found.code, found.error["field"]) == (2, "reviewer")


@pytest.mark.requirement("P61")
def test_people_confirm_or_reject_the_verdicts_of_a_run(tmp_path: Path) -> None:
    home, sheet, answers = tmp_path / "home", tmp_path / "sheet.jsonl", tmp_path / "answers.jsonl"
    lines = [addition("right", 1), addition("wrong", 1, said=2), case("none", "Say hello.", kind="global_negative")]
    lines += [case("spurious", 'CALL {"add": {"a": 1, "b": 1}}', kind="global_negative")]
    with endpoint(obedient) as server:
        words = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 3, "--no-preflight")
        run = plugineval("evaluate", cases_file(tmp_path, lines), *words, "--home", home, "--json")
    where = ("audit", "judge", run.printed["run_id"], "--home", home)
    assert plugineval(*where, "--sheet", sheet).code == 0
    # Three repeats with the same answer are reviewed once.
    graded = {json.loads(line)["case"]: json.loads(line)["graded"] for line in sheet.read_text().splitlines()}
    assert graded == {"right": "correct", "none": "correct", "wrong": "parameter_error", "spurious": "spurious"}
    filled(sheet, answers, REVIEWERS[:2], verdict="confirm", reason="so it is")
    text = answers.read_text().splitlines()
    rejected = {**json.loads(text[0]), "verdict": "missed", "reason": "nothing was called"}
    answers.write_text("\n".join([json.dumps(rejected), *text[1:]]), encoding="utf-8")
    found = plugineval(*where, "--answers", answers, "--reviewers", 2, "--json")
    assert found.code == 0
    strata = {each["stratum"]: (each["rows"], each["confirmed"]["numerator"]) for each in found.printed["strata"]}
    assert strata == {"correct": (2, 3), "missed": (0, 0), "spurious": (1, 2), "parameter_error": (1, 2)}
    assert [each["drawn"] for each in found.printed["sample"]["strata"]] == [2, 0, 1, 1]
    assert found.printed["rejected"][0]["instead"] == {"ada": "missed"}
    assert "1 rejected by somebody, 0 by most" in plugineval(*where, "--answers", answers, "--reviewers", 2).out


@pytest.mark.requirement("P61")
def test_a_run_that_is_not_there_is_refused_with_the_runs_there_are(tmp_path: Path) -> None:
    found = plugineval("audit", "judge", "nothing", "--home", tmp_path / "home", "--json")
    assert found.code == 2
    assert "nothing" in found.error["problem"]
