"""Where tools of a job wait for a person: the job does what else it can, then ends to be resumed, and says who answers.

Candidates that need such a tool stay undecided; nothing is written for it again before a person was heard.
"""

from collections.abc import Awaitable, Callable

from plugineval.pccf.construction.events import ConstructionEvent, RoundEnded
from plugineval.pccf.errors import IncompleteError
from plugineval.server.jobs.context import JobContext
from plugineval.server.trust.requests import Request, Requests
from plugineval.server.wording import counted


class UnconfirmedError(IncompleteError):
    """`requests` wait for a person."""

    def __init__(self, requests: tuple[Request, ...]) -> None:
        self.requests = requests
        names = ", ".join(f"{request.plugin}/{request.tool}" for request in requests)
        commands = ", ".join(f"`{request.command}`" for request in requests)
        super().__init__(
            f"needs approval: {counted(len(requests), 'tool')} with policy ask may be executed once a person confirms "
            f"it for this job ({names}); what else could be done is done",
            next_step=f"run {commands}, then resume the job; a client that can ask its user does so on job_resume",
        )


def refuse_unconfirmed(context: JobContext) -> None:
    """`UnconfirmedError` where the job asked for something that nobody has answered yet."""
    pending = Requests(context.workspace.settings.home).pending(context.job_id)
    if pending:
        raise UnconfirmedError(pending)


def until_unconfirmed(
    context: JobContext, on_event: Callable[[ConstructionEvent], Awaitable[None]]
) -> Callable[[ConstructionEvent], Awaitable[None]]:
    """`on_event`, which ends the construction after a round in which something waited for a person."""

    async def told(event: ConstructionEvent) -> None:
        await on_event(event)
        if isinstance(event, RoundEnded):
            refuse_unconfirmed(context)

    return told
