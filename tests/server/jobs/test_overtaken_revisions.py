"""Revisions that come to nothing leave nothing: of two made at once one is a version, and the other one is gone."""

from pathlib import Path

import anyio
import pytest

from doubles.cli import plugineval
from doubles.measured import AREA, home_with_benchmark
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.revisions import Revision
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.jobs.revise import plan_revision
from plugineval.server.settings.loading import load_settings
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace

pytestmark = pytest.mark.requirement("X4")


def _listed(home: Path) -> list[tuple[str, int]]:
    lines = plugineval("benchmarks", "--home", home, "--json").printed["benchmarks"]
    return [(line["state"], line["examples"]) for line in lines]


def _gold(width: int) -> tuple[Invocation, ...]:
    return (Invocation(tool=AREA, arguments={"width": width, "height": 2}),)


async def _two_at_once(home: Path) -> list[JobState]:
    settings = load_settings(config=home / "plugineval.toml", home=home, environ={}, cwd=home)
    async with JobEngine.open(Workspace(settings, environ={}), RUNNERS) as engine:
        jobs: list[Job] = []
        for width in (7, 8):
            revision = Revision(case="example-0003", reason="measured again", gold=_gold(width))
            params = await plan_revision(engine.workspace, "rooms", [revision])
            jobs.append(await engine.start("revise", params.model_dump(mode="json")))
        return sorted([(await engine.wait(job.id, 60)).state for job in jobs])


def test_of_two_revisions_at_once_one_is_a_version_and_the_other_one_leaves_nothing(tmp_path: Path) -> None:
    home = home_with_benchmark(tmp_path / "home")
    assert anyio.run(_two_at_once, home) == [JobState.COMPLETED, JobState.FAILED]
    assert _listed(home) == [("complete", 4), ("complete", 4)]


def test_a_revision_that_says_what_is_said_already_leaves_nothing(tmp_path: Path) -> None:
    home = home_with_benchmark(tmp_path / "home")
    line = (
        '{"case": "example-0003", "reason": "sure", "gold": [{"name": "%s", "arguments": {"width": 3, "height": 2}}]}'
    )
    (home / "same.jsonl").write_text(line % AREA)
    called = plugineval("revise", "rooms", "--file", home / "same.jsonl", "--home", home, "--json")
    assert (called.code, "the same as it is" in called.err) == (2, True), called.err
    assert _listed(home) == [("complete", 4)]
