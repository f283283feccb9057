"""Limits that are used up already: work cannot go on under them, and what it had made would look like its end."""

from typing import TYPE_CHECKING, NamedTuple

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.spending import Spent
from plugineval.server.store.summaries import Job

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class SpentAlready(NamedTuple):
    """What a job has taken over all its processes, as far as that is known."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    """US dollars of the calls whose cost is known."""
    minutes: float = 0.0

    @classmethod
    def of(cls, spent: Spent, *, known_cost: float, minutes: float) -> "SpentAlready":
        """From what a meter or a budget counted."""
        return cls(calls=spent.calls, tokens=spent.tokens, cost=known_cost, minutes=minutes)

    def require_more(self, said: BuildLimits) -> None:
        """`ConfigurationError` for the first of the limits `said` that leaves nothing; None among them was not said."""
        rows = (
            ("calls", said.calls, self.calls, f"{self.calls} calls"),
            ("tokens", said.tokens, self.tokens, f"{self.tokens} tokens"),
            ("cost", said.cost, self.cost, f"{self.cost:.6g} dollars"),
            ("minutes", said.minutes, self.minutes, f"{self.minutes:.6g} minutes"),
        )
        for name, limit, used, told in rows:
            if limit is not None and limit <= used:
                raise ConfigurationError(
                    f"{told} are used already", field=f"limits.{name}", next_step=f"give more than {told}"
                )


async def spent_already(store: "Store", job: Job) -> SpentAlready:
    """What `job` has spent: a run at any time, a build or an ablation once it has ended."""
    from plugineval.server.jobs.ablate_outcome import AblationOutcome
    from plugineval.server.jobs.outcomes import BuildOutcome
    from plugineval.server.sharing.run_budget import budget_of

    if job.kind == "evaluate":
        state = await budget_of(store, job.id)
        return SpentAlready.of(state.spent, known_cost=state.known_cost, minutes=state.seconds / 60)
    if job.result is None:
        return SpentAlready()
    if job.kind == "ablate":
        ablated = AblationOutcome.model_validate(job.result)
        return SpentAlready.of(ablated.spent, known_cost=ablated.spent.cost or 0.0, minutes=ablated.minutes)
    took = BuildOutcome.model_validate(job.result).spending
    none = SpentAlready()
    return none if took is None else SpentAlready.of(took.spent, known_cost=took.known_cost, minutes=took.minutes)
