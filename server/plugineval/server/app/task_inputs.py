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
from plugineval.pccf.values import Json, canonical_json, content_hash
from plugineval.server.app.confirming import AT_ONCE as MOST
from plugineval.server.app.confirming import asks_people, field_of, form_of, message_of
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


class TaskClient:
    """Who follows a task, and what it can be asked."""

    def __init__(self, worker: Worker, capabilities: ClientCapabilities | None) -> None:
        self.worker = worker
        self.samples = capabilities is not None and capabilities.sampling is not None
        self.elicits = asks_people(capabilities)


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
        """One form for all of them."""
        pending = _pending(engine, job)
        if not pending or not client.elicits or job.state is not JobState.INTERRUPTED:
            return {}
        form: Inputs = {
            "mode": "form",
            "message": message_of(job.id, pending),
            "requestedSchema": form_of(pending).model_json_schema(),
        }
        return {_key(pending): {"method": "elicitation/create", "params": form}}

    async def take(self, engine: JobEngine, job: Job, client: TaskClient, given: Inputs) -> None:
        """Write down what the person said, and let the job go on. Who declines or closes the form has refused."""
        pending = _pending(engine, job)
        if not pending or _key(pending) not in given:
            return
        try:
            result = ElicitResult.model_validate(given[_key(pending)])
        except ValidationError:
            return
        granted = (result.content or {}) if result.action == "accept" else {}
        requests = Requests(engine.workspace.settings.home)
        for request in pending:
            said = granted.get(field_of(request)) is True
            requests.answer(request, granted=said, by=f"asked by {client.worker.client}")
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


def _pending(engine: JobEngine, job: Job) -> tuple[Request, ...]:
    return Requests(engine.workspace.settings.home).pending(job.id)[:MOST]


def _key(pending: tuple[Request, ...]) -> str:
    # The id of a request is for people alone, who answer with it at the command line.
    return f"approval-{content_hash([request.key for request in pending])[:24]}"
