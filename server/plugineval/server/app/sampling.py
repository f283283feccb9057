"""MCP sampling as a short cut to `work_next`: job_get puts a few items of the model `sampling` to the client's model.

Deprecated by the protocol, declared by hardly any client, and so nothing but an accelerator: the items stand in the
same queue, any agent may answer them through work_next, and an answer that cannot be used goes back there. The SDK
asks in either era of the protocol; it runs these functions once more for every round, so they ask the same again.
"""

from typing import Annotated, NamedTuple

from mcp.server.mcpserver.resolve import Resolve, Sample
from mcp_types import CreateMessageResult, SamplingMessage, TextContent

from plugineval.clients.agent.names import SAMPLING
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.json_answer import UnreadableAnswerError, parse_json
from plugineval.pccf.values import Json, canonical_json
from plugineval.server.app.access import Ctx, store_of
from plugineval.server.app.workers import worker_of
from plugineval.server.store.work_notes import WorkLease, WorkWish
from plugineval.server.work.handing import refusal

VIA = "sampling (deprecated)"
AT_ONCE = 4
"""Items that one call puts to the client's model; independent questions go out in one round."""
MAX_TOKENS = 4000


class Sampled(NamedTuple):
    """What a call answered through sampling."""

    accepted: int = 0
    refused: tuple[str, ...] = ()
    """Why answers could not be used; their items wait for work_next."""

    @property
    def told(self) -> str:
        """One sentence; empty where nothing was asked."""
        parts = [f"{self.accepted} items were answered by MCP sampling, which is deprecated"] if self.accepted else []
        parts += [f"{why}; call work_next to answer it" for why in self.refused]
        return ". ".join(parts)


def refuse_without_sampling(ctx: Ctx, models: tuple[str, ...]) -> None:
    """`ConfigurationError` where a job wants to sample a client that does not declare it."""
    if SAMPLING in models and not _declared(ctx):
        raise ConfigurationError(
            "this client does not declare MCP sampling",
            field="model",
            next_step="name the model agent instead, and answer its items through work_next",
        )


async def _leased(ctx: Ctx, job_id: str) -> WorkLease | None:
    """The items of this call: those that an earlier round of it took, or new ones."""
    if not _declared(ctx):
        return None
    store, worker = await store_of(ctx), worker_of(ctx, via=VIA)
    wish = WorkWish(job_id=job_id, limit=AT_ONCE, model=SAMPLING)
    return await store.work.held_by(worker, wish) or await store.work.lease(worker, wish)


class _Question:
    """Puts item `number` of the lease to the client's model."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def __call__(self, lease: Annotated[WorkLease | None, Resolve(_leased)]) -> Sample | None:
        if lease is None or len(lease.items) <= self._number:
            return None
        question = lease.items[self._number].question
        shape = f"Your answer is JSON that fits this schema: {canonical_json(question.answer_schema)}"
        told = f"{question.evidence}\n\n{shape}"
        content = TextContent(type="text", text=told)
        messages = [SamplingMessage(role="user", content=content)]
        return Sample(messages, max_tokens=MAX_TOKENS, system_prompt=question.instructions)


_FIRST, _SECOND, _THIRD, _FOURTH = (_Question(number) for number in range(AT_ONCE))


async def sampled_work(
    ctx: Ctx,
    lease: Annotated[WorkLease | None, Resolve(_leased)],
    first: Annotated[CreateMessageResult | None, Resolve(_FIRST)],
    second: Annotated[CreateMessageResult | None, Resolve(_SECOND)],
    third: Annotated[CreateMessageResult | None, Resolve(_THIRD)],
    fourth: Annotated[CreateMessageResult | None, Resolve(_FOURTH)],
) -> Sampled:
    """Take in what the client's model answered."""
    if lease is None or not lease.items:
        return Sampled()
    shelf, accepted, refused = (await store_of(ctx)).work, 0, list[str]()
    for item, said in zip(lease.items, (first, second, third, fourth), strict=False):
        answer, why = _read(said)
        why = why or getattr(refusal(item.id, item, answer), "reason", "")
        if why or said is None:
            await shelf.release(lease.lease_id, item.id)
            refused.append(f"the answer to {item.id} cannot be used: {why}")
            continue
        (taken,) = await shelf.accept(lease.lease_id, worker_of(ctx, said.model, via=VIA), {item.id: answer})
        accepted += taken.status != "refused"
    return Sampled(accepted, tuple(refused))


def _read(said: CreateMessageResult | None) -> tuple[Json, str]:
    if said is None or not isinstance(said.content, TextContent):
        return None, "it is no text"
    try:
        return parse_json(said.content.text), ""
    except UnreadableAnswerError as error:
        return None, str(error)


def _declared(ctx: Ctx) -> bool:
    return ctx.client_capabilities is not None and ctx.client_capabilities.sampling is not None
