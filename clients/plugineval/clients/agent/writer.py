"""The query writer played by an agent; a kind of work for each of its three verbs.

Its clock stands still at the start of the job: what an item says must not change when a resumed job asks again, and
the queries must have been asked at the time that the writer was told.
"""

from datetime import datetime

from plugineval.clients.agent.answers import WorkQueue
from plugineval.clients.agent.chat import AgentChatModel, Seat
from plugineval.clients.agent.names import AGENT
from plugineval.clients.agent.questions import WorkKind
from plugineval.pccf.coverage.writing import PromptedQueryWriter
from plugineval.pccf.roles import DerivedScenarios, ScenarioTask, StrengtheningTask, WritingTask, Written


class AgentQueryWriter:
    """`plugineval.pccf.roles.QueryWriter`."""

    def __init__(self, queue: WorkQueue, *, now: datetime, model: str = AGENT) -> None:
        self._queue = queue
        self._now = now
        self._model = model

    @property
    def id(self) -> str:
        """The id of the settings."""
        return self._model

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        """Scenarios of one tool."""
        return await self._writer(WorkKind.WRITE_SCENARIOS).scenarios(task)

    async def write(self, task: WritingTask) -> Written:
        """Queries for one gap."""
        return await self._writer(WorkKind.WRITE_QUERY).write(task)

    async def strengthen(self, task: StrengtheningTask) -> Written:
        """A harder wording of a negative."""
        return await self._writer(WorkKind.STRENGTHEN_QUERY).strengthen(task)

    def _writer(self, kind: WorkKind) -> PromptedQueryWriter:
        chat = AgentChatModel(self._queue, Seat(kind=kind, model=self._model))
        return PromptedQueryWriter(chat, lambda: self._now)
