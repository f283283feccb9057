"""What a job wants of the client that follows it as a task: answers of the client's model, and a person's consent.

Each source says what it asks for now, under keys that stay the same until they are answered, and takes the answers.
A question that a client cannot put to anybody is not asked of it.
"""

from typing import TYPE_CHECKING, Protocol, TypeAlias

from mcp_types import ClientCapabilities, CreateMessageResult, ElicitResult, TextContent
from pydantic import ValidationError

from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.names import SAMPLING
from plugineval.pccf.json_answer import UnreadableAnswerError, parse_json
from plugineval.pccf.values import Json, canonical_json
from plugineval.server.app.sampling import AT_ONCE, MAX_TOKENS
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.store.work_notes import WorkItem, WorkLease, WorkWish
from plugineval.server.trust.requests import Request, Requests
from plugineval.server.work.handing import refusal

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

Inputs: TypeAlias = dict[str, Json]
_APPROVAL = "approval-"
_SHOWN = 800


class TaskClient:
    """Who follows a task, and what it can be asked."""

    def __init__(self, worker: Worker, capabilities: ClientCapabilities | None) -> None:
        self.worker = worker
        self.samples = capabilities is not None and capabilities.sampling is not None
        self.elicits = capabilities is not None and capabilities.elicitation is not None


class TaskInputs(Protocol):
    """One source of questions."""

    async def wanted(self, engine: JobEngine, job: Job, client: TaskClient) -> Inputs:
        """Key -> the request that is open."""
        ...

    async def take(self, engine: JobEngine, job: Job, client: TaskClient, given: Inputs) -> None:
        """Use the answers to keys of its own; all others are none of its business."""
        ...


class SampledWork:
    """Items of work whose model is `sampling`, put to the client's model."""

    async def wanted(self, engine: JobEngine, job: Job, client: TaskClient) -> Inputs:
        """A few items, leased to this client."""
        if not client.samples or job.state is not JobState.RUNNING:
            return {}
        lease = await self._lease(await engine.workspace.store(), job, client)
        return {item.id: _sampling(item) for item in lease.items} if lease is not None else {}

    async def take(self, engine: JobEngine, job: Job, client: TaskClient, given: Inputs) -> None:
        """Keep what can be used; an item with any other answer goes back to the queue."""
        store = await engine.workspace.store()
        lease = await store.work.held_by(client.worker, _wish(job))
        if lease is None:
            return
        for item in lease.items:
            if item.id in given:
                await _answered(store, lease, item, client, given[item.id])

    async def _lease(self, store: "Store", job: Job, client: TaskClient) -> WorkLease | None:
        wish = _wish(job)
        return await store.work.held_by(client.worker, wish) or await store.work.lease(client.worker, wish)


class Approvals:
    """Tools whose policy is `ask`: a person says, through the client, whether this job may execute them."""

    async def wanted(self, engine: JobEngine, job: Job, client: TaskClient) -> Inputs:
        """One form for each tool."""
        if not client.elicits or job.state is not JobState.INTERRUPTED:
            return {}
        pending = Requests(engine.workspace.settings.home).pending(job.id)
        return {_key(request): _elicitation(request) for request in pending}

    async def take(self, engine: JobEngine, job: Job, client: TaskClient, given: Inputs) -> None:
        """Write down what the person said; with the last answer the job goes on. Closing the form answers nothing."""
        requests = Requests(engine.workspace.settings.home)
        open_ = {_key(request): request for request in requests.pending(job.id)}
        for key, said in given.items():
            if key in open_ and (granted := _consent(said)) is not None:
                requests.answer(open_[key], granted=granted, by=client.worker.label)
        if open_ and not requests.pending(job.id):
            await engine.resume(job.id)


SOURCES: tuple[TaskInputs, ...] = (SampledWork(), Approvals())


def _wish(job: Job) -> WorkWish:
    return WorkWish(job_id=job.id, limit=AT_ONCE, model=SAMPLING)


def _sampling(item: WorkItem) -> Json:
    question = item.question
    shape = f"Your answer is JSON that fits this schema: {canonical_json(question.answer_schema)}"
    content: Json = {"type": "text", "text": f"{question.evidence}\n\n{shape}"}
    return {
        "method": "sampling/createMessage",
        "params": {
            "messages": [{"role": "user", "content": content}],
            "systemPrompt": question.instructions,
            "maxTokens": MAX_TOKENS,
        },
    }


async def _answered(store: "Store", lease: WorkLease, item: WorkItem, client: TaskClient, said: Json) -> None:
    try:
        message = CreateMessageResult.model_validate(said)
        answer = parse_json(message.content.text) if isinstance(message.content, TextContent) else None
    except (ValidationError, UnreadableAnswerError):
        message, answer = None, None
    if message is None or refusal(item.id, item, answer) is not None:
        await store.work.release(lease.lease_id, item.id)
        return
    by = client.worker.model_copy(update={"model": message.model})
    await store.work.accept(lease.lease_id, by, {item.id: answer})


def _key(request: Request) -> str:
    # The id of a request is for people alone, who answer with it at the command line.
    return f"{_APPROVAL}{request.key[:32]}"


def _elicitation(request: Request) -> Json:
    told = (
        f"May this job execute {request.tool} of {request.plugin} on the real server? The first call would be "
        f"{canonical_json(request.arguments)[:_SHOWN]}"
    )
    allow: Json = {"type": "boolean", "title": "Allow", "description": f"Execute {request.tool} for this job"}
    schema: Json = {"type": "object", "properties": {"allow": allow}, "required": ["allow"]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": told, "requestedSchema": schema}}


def _consent(said: Json) -> bool | None:
    try:
        result = ElicitResult.model_validate(said)
    except ValidationError:
        return None
    if result.action == "accept":
        return (result.content or {}).get("allow") is True
    return False if result.action == "decline" else None
