"""One registered plugin, warm: its sessions, its policy, and how its answers are read."""

from time import perf_counter
from typing import TYPE_CHECKING

from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.keeper import Keeper
from plugineval.clients.plugins.observations import Executed, Observer
from plugineval.clients.plugins.policy import ExecutionDecision, decide
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.wire import BrokenAnswer
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Arguments

if TYPE_CHECKING:
    from plugineval.clients.plugins.connection import Answer


class WarmPlugin:
    """Calls go to the session with the fewest in flight, so a second process starts only when the first is busy."""

    def __init__(self, registration: PluginRegistration, household: Household) -> None:
        self._registration = registration
        self._redactor = Redactor([*registration.env.values(), *registration.headers.values()])
        self._observer = Observer(self._redactor, cap_bytes=registration.output_cap_bytes)
        count = household.processes_per_plugin
        self._keepers = [Keeper(registration, self._redactor, household) for _ in range(count)]

    def may_execute(self, tool: ToolSpec) -> ExecutionDecision:
        """What the policy says."""
        return decide(tool, self._registration)

    async def snapshot(self) -> Plugin:
        """All tools as the server lists them now."""
        from plugineval.clients.plugins.listing import list_plugin

        connection = await self._keepers[0].connection()
        return await list_plugin(self._registration, connection, self._redactor)

    async def call(self, tool: ToolSpec, arguments: Arguments) -> Observation:
        """Execute once, if the policy allows it."""
        decision = self.may_execute(tool)
        if not decision.allowed:
            return self._observer.refused(Executed(tool, arguments), decision.reason)
        keeper = min(self._keepers, key=lambda candidate: candidate.in_flight)
        keeper.in_flight += 1
        try:
            return await self._call_through(keeper, tool, arguments)
        finally:
            keeper.in_flight -= 1

    def dismiss(self) -> None:
        """Ask all sessions to end."""
        for keeper in self._keepers:
            keeper.dismiss()

    async def _call_through(self, keeper: Keeper, tool: ToolSpec, arguments: Arguments) -> Observation:
        try:
            connection = await keeper.connection()
        except PluginUnavailableError as error:
            return self._observer.broken(
                Executed(tool, arguments), BrokenAnswer(kind=ObservationKind.DIED, detail=str(error))
            )
        began = perf_counter()
        answer = await connection.call(tool.name, arguments, self._registration.call_timeout_s)
        return self._observed(Executed(tool, arguments, (perf_counter() - began) * 1000), answer)

    def _observed(self, executed: Executed, answer: "Answer | BrokenAnswer") -> Observation:
        from mcp.types import CallToolResult

        if isinstance(answer, BrokenAnswer):
            return self._observer.broken(executed, answer)
        if isinstance(answer, CallToolResult):
            return self._observer.answered(executed, answer)
        return self._observer.asked(executed, answer)
