"""One call on a live connection, if the policy allows it, and the observation that comes of it."""

from time import perf_counter
from typing import TYPE_CHECKING

from plugineval.clients.plugins.approvals import Admission
from plugineval.clients.plugins.confirming import Confirmations
from plugineval.clients.plugins.observations import Executed, Observer
from plugineval.clients.plugins.policy import ExecutionDecision, decide
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import for_copy
from plugineval.clients.plugins.wire import BrokenAnswer
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments

if TYPE_CHECKING:
    from plugineval.clients.plugins.connection import Answer, Connection


class Asker:
    """Of one plugin."""

    def __init__(
        self,
        registration: PluginRegistration,
        redactor: Redactor,
        admission: Admission,
        confirmations: Confirmations,
    ) -> None:
        self._registration = registration
        self._admission = admission
        self._confirmations = confirmations
        self._observer = Observer(redactor, cap_bytes=registration.output_cap_bytes)

    def may_execute(self, tool: ToolSpec) -> ExecutionDecision:
        """What the policy says."""
        return decide(tool, self._registration)

    def refusal(self, tool: ToolSpec, arguments: Arguments) -> Observation | None:
        """The observation of a call that the policy forbids, or that a person did not confirm."""
        decision, executed = self.may_execute(tool), Executed(tool, arguments)
        if not decision.allowed:
            return self._observer.refused(executed, decision.reason)
        if not decision.ask:
            return None
        said = self._confirmations.of(tool, arguments)
        if said.state == "refused":
            return self._observer.refused(executed, said.reason)
        return self._observer.unconfirmed(executed, said.reason) if said.state == "pending" else None

    def unreachable(self, tool: ToolSpec, arguments: Arguments, error: PluginUnavailableError) -> Observation:
        """The observation of a call for which there is no connection."""
        return self._observer.broken(
            Executed(tool, arguments), BrokenAnswer(kind=ObservationKind.DIED, detail=str(error))
        )

    async def ask(self, connection: "Connection", tool: ToolSpec, arguments: Arguments) -> Observation:
        """Execute once, if the policy allows it. Raises `ToolsChangedError` and `PluginUnavailableError`."""
        refused = self.refusal(tool, arguments)
        if refused is not None:
            return refused
        await self._admission.admit(connection)
        folder = connection.folder
        sent = arguments if folder is None else for_copy(arguments, folder)
        began = perf_counter()
        answer = await connection.call(tool.name, sent, self._registration.call_timeout_s)
        return self._observed(Executed(tool, arguments, (perf_counter() - began) * 1000), answer)

    def _observed(self, executed: Executed, answer: "Answer | BrokenAnswer") -> Observation:
        from mcp.types import CallToolResult

        if isinstance(answer, BrokenAnswer):
            return self._observer.broken(executed, answer)
        if isinstance(answer, CallToolResult):
            return self._observer.answered(executed, answer)
        return self._observer.asked(executed, answer)
