"""The estimate of a build on these settings, and what became of it."""

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.durations import lasting
from plugineval.pccf.estimate import Estimate, EstimateTask, estimate
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value
from plugineval.server.settings.pricing import free_of_charge, players_of
from plugineval.server.settings.settings import Settings

ESTIMATED = "estimated"
"""How every told estimate begins."""


class Spending(Value):
    """What a construction took, over all its restarts, beside what was estimated."""

    spent: Spent
    """Every answer once, however often it was replayed; with the calls that failed and the first questions."""
    uncounted: str | None = None
    """A model whose answers tell no tokens, such as an agent: the tokens of `spent` are then not all, and may be 0."""
    known_cost: float = 0.0
    """US dollars of the calls whose cost is known, where `spent.cost` is not."""
    minutes: float
    """Of work."""
    estimate: Estimate
    limit: str = ""
    """The limit that ended it, in words; empty where none did."""

    @property
    def told(self) -> str:
        """One line of it."""
        spent = self.spent
        tokens = f"{spent.input_tokens:,} input and {spent.output_tokens:,} output tokens, " if spent.tokens else ""
        tokens += f"tokens of {self.uncounted} unknown, " if self.uncounted else ""
        known = f"at least {self.known_cost:.4g} dollars (not all prices known)" if self.known_cost else "price unknown"
        money = known if spent.cost is None else f"{spent.cost:.4g} dollars"
        made = f"{spent.calls:,}"
        return (
            f"{ESTIMATED} {self.estimate.calls.expected:,.0f} calls, made {made}; {tokens}{money}, "
            f"{lasting(self.minutes * 60)} of work"
        )


def estimate_of(settings: Settings, config: BuildConfig, toolset: Toolset, executable: frozenset[str]) -> Estimate:
    """What building on `toolset` will take with the models that play the roles."""
    players = players_of(settings)
    named = {model for models in players.values() for model in models}
    prices = {name: model.prices for name, model in settings.models.items() if model.prices is not None}
    task = EstimateTask(
        config=config,
        toolset=toolset,
        executable=executable,
        players=players,
        embedded=frozenset(filter(free_of_charge, named)),
        prices=prices,
    )
    return estimate(task)
