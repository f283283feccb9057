"""Answers made elsewhere, graded as a run or row by row: each case once, every refusal with its reason."""

import json
from pathlib import Path

import pytest

from doubles.scripted_jobs import workspace_of
from doubles.store import a_benchmark, an_example
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.jobs.submission import Submission
from plugineval.server.jobs.submitting import submit
from plugineval.server.workspace import Workspace

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2", "X11")]

RIGHT: list[Json] = [{"name": "forecast", "arguments": {"city": "town 0"}}]


@pytest.fixture
async def workspace(tmp_path: Path) -> Workspace:
    """A home with a benchmark of two cases."""
    (tmp_path / "home").mkdir()
    opened = workspace_of(tmp_path / "home")
    benchmark = a_benchmark("benchmark-a", examples=2)
    store = await opened.store()
    await store.benchmarks.save_header(benchmark)
    await store.benchmarks.finish(benchmark)
    return opened


def given(*rows: dict[str, Json], **more: str) -> Submission:
    return Submission(rows=rows, by="a client 1.0", **more)


async def test_answers_of_a_benchmark_become_a_run_that_is_gone_on_with(workspace: Workspace) -> None:
    first = an_example(0).id
    begun = await submit(
        workspace,
        given(
            {"case_id": first, "predicted": RIGHT},
            {"case_id": "nothing", "predicted": []},
            {"case_id": an_example(1).id},
            benchmark_id="benchmark-a",
            model="our-bot",
        ),
    )
    assert [verdict.verdict for verdict in begun.verdicts] == ["correct"]
    assert [refused.row for refused in begun.refused] == [2, 3]
    assert begun.unanswered == 1
    assert begun.run_id is not None
    again = await submit(
        workspace,
        given({"case_id": first, "predicted": []}, {"case_id": an_example(1).id, "predicted": []}, run_id=begun.run_id),
    )
    assert "the first answer stays" in again.refused[0].reason
    assert [verdict.verdict for verdict in again.verdicts] == ["incorrect"]
    store = await workspace.store()
    info = await store.runs.get(begun.run_id)
    assert info.config.models == ("our-bot",)
    assert any(note.startswith("Submitted: ") and "a client 1.0" in note for note in info.notes)
    assert not any(note.startswith("Not answered") for note in info.notes)
    stored = json.dumps((await store.reports.get(begun.run_id)).body)
    assert "our-bot" in stored
    await workspace.aclose()


@pytest.mark.parametrize("model", ["", "baseline:lexical", "agent"])
async def test_a_run_needs_a_name_that_nothing_measured_here_has(workspace: Workspace, model: str) -> None:
    with pytest.raises(ConfigurationError, match="plugin_list"):
        await submit(workspace, given({}, benchmark_id="benchmark-a", model=model))
    await workspace.aclose()


async def test_rows_with_their_own_gold_are_graded_and_not_stored(workspace: Workspace) -> None:
    tools: Json = [{"name": "add", "input_schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]
    row: dict[str, Json] = {"query": "Add 1", "tools": tools, "gold": [{"name": "add", "arguments": {"a": 1}}]}
    found = await submit(
        workspace, given({**row, "predicted": [{"name": "add", "arguments": {"a": 2}}]}, {**row}, {"query": 3})
    )
    assert [verdict.verdict for verdict in found.verdicts] == ["incorrect"]
    assert [refused.row for refused in found.refused] == [2, 3]
    assert found.run_id is None
    assert not (await (await workspace.store()).runs.page()).items
    await workspace.aclose()
