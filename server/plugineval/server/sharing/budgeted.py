"""Models under test, and judges, each of whose calls the budget of a run has to grant.

Whatever is asked in order to answer and to grade a run counts alike; the first question to every model does not.
"""

from collections.abc import Sequence

from plugineval.pccf.chat import ChatModel, ChatReply, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Failure, Router, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset
from plugineval.server.router_around import RouterAround
from plugineval.server.sharing.run_budget import RunBudget

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
        if (refused := await self._budget.admit()) is not None:
            return RouterReply(failure=refused)
        call = _Call(self._budget)
        try:
            reply = await self._router.route(query, toolset, seed=seed)
            call.told(reply.spent, reply.failure)
        finally:
            call.end()
        return reply


class _BudgetedChat:
    def __init__(self, model: ChatModel, budget: RunBudget) -> None:
        self._model = model
        self._budget = budget

    @property
    def id(self) -> str:
        return self._model.id

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Its answer, or that a limit is reached."""
        if (refused := await self._budget.admit()) is not None:
            return ChatReply(failure=refused)
        call = _Call(self._budget)
        try:
            reply = await self._model.complete(request)
            call.told(reply.spent, reply.failure)
        finally:
            call.end()
        return reply


class _Call:
    """One that was let go: it counts as one at least, whatever becomes of it."""

    def __init__(self, budget: RunBudget) -> None:
        self._budget = budget
        self._spent, self._uncounted = Spent(calls=1), False

    def told(self, spent: Spent | None, failure: Failure | None) -> None:
        """What its answer says of it; an adapter that counts nothing says None."""
        if spent is not None:
            self._spent = spent if spent.calls else spent + self._spent
            # What is embedded asks no provider: it has no calls there, and no tokens to tell.
            self._uncounted = failure is None and spent.calls > 0 and not spent.tokens

    def end(self) -> None:
        """Tell the budget."""
        self._budget.paid(self._spent, uncounted=self._uncounted)
