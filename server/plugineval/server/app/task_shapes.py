"""A job as a task of the extension `io.modelcontextprotocol/tasks`: flat objects, as they are on the wire.

The task is the job: same id, kept in the same row, gone on with by any server of the home.
"""

from typing import Literal, TypeAlias

from mcp_types import INTERNAL_ERROR, CallToolResult

from plugineval.pccf.values import Json
from plugineval.server.app.starting import outcome_answer
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job

Status: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]
Object: TypeAlias = dict[str, Json]

POLL_MS = 2_000
_BUG = "internal error"
"""Begins the error of a job that a bug of ours ended: the only end that is a fault of the protocol's kind."""


def created(job: Job) -> Object:
    """What a call is answered with in place of its result."""
    return {"resultType": "task", **_about(job, "working")}


def detailed(job: Job, inputs: Object) -> Object:
    """The task as it is now, with its result or with what it asks for."""
    if inputs:
        return {"resultType": "complete", **_about(job, "input_required"), "inputRequests": inputs}
    status = _status(job)
    told: Object = {"resultType": "complete", **_about(job, status)}
    if status == "failed":
        return {**told, "error": {"code": INTERNAL_ERROR, "message": job.error or _BUG}}
    return {**told, "result": _wire(outcome_answer(job))} if status == "completed" else told


def _status(job: Job) -> Status:
    match job.state:
        case JobState.QUEUED | JobState.RUNNING:
            return "working"
        case JobState.CANCELLED:
            return "cancelled"
        case JobState.FAILED if (job.error or "").startswith(_BUG):
            return "failed"
        case _:
            # A call whose work failed was answered; so was one whose work cannot go on by itself.
            return "completed"


def _about(job: Job, status: Status) -> Object:
    return {
        "taskId": job.id,
        "status": status,
        "statusMessage": job.error or job.message,
        "createdAt": job.created_at.isoformat(),
        "lastUpdatedAt": job.updated_at.isoformat(),
        "ttlMs": None,
        "pollIntervalMs": POLL_MS,
    }


def _wire(result: CallToolResult) -> Json:
    shown: Json = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return shown
