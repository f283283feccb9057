"""One registered plugin, warm: its sessions, its policy, and how its answers are read."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from plugineval.clients.plugins.approvals import Admission
from plugineval.clients.plugins.asking import Asker
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.keeper import Keeper
from plugineval.clients.plugins.policy import ExecutionDecision
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Arguments

if TYPE_CHECKING:
    from plugineval.clients.plugins.opening import Opened


class WarmPlugin:
    """Calls go to the session with the fewest in flight, so a second process starts only when the first is busy."""

    def __init__(
        self,
        registration: PluginRegistration,
        household: Household,
        redactor: Redactor,
        open_on: "Callable[[], Awaitable[Opened]] | None" = None,
    ) -> None:
        """`open_on` prepares each connection on a sandbox copy."""
        self._admission = Admission(registration, redactor, household.permissions.approvals)
        self._asker = Asker(registration, redactor, self._admission, household.permissions.confirmations)
        count = household.processes_per_plugin
        self._keepers = [Keeper(registration, redactor, household, open_on) for _ in range(count)]

    def may_execute(self, tool: ToolSpec) -> ExecutionDecision:
        """What the policy says."""
        return self._asker.may_execute(tool)

    async def snapshot(self) -> Plugin:
        """All tools as the server lists them now."""
        return await self._admission.snapshot(await self._keepers[0].connection())

    async def call(
        self, tool: ToolSpec, arguments: Arguments, after: Sequence[tuple[ToolSpec, Invocation]]
    ) -> Observation:
        """Execute once, if the policy allows it; this session has seen the calls `after` which it comes."""
        refused = self._asker.refusal(tool, arguments)
        if refused is not None:
            return refused
        keeper = min(self._keepers, key=lambda candidate: candidate.in_flight)
        keeper.in_flight += 1
        try:
            return await self._asker.ask(await keeper.connection(), tool, arguments)
        except PluginUnavailableError as error:
            return self._asker.unreachable(tool, arguments, error)
        finally:
            keeper.in_flight -= 1

    def dismiss(self) -> None:
        """Ask all sessions to end."""
        for keeper in self._keepers:
            keeper.dismiss()
