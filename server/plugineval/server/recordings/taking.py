"""From what a person names, a run or a job, to the file that plays its models again."""

from pathlib import Path
from typing import TYPE_CHECKING

from plugineval.clients.recorded.writing import write_recording
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.jobs.params import EvaluateParams, RegradeParams
from plugineval.server.recordings.builds import build_content
from plugineval.server.recordings.content import Content
from plugineval.server.recordings.runs import regrading_content, run_content
from plugineval.server.recordings.striking import striking
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import Job

RECORDED_KINDS = ("build", "evaluate", "regrade")


class RecordOutcome(Value):
    """What was written, as `plugineval record --json` prints it."""

    file: str
    kind: str
    source: str
    answers: dict[str, int]
    """Model -> answers."""
    warnings: tuple[str, ...] = ()


async def record(workspace: Workspace, which: str, out: Path) -> RecordOutcome:
    """Write the recording of a run or job to `out`.

    `ConfigurationError` where it holds no answer of a model, or `out` is there already.
    """
    store = await workspace.store()
    content = await _content(workspace, store, which)
    if not content.lines:
        problem = f"no model answered in {which}: the embedded ones need no recording"
        raise ConfigurationError(problem, field="record", next_step="name a run or a build in which models answered")
    write_recording(out, content.header, content.lines, striking(workspace.settings, workspace.environ))
    return RecordOutcome(
        file=str(out),
        kind=content.header.kind,
        source=content.header.source,
        answers={model: known.answers for model, known in content.header.models.items()},
        warnings=content.warnings,
    )


async def _content(workspace: Workspace, store: "Store", which: str) -> Content:
    job = await _job(store, which)
    if job is None:
        return await _of_run(store, (await store.runs.get(which)).id)
    match job.kind:
        case "build":
            return await build_content(workspace, store, job)
        case "evaluate":
            return await run_content(store, EvaluateParams.model_validate(job.params).run_id, job.id)
        case "regrade":
            return await regrading_content(store, job.id, RegradeParams.model_validate(job.params).of_run)
        case _:
            problem = f"a job of kind {job.kind} cannot be recorded"
            raise ConfigurationError(problem, field="record", allowed=RECORDED_KINDS)


async def _of_run(store: "Store", run_id: str) -> Content:
    cursor: str | None = None
    while True:
        page = await store.jobs.page(cursor=cursor, limit=100)
        for job in page.items:
            if job.kind == "evaluate" and EvaluateParams.model_validate(job.params).run_id == run_id:
                return await run_content(store, run_id, job.id)
        if page.next_cursor is None:
            return await run_content(store, run_id, None)
        cursor = page.next_cursor


async def _job(store: "Store", which: str) -> "Job | None":
    try:
        return await store.jobs.get(which)
    except UnknownNameError:
        return None
