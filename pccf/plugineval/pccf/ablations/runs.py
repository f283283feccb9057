"""One construction per variant, and what it shows: which candidates passed, which gold is wrong, what is covered.

Constructions run one after the other on the plan's one benchmark id, so that equal candidates have equal records and
equal calls equal keys: what one variant has asked the next one replays.
"""

from functools import partial

import anyio

from plugineval.pccf.ablations.asking import Asked
from plugineval.pccf.ablations.outcomes import CandidateOutcome
from plugineval.pccf.ablations.truth import Claim, Oracle
from plugineval.pccf.ablations.variants import Variant
from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, OnEvent, RecordVerified
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.examples import Example
from plugineval.pccf.loop import construct
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value

_ORACLES_AT_ONCE = 16


class VariantRun(Value):
    """A variant with everything that its measures are taken from."""

    variant: Variant
    plugins: tuple[str, ...]
    result: ConstructionResult
    candidates: tuple[CandidateOutcome, ...]
    claims: tuple[Claim, ...] = ()
    """What Stage I accepted."""
    first_shot: tuple[Example, ...] = ()
    """Examples of queries that were written before anything was known to be missing or too easy."""
    asked: Asked = Asked()
    judging: Asked = Asked()
    """By the oracle."""

    @property
    def real(self) -> tuple[Example, ...]:
        """Verified real queries."""
        return tuple(example for example in self.result.verified if example.query.origin == "real")


class Watch:
    """Listens to one construction; hands everything on to `then`."""

    def __init__(self, toolset: Toolset, then: OnEvent | None = None) -> None:
        self._toolset, self._then = toolset, then
        self._scenarios: dict[str, Scenario] = {}
        self._records: dict[str, VerificationRecord] = {}
        self.first_shot: list[Example] = []

    async def on_event(self, event: ConstructionEvent) -> None:
        """Remember one event."""
        match event:
            case CatalogMade(catalog=catalog):
                self._scenarios |= {scenario.id: scenario for scenario in catalog.scenarios}
            case RecordVerified(round=number, record=record, example=example):
                self._records[record.id] = record
                if example is not None and number == 1 and record.strengthens is None:
                    self.first_shot.append(example)
            case _:
                pass
        if self._then is not None:
            await self._then(event)

    @property
    def outcomes(self) -> list[CandidateOutcome]:
        """Of all candidates, by record: an order that no race decides."""
        return [CandidateOutcome.of(self._records[name]) for name in sorted(self._records)]

    @property
    def claims(self) -> list[Claim]:
        """The gold that Stage I accepted, in the same order."""
        return [self._claim(self._records[each.record]) for each in self.outcomes if each.passed]

    def _claim(self, record: VerificationRecord) -> Claim:
        names = (record.target, *(each.target for each in record.further))
        scenario = self._scenarios[record.scenario]
        return Claim(record=record, scenario=scenario, tools=tuple(self._toolset.tool(name) for name in names))


async def run_variant(
    variant: Variant, plan: ConstructionPlan, roles: ConstructionRoles, on_event: OnEvent | None = None
) -> VariantRun:
    """Construct `plan` with the numbers of `variant`; `roles` hold its numbers of Stage I.

    Whether the gold is right is not asked yet. Raises what `construct` raises; an outage leaves `result.incomplete`.
    """
    watch = Watch(plan.toolset, on_event)
    result = await construct(plan.model_copy(update={"config": variant.config}), roles, watch.on_event)
    return VariantRun(
        variant=variant,
        plugins=tuple(plugin.name for plugin in plan.plugins),
        result=result,
        candidates=tuple(watch.outcomes),
        claims=tuple(watch.claims),
        first_shot=tuple(sorted(watch.first_shot, key=lambda example: example.id)),
    )


async def with_truth(run: VariantRun, oracle: Oracle) -> VariantRun:
    """`run` with the oracle's word on every accepted gold (P62)."""
    limiter = anyio.CapacityLimiter(_ORACLES_AT_ONCE)

    async def ask(claim: Claim) -> bool | None:
        async with limiter:
            return await oracle.is_right(claim)

    answers = await in_order([partial(ask, claim) for claim in run.claims])
    right = {claim.record.id: answer for claim, answer in zip(run.claims, answers, strict=True)}
    known = [each.model_copy(update={"right": right.get(each.record)}) for each in run.candidates]
    return run.model_copy(update={"candidates": tuple(known)})
