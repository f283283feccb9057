"""What somebody meets who has set up little, or little right: what is missing is named, and nothing is in code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from doubles.mcp_client import Agent, Home, in_memory, text_of
from journeys.conftest import Built
from plugineval.server.app.report_tools import CONCISE

pytestmark = pytest.mark.anyio


async def test_without_settings_the_places_that_were_looked_at_are_named(tmp_path: Path) -> None:
    async with in_memory(Home(tmp_path), "auto") as client:
        text = text_of(await client.call_tool("plugin_list", {}))
        refused = await Agent(client).refused("benchmark_build", plugins=["x"], name="n")
    for said in (text, refused):
        assert "PLUGINEVAL_CONFIG (not set)" in said
        assert f"plugineval init --out {tmp_path / 'plugineval.toml'}" in said


async def test_a_model_without_its_key_is_not_ready_and_says_what_to_export(tmp_path: Path) -> None:
    keyed = '[models.fast]\nmodel = "x"\nbase_url = "https://h.example/v1"\napi_key_env = "FAST_KEY"\n'
    home = Home.at(tmp_path, keyed + '[models.slow]\nmodel = "x"\nbase_url = "https://${SLOW_HOST}/v1"\n')
    async with in_memory(home, "auto") as client:
        found = await Agent(client).call("plugin_list")
    assert isinstance(found["models"], list)
    assert not {"fast", "slow"} & {str(model) for model in found["models"]}
    assert isinstance(found["models_not_ready"], dict)
    assert "export FAST_KEY=..." in str(found["models_not_ready"]["fast"])
    assert "drop api_key_env if the endpoint needs no key" in str(found["models_not_ready"]["fast"])
    assert "export SLOW_HOST=..." in str(found["models_not_ready"]["slow"])


async def test_a_benchmark_and_its_run_are_named_by_name(new_home: Callable[..., Home]) -> None:
    async with in_memory(new_home(), "auto") as client:
        agent = Agent(client)
        await agent.call("benchmark_build", plugins=["counting"], name="mine", size=4, wait_s=45)
        listed = text_of(await client.call_tool("benchmark_get", {}))
        run = await agent.call("evaluation_run", benchmark_id="mine", models=["baseline:lexical"], wait_s=45)
        report = await agent.call("report_get", run_id="mine")
    assert "`mine`, made 20" in listed
    assert isinstance(run["result"], dict)
    assert report["run_id"] == run["result"]["run_id"]


async def test_texts_are_words_and_json_and_never_python(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        texts = [text_of(await client.call_tool("case_get", {"case_id": case})) for case in built.cases] + [
            text_of(await client.call_tool(tool, arguments))
            for tool, arguments in (
                ("job_get", {"job_id": built.build_job}),
                ("benchmark_get", {"benchmark_id": built.benchmark_id}),
                ("benchmark_get", {}),
                ("report_get", {}),
            )
        ]
        cases = [await Agent(client).call("case_get", case_id=case) for case in built.cases]
    assert [text for text in texts if "{'" in text or "['" in text or "None" in text] == []
    assert [case["benchmark_id"] for case in cases] == [built.benchmark_id] * len(cases)
    assert any('Gold: call convert_length with {"' in text for text in texts)


async def test_a_shortened_report_is_cut_between_sections(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        whole = text_of(await client.call_tool("report_get", {"run_id": built.run_id, "detail": "detailed"}))
        short = text_of(await client.call_tool("report_get", {"run_id": built.run_id}))
    shown, _, rest = short.rpartition("\n\n(The whole report")
    assert rest
    assert len(shown) <= CONCISE
    assert whole.startswith(f"{shown}\n\n## ")
    assert "## Models" in shown


@pytest.mark.requirement("P28")
async def test_the_numbers_of_a_build_are_the_same_wherever_they_are_told(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        agent = Agent(client)
        job = await agent.call("job_get", job_id=built.build_job)
        coverage = await agent.read(f"plugineval://benchmarks/{built.benchmark_id}/coverage")
        report = await agent.read(f"plugineval://reports/{built.run_id}")
    outcome = job["result"]
    assert isinstance(outcome, dict)
    assert outcome["accepted"] == outcome["examples"] == job["done"] == len(built.cases)
    assert isinstance(outcome["rounds"], list)
    for done in outcome["rounds"]:
        assert isinstance(done, dict)
        assert f"- round {done['number']}: deficit {done['deficit_before']}" in coverage
        assert f", {done['accepted']} accepted, {done['surplus']} surplus, " in coverage
    rows = {
        cells[1].strip(): cells[2].strip(" `") for line in report.splitlines() if len(cells := line.split("|")) == 4
    }
    assert rows["Candidates accepted"] == str(outcome["accepted"])
    assert rows["Candidates surplus"] == str(outcome["surplus"])
    assert f"Stopped: {outcome['stopped']}." in coverage


async def test_the_coverage_table_leaves_out_what_nobody_asked_for_and_goes_by_tool(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        text = await Agent(client).read(f"plugineval://benchmarks/{built.benchmark_id}/coverage")
    rows = [
        cells
        for line in text.splitlines()
        if line.startswith("| `") and len(cells := [cell.strip(" `") for cell in line.split("|")[1:-1]]) == 7
    ]
    assert rows
    tools = [row[0] for row in rows]
    assert tools == sorted(tools)
    assert [row for row in rows if row[4:6] == ["0", "0"]] == []
    assert len({tuple(row[:4]) for row in rows}) == len(rows)


async def test_no_two_resource_templates_share_a_name(built: Built) -> None:
    async with in_memory(built.home, "auto") as client:
        names = [each.name for each in (await client.list_resource_templates()).resource_templates]
    assert len(set(names)) == len(names) == 17
