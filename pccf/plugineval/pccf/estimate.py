"""What a construction will take, told before it costs anything: calls, tokens, money and minutes, as ranges.

Calls come from the numbers of the configuration (`expected_calls`), tokens from the sizes of prompts and tools
(`expected_tokens`), money from prices; minutes are the time of all model calls at the given concurrency, and at least
that of one candidate after the other through the steps that wait for each other, and that of all calls that are
answered on this machine.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.durations import lasting
from plugineval.pccf.expected_calls import Range, ranges_of
from plugineval.pccf.expected_tokens import CHARACTERS_PER_TOKEN, PerCall, tokens_per_call
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value

NOTHING = Range(low=0, expected=0, high=0)
STEPS = 6
"""Calls that wait for each other: write, vote, propose, S_arg, execute and S_out, or calibrate."""
PASSES = Range(low=1, expected=4, high=50)
"""Rounds of the loop, each of which waits for the one before."""
LOCAL_S = 0.01
"""Of one call of an embedded model or a plugin on this machine: 4 to 16 ms in builds on seven servers, two cores."""


class Pricing(Protocol):
    """What the tokens of one model cost."""

    def cost_of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars."""
        ...


@dataclass(frozen=True, kw_only=True)
class EstimateTask:
    """What is to be built, and by whom."""

    config: BuildConfig
    toolset: Toolset
    executable: frozenset[str]
    """Offered names of the tools that may be executed."""
    players: Mapping[str, tuple[str, ...]]
    """Role -> the models that share its calls evenly; every annotator is asked each time."""
    embedded: frozenset[str] = frozenset()
    """Models of `players` that take no tokens and no money, and hardly any time: those that run in this process."""
    prices: Mapping[str, Pricing] = field(default_factory=dict[str, Pricing])
    """Model -> its prices; what is not in here and not embedded has an unknown cost."""
    latency_s: float = 2.0
    """Of one answer of a model."""


class RoleEstimate(Value):
    """One role. `tokens` and `cost` are those of all its calls."""

    role: str
    models: tuple[str, ...]
    calls: Range
    tokens: Range
    cost: Range | None
    """US dollars; None where a model has no known price."""


class Estimate(Value):
    """All roles, and their sums. Whole numbers, but for money and minutes."""

    roles: tuple[RoleEstimate, ...]
    calls: Range
    tokens: Range
    cost: Range | None
    minutes: Range
    unpriced: tuple[str, ...] = ()
    """Models whose price is unknown."""
    assumptions: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """One line of it."""
        calls = f"estimated {self.calls.expected:,.0f} calls ({self.calls.low:,.0f} to {self.calls.high:,.0f})"
        tokens = f", {self.tokens.expected:,.0f} tokens" if self.tokens.expected else ""
        return f"{calls}{tokens}, {self.money}, about {lasting(self.minutes.expected * 60)}"

    @property
    def money(self) -> str:
        """The expected cost in words."""
        if self.cost is None:
            return f"price of {', '.join(self.unpriced)} unknown"
        if not self.cost.high:
            return "no money"
        return f"{self.cost.expected:.4g} dollars ({self.cost.low:.4g} to {self.cost.high:.4g})"


def estimate(task: EstimateTask) -> Estimate:
    """The estimate of `task`; nothing is asked of anybody. The arithmetic is that of the modules named above."""
    per_call = tokens_per_call(task.toolset)
    roles = tuple(_role(task, name, calls, per_call.get(name)) for name, calls in _calls(task).items())
    costs = [role.cost for role in roles if role.cost is not None]
    return Estimate(
        roles=roles,
        calls=_sum(role.calls for role in roles),
        tokens=_sum(role.tokens for role in roles),
        cost=_sum(costs) if len(costs) == len(roles) else None,
        minutes=_minutes(task, roles),
        unpriced=tuple(dict.fromkeys(model for role in roles for model in role.models if not _known(task, model))),
        assumptions=_assumptions(task, asked=any(role.tokens.high for role in roles)),
    )


def _assumptions(task: EstimateTask, *, asked: bool) -> tuple[str, ...]:
    """What the numbers are based on; of models only where one is `asked`."""
    models = (
        f"a token is {CHARACTERS_PER_TOKEN} characters",
        f"a model answers in {task.latency_s:g} s; {task.config.concurrency} calls are in flight at once",
    )
    return (
        *(models if asked else ()),
        f"an embedded model or a plugin answers in {LOCAL_S:g} s, one after the other",
        "the expected number of calls is that of builds that were made, on servers of 2 to 21 tools",
        "the highest is that of a build in which hardly anything is right",
    )


def _calls(task: EstimateTask) -> dict[str, Range]:
    return ranges_of(
        task.config,
        tools=len(task.toolset.tools),
        executable=len(task.executable),
        annotators=len(task.players.get("annotators", ("",))),
    )


def _role(task: EstimateTask, role: str, calls: Range, per_call: PerCall | None) -> RoleEstimate:
    models = task.players.get(role, ())
    asked = [model for model in models if model not in task.embedded]
    if per_call is None or not asked:
        return RoleEstimate(role=role, models=models, calls=calls, tokens=NOTHING, cost=NOTHING)
    each = calls.times(1 / len(models))
    known = all(model in task.prices for model in asked)
    costs = (each.times(task.prices[model].cost_of(*per_call)) for model in asked if known)
    tokens = each.times(len(asked) * sum(per_call)).rounded()
    return RoleEstimate(role=role, models=models, calls=calls, tokens=tokens, cost=_sum(costs) if known else None)


def _known(task: EstimateTask, model: str) -> bool:
    return model in task.embedded or model in task.prices


def _minutes(task: EstimateTask, roles: Sequence[RoleEstimate]) -> Range:
    """A role without tokens is played in this process or by a plugin."""
    local = _sum(role.calls for role in roles if not role.tokens.high).times(LOCAL_S / 60)
    calls = _sum(role.calls for role in roles if role.tokens.high)
    if not calls.high:
        return local
    at_once = calls.times(task.latency_s / task.config.concurrency / 60)
    waiting = PASSES.times(STEPS * task.latency_s / 60)
    asked = Range(
        low=max(at_once.low, waiting.low),
        expected=max(at_once.expected, waiting.expected),
        high=max(at_once.high, waiting.high),
    )
    return asked + local


def _sum(ranges: Iterable[Range]) -> Range:
    return sum(ranges, NOTHING)
