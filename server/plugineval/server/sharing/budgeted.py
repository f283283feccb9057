"""Models under test, and judges, each of whose calls the budget of a run has to grant.

Whatever is asked in order to answer and to grade a run counts alike; the first question to every model does not.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from plugineval.pccf.chat import ChatModel, ChatReply, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, Router, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset
from plugineval.server.router_around import RouterAround
from plugineval.server.sharing.run_budget import RunBudget

R = TypeVar("R", RouterReply, ChatReply)
COUNTED = "of the models under test and of the judge, in all processes and restarts; first questions apart"
"""What the hard limits of a run count."""


def budgeted_routers(routers: Sequence[Router], budget: RunBudget) -> list[Router]:
    """`routers` within the budget."""
    return [_BudgetedRouter(router, budget) for router in routers] if budget.limits_anything else [*routers]


def budgeted_chat(model: ChatModel, budget: RunBudget | None) -> ChatModel:
    """`model` within the budget of a run, where it has one."""
    return model if budget is None or not budget.limits_anything else _BudgetedChat(model, budget)


class _BudgetedRouter(RouterAround):
    def __init__(self, router: Router, budget: RunBudget) -> None:
        super().__init__(router)
        self._budget = budget

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Its answer, or that a limit is reached."""
        reply = await _granted(self._budget, partial(self._router.route, query, toolset, seed=seed))
        return RouterReply(failure=reply) if isinstance(reply, Failure) else reply


class _BudgetedChat:
    def __init__(self, model: ChatModel, budget: RunBudget) -> None:
        self._model = model
        self._budget = budget

    @property
    def id(self) -> str:
        return self._model.id

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Its answer, or that a limit is reached."""
        reply = await _granted(self._budget, partial(self._model.complete, request))
        return ChatReply(failure=reply) if isinstance(reply, Failure) else reply


async def _granted(budget: RunBudget, call: Callable[[], Awaitable[R]]) -> R | Failure:
    """The answer to a call that the budget let go, or why it did not. It counts as one at least, however it ends."""
    if (refused := await budget.admit()) is not None:
        return refused
    spent, uncounted = Spent(calls=1), False
    try:
        reply = await call()
        if reply.spent is not None:
            # What is embedded asks no provider: it has no calls there, and no tokens to tell.
            uncounted = reply.failure is None and reply.spent.calls > 0 and not reply.spent.tokens
            spent = reply.spent if reply.spent.calls else reply.spent + spent
    finally:
        budget.paid(spent, uncounted=uncounted)
    return reply
