"""What a person does at the command line, done in conversation: each tool says what comes next, and that works."""

from typing import cast

import pytest

from doubles.mcp_client import MODES, Agent, Home, Mode, in_memory, text_of
from journeys.conftest import counting_home
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", MODES)]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return counting_home(tmp_path_factory.mktemp("talk"))


def _of(card: dict[str, Json], *names: str) -> Json:
    found: Json = card
    for name in names:
        assert isinstance(found, dict)
        found = found[name]
    return found


def _rows(value: Json) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", value)


async def _built(agent: Agent, **more: object) -> str:
    job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", wait_s=45, **{"size": 6, **more})
    assert job["state"] == "completed", job
    return str(_of(job, "result", "benchmark_id"))


async def test_a_build_is_estimated_and_asks_nobody(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        card = await agent.call("benchmark_build", plugins=["counting"], name="n", size=24, estimate_only=True)
        assert (card["job_id"], card["kind"]) == ("", "estimate")
        assert cast("float", _of(card, "result", "calls", "expected")) > 24
        assert (await agent.call("job_get"))["items"] == []


@pytest.mark.requirement("P21")
async def test_scenarios_are_read_dropped_and_added_before_they_are_built_from(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        planned = await agent.call("benchmark_scenarios", plugins=["counting"])
        page = await agent.call("benchmark_scenarios", job_id=planned["job_id"])
        found = _rows(_of(page, "result", "scenarios"))
        assert len(found) == _of(page, "result", "total")
        dropped = [str(each["id"]) for each in found if each["target"] == "get_rectangle_area"]
        assert dropped
        added = {"target": "convert_length", "kind": "type_a", "title": "small talk about rulers"}
        chosen: dict[str, object] = {"scenarios_job": planned["job_id"], "drop": dropped, "add": [added]}
        benchmark = await _built(agent, **chosen)
        read = await agent.read(f"plugineval://benchmarks/{benchmark}/coverage")
        assert "get_rectangle_area" not in read
        catalog = await agent.read(f"plugineval://jobs/{planned['job_id']}/scenarios")
        assert "[[tool.convert_length]]" in catalog
        wrong = {"target": "convert_lenght", "kind": "trigger", "title": "t"}
        job = {"plugins": ["counting"], "name": "n", "scenarios_job": planned["job_id"]}
        for said, words in (
            ({"add": [wrong]}, ["add[0]", "did you mean 'convert_length'"]),
            ({"add": [added | {"kind": "type_b"}]}, ["add[0].lookalike", "type_b"]),
            ({"drop": ["no such"]}, ["there is no scenario 'no such'", "benchmark_scenarios"]),
            ({"scenarios_job": "none"}, ["there is no job", "job_get"]),
        ):
            text = await agent.refused("benchmark_build", **{**job, **said})
            assert [word for word in words if word not in text] == [], text


@pytest.mark.requirement("P8")
async def test_real_requests_are_given_in_the_conversation_and_masked(mode: Mode, home: Home) -> None:
    query = "How much is 12 foot in metre? Write to jane.doe@example.com."
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        asked = {"plugins": ["counting"], "name": "n", "size": 6, "queries": [query, query, "  "], "wait_s": 45}
        job = await agent.call("benchmark_build", **asked)
        examined = _rows(_of(job, "result", "rounds"))[0]
        assert examined["number"] == 0
        assert sum(cast("int", examined[name]) for name in ("accepted", "surplus", "rejected", "undecided")) == 1
        store = (home.path / "plugineval.db").read_bytes()
        assert b"jane.doe" not in store


async def test_a_limit_ends_a_build_and_is_raised_to_go_on(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        short = await agent.call("benchmark_build", plugins=["counting"], name="n", size=12, max_calls=40, wait_s=45)
        assert _of(short, "result", "stop_reason") == "call_limit"
        assert "max_calls" in str(short["next_step"])
        more = await agent.call("job_resume", job_id=short["job_id"], max_calls=10_000, wait_s=45)
        assert _of(more, "result", "stop_reason") != "call_limit"
        assert cast("int", _of(more, "result", "calls_replayed")) > 0
        refused = await agent.refused("job_resume", job_id=short["job_id"], max_calls=20_000)
        assert "was not ended by a limit" in refused


@pytest.mark.requirement("X9")
async def test_gold_is_corrected_proven_and_stored_answers_are_counted_again(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        benchmark = await _built(agent)
        run = await agent.call("evaluation_run", benchmark_id=benchmark, models=["degenerate:never-call"], repeats=1)
        page = _rows((await agent.call("benchmark_get", benchmark_id=benchmark))["items"])
        positive = next(case for case in page if str(case["gold"]).startswith("call convert_length"))
        broken = {"tool": "convert_length", "arguments": {"value": 1, "from_unit": "yard", "to_unit": "foot"}}
        revision = {"case_id": positive["id"], "reason": "the user says so"}
        text = await agent.refused("case_revise", benchmark_id=benchmark, revisions=[revision | {"gold": [broken]}])
        assert "breaks the tool's schema" in text
        assert "exactly one" in await agent.refused("case_revise", benchmark_id=benchmark, revisions=[revision])
        right = {"tool": "convert_length", "arguments": {"value": 1, "from_unit": "mile", "to_unit": "foot"}}
        made = await agent.call("case_revise", benchmark_id=benchmark, revisions=[revision | {"gold": [right]}])
        assert (_of(made, "result", "version"), _of(made, "result", "executed")) == (2, 1)
        newer = str(_of(made, "result", "benchmark_id"))
        told = text_of(await client.call_tool("benchmark_get", {"benchmark_id": newer, "view": "versions"}))
        assert "the user says so (mcp" in told
        assert "version 2" in told
        again = await agent.call("judge_run", run_id=_of(run, "result", "run_id"), gold_of=newer)
        grading = _of(again, "result", "grading_id")
        assert "call report_get with result.grading_id" in str(again["next_step"])
        report = await agent.call("report_get", run_id=grading, detail="detailed")
        assert report["report_uri"] == f"plugineval://reports/{grading}"
        older = await agent.call("report_get", run_id=_of(run, "result", "run_id"))
        assert older["expired"] is True


@pytest.mark.requirement("D9", "X6")
async def test_what_measures_is_put_on_trial(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        benchmark = await _built(agent)
        gold = await agent.call("audit_run", what="gold", benchmark_id=benchmark)
        assert (_of(gold, "result", "drifted"), _of(gold, "result", "failed")) == (0, 0)
        for named in ({}, {"benchmark_id": benchmark}):
            grader = await agent.call("audit_run", what="grader", **named)
            assert (grader["job_id"], _of(grader, "result", "moved")) == ("", 0)
        router: dict[str, object] = {"benchmark_id": benchmark, "router": "degenerate:never-call"}
        calibrated = await agent.call("audit_run", what="difficulty", **router)
        assert _of(calibrated, "result", "version") == 2
        parts = await agent.call("audit_run", what="components", plugins=["counting"], max_calls=60)
        while parts["state"] == "running":
            parts = await agent.call("job_get", job_id=parts["job_id"], wait_s=45)
        assert "limit" in str(_of(parts, "result", "limit"))
        assert "benchmark_id: is needed for gold" in await agent.refused("audit_run", what="gold")
        assert "plugins: are needed" in await agent.refused("audit_run", what="components")


@pytest.mark.requirement("B27", "X7")
async def test_runs_are_compared_and_new_descriptions_are_tried(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        benchmark = await _built(agent)
        cases = _rows((await agent.call("benchmark_get", benchmark_id=benchmark))["items"])
        rows: list[Json] = [{"case_id": case["id"], "predicted": []} for case in cases]
        given: dict[str, object] = {"benchmark_id": benchmark, "model": "elsewhere", "rows": rows}
        old, new = [str((await agent.call("evaluation_submit", **given))["run_id"]) for _ in range(2)]
        measured: dict[str, object] = {"benchmark_id": benchmark, "models": ["baseline:lexical"], "repeats": 2}
        better = {"variant": "short", "tool": "convert_length", "description": "Lengths."}
        tried = await agent.call("evaluation_run", **measured, variants=[better], wait_s=45)
        drift = await agent.call("report_get", run_id=new, against=old)
        assert _of(drift, "drift", "moved") is False
        errors = await agent.call("report_get", run_id=old, view="errors")
        assert errors["next_cursor"] is None
        report = await agent.read(f"plugineval://reports/{_of(tried, 'result', 'run_id')}")
        assert "short" in report
        assert "same run" in await agent.refused("report_get", run_id=new, against=new)


@pytest.mark.requirement("B26")
async def test_what_to_fix_first_is_read_with_its_numbers_and_the_routing_note(mode: Mode, home: Home) -> None:
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        benchmark = await _built(agent)
        cases = _rows((await agent.call("benchmark_get", benchmark_id=benchmark))["items"])
        rows: list[Json] = [{"case_id": case["id"], "predicted": []} for case in cases]
        graded = await agent.call("evaluation_submit", benchmark_id=benchmark, model="elsewhere", rows=rows)
        decided = await agent.call("report_get", run_id=graded["run_id"], view="decision")
        assert _of(decided, "decision", "recommendation")
        text = text_of(await client.call_tool("report_get", {"run_id": graded["run_id"], "view": "decision"}))
        assert "Routing note" in text
        assert "Scope: " in text
        assert "Routing note" in await agent.read(f"plugineval://reports/{graded['run_id']}/note")
        floor = await agent.call("evaluation_run", benchmark_id=benchmark, models=["degenerate:never-call"], repeats=1)
        refused = await agent.refused("report_get", run_id=_of(floor, "result", "run_id"), view="decision")
        assert "holds no decision" in refused


async def test_rows_are_judged_alone_and_a_judge_that_cannot_be_asked_is_named(mode: Mode, home: Home) -> None:
    tool: dict[str, Json] = {
        "name": "f",
        "description": "d",
        "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    }
    row: dict[str, Json] = {
        "query": "q",
        "tools": [tool],
        "gold": [{"name": "f", "arguments": {"a": "x"}}],
        "predicted": [{"name": "f", "arguments": {"a": "x"}}],
    }
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        graded = await agent.call("evaluation_submit", rows=[row, row | {"gold": 7}])
        assert [each["verdict"] for each in _rows(graded["verdicts"])] == ["correct"]
        assert len(_rows(graded["refused"])) == 1
        assert "inside jobs only" in await agent.refused("evaluation_submit", rows=[row], judge="agent")
        assert "there is no model" in await agent.refused("evaluation_submit", rows=[row], judge="nobody")
