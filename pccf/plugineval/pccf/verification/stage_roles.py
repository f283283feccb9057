"""Everything Stage I works with, in one frozen bundle that the composition root fills."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio

from plugineval.pccf.calling import Limits
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.execution import PluginSession
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.roles import ArgumentEvaluator, Generator, ResultEvaluator


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class StageOneRoles:
    """Who proposes, who judges, what executes, and under which numbers.

    `ConfigurationError` where there is no generator, or where one model generates and evaluates although
    `config.allow_self_judged` is false (P17).
    """

    generators: Sequence[Generator]
    """Generator m of the M = `config.generators` is `generators[m % len(generators)]`."""
    arguments: ArgumentEvaluator
    results: ResultEvaluator
    session: PluginSession
    ledger: Ledger
    config: VerificationConfig = field(default_factory=VerificationConfig)
    clock: Callable[[], datetime] = _now
    """Dates the records; durations are measured with the event loop's clock."""
    limiter: anyio.CapacityLimiter | None = None
    """Held around every call of a role or plugin that is really made."""
    meter: Limits | None = None
    """Refuses calls once a hard limit is spent; such a call is an outage, never a verdict."""
    several: frozenset[str] = frozenset()
    """Ids behind which several may stand, such as connected agents: each record tells, and compares, who it was."""
    call_timeout_s: float | None = None
    """Upper bound of one such call on top of what its adapter keeps to; None where people answer (leased work)."""

    def __post_init__(self) -> None:
        """Refuse a bundle that could not verify anything, or not as configured."""
        if not self.generators:
            raise ConfigurationError("at least one generator is needed", field="roles.generators")
        if self.bias_warnings and not self.config.allow_self_judged:
            raise ConfigurationError(
                self.bias_warnings[0],
                field="roles",
                next_step="bind the evaluator to another model, or set allow_self_judged = true",
            )

    def generator(self, index: int) -> Generator:
        """Generator m = `index`."""
        return self.generators[index % len(self.generators)]

    @property
    def bias_warnings(self) -> tuple[str, ...]:
        """One sentence for every evaluator that is also a generator (P17)."""
        playing = {self.generator(index).id for index in range(self.config.generators)} - self.several
        judging = (("argument evaluator", self.arguments.id), ("result evaluator", self.results.id))
        return tuple(f"{who} is generator and {what} at once" for what, who in judging if who in playing)
