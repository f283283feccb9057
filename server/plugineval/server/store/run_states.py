"""A run ends with its job: one that was cancelled, or that failed, is not running any more, and says so in listings."""

from sqlalchemy import Connection, update

from plugineval.server.store import tables
from plugineval.server.store.states import JobState, RunState
from plugineval.server.store.summaries import Job

_runs = tables.table_of(tables.Runs)
_EVALUATE = "evaluate"
_ENDS = {JobState.CANCELLED: RunState.CANCELLED, JobState.FAILED: RunState.FAILED}


def end_run(connection: Connection, job: Job) -> None:
    """Write the end of a job to its run, if it has one that is running; a completed one says more of itself."""
    if job.state in _ENDS:
        _change(connection, job, (RunState.RUNNING,), _ENDS[job.state])


def take_up_run(connection: Connection, job: Job) -> None:
    """The run of a job that goes on after it had failed is running again."""
    _change(connection, job, (RunState.FAILED,), RunState.RUNNING)


def _change(connection: Connection, job: Job, before: tuple[RunState, ...], after: RunState) -> None:
    run_id = job.params.get("run_id") if isinstance(job.params, dict) else None
    if job.kind == _EVALUATE and isinstance(run_id, str):
        named = (_runs.c.id == run_id) & _runs.c.state.in_([state.value for state in before])
        connection.execute(update(_runs).where(named).values(state=after.value))
