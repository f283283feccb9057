"""A run and the job that makes it are stored in one moment: what ends in between leaves something to resume."""

from pathlib import Path

import anyio
import pytest

from doubles.cli import plugineval
from plugineval.harness.cases import Case
from plugineval.harness.scope import scope_of
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.params import RunWishes
from plugineval.server.settings.loading import load_settings
from plugineval.server.store.ids import new_job_id
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace

pytestmark = pytest.mark.requirement("X3")


async def _planned_only(home: Path) -> tuple[str, Job]:
    """What a process leaves that is killed after it has planned a run, and before it starts it."""
    settings = load_settings(config=None, home=home, environ={}, cwd=home)
    workspace = Workspace(settings, environ={})
    try:
        tools = Toolset(tools=(ToolSpec(plugin="p", name="f", description="F.", input_schema={"type": "object"}),))
        case = Case(id="c", query=Query.of_text("Hello."), toolset=tools, sample_type=SampleType.GLOBAL_NEGATIVE)
        source = RunSource(scope=scope_of("cases.jsonl", "0" * 64, [case]))
        wishes = RunWishes(models=("degenerate:never-call",), repeats=2)
        job_id = new_job_id()
        params = await plan_run(workspace, [case], source=source, wishes=wishes, job_id=job_id)
        return params.run_id, await (await workspace.store()).jobs.get(job_id)
    finally:
        await workspace.aclose()


@pytest.mark.parametrize("by", ["--last", "RUN_ID"])
def test_a_run_whose_job_never_began_is_found_and_made_by_resume(tmp_path: Path, by: str) -> None:
    run_id, job = anyio.run(_planned_only, tmp_path)
    assert (job.state, job.kind) == (JobState.QUEUED, "evaluate")
    listed = plugineval("runs", "--home", tmp_path, "--json").printed
    assert [run["state"] for run in listed["runs"]] == ["running"]
    done = plugineval("resume", run_id if by == "RUN_ID" else by, "--home", tmp_path, "--json")
    assert (done.code, done.printed["run_id"], done.printed["rows"]) == (0, run_id, 2), done.err
    assert [run["state"] for run in plugineval("runs", "--home", tmp_path, "--json").printed["runs"]] == ["completed"]
