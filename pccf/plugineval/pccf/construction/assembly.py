"""Putting the result together: the benchmark in catalog order, and beside it everything that is not in it."""

from collections import Counter
from collections.abc import Sequence

from plugineval.pccf.construction.accounts import Accounts
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult, Counts, Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.coverage.standins import stand_ins
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Benchmark, Example, RouterFreeze
from plugineval.pccf.values import Value, content_hash


class Ending(Value):
    """How the loop came to its end."""

    catalog: Catalog = Catalog()
    rounds: tuple[ConstructionRound, ...] = ()
    stopped: StopReason | Incomplete
    router: RouterFreeze


def assembled(
    plan: ConstructionPlan, roles: ConstructionRoles, accounts: Accounts, ending: Ending
) -> ConstructionResult:
    """The result of a construction that came to its `ending`."""
    scenarios, table = ending.catalog.scenarios, accounts.table
    standing_in = stand_ins(table, accounts.surplus, scenarios) if plan.stand_ins else ()
    chosen = {stand_in.example for stand_in in standing_in}
    selected = [*accounts.counted, *(example for example in accounts.surplus if example.id in chosen)]
    order = {scenario.id: i for i, scenario in enumerate(scenarios)}
    selected.sort(key=lambda example: (order[example.scenario], example.difficulty.ordinal))
    incomplete = ending.stopped if isinstance(ending.stopped, Incomplete) else None
    return ConstructionResult(
        benchmark=_benchmark(plan, roles, ending, tuple(selected)),
        rounds=ending.rounds,
        stop_reason=None if isinstance(ending.stopped, Incomplete) else ending.stopped,
        incomplete=incomplete,
        coverage=table,
        counts=_counts(ending.rounds),
        skipped=ending.catalog.skipped,
        refused=ending.catalog.refused,
        surplus=accounts.surplus,
        stand_ins=standing_in,
        seeds_covered=_covered_by_seeds([*accounts.counted, *accounts.surplus]),
    )


def _benchmark(
    plan: ConstructionPlan, roles: ConstructionRoles, ending: Ending, examples: tuple[Example, ...]
) -> Benchmark:
    benchmark = Benchmark(
        id=plan.benchmark_id or "",
        name=plan.name,
        created_at=roles.clock(),
        plugins=plan.plugins,
        toolset=plan.toolset,
        scenarios=ending.catalog.scenarios,
        examples=examples,
        router=ending.router,
        roles=roles.ids,
        config=plan.config,
        stop_reason="incomplete" if isinstance(ending.stopped, Incomplete) else ending.stopped.value,
    )
    derived = f"benchmark-{content_hash([plan.name, benchmark.content_hash])[:16]}"
    return benchmark if plan.benchmark_id else benchmark.model_copy(update={"id": derived})


def _covered_by_seeds(verified: Sequence[Example]) -> tuple[CoverageUnit, ...]:
    real = [example for example in verified if example.query.origin == "real"]
    return tuple(dict.fromkeys(CoverageUnit(scenario=e.scenario, difficulty=e.difficulty) for e in real))


def _counts(rounds: Sequence[ConstructionRound]) -> Counts:
    filtered: Counter[str] = Counter()
    for done in rounds:
        filtered.update(done.filtered_by_reason)
    return Counts(
        candidates=sum(done.candidates for done in rounds),
        accepted=sum(done.accepted for done in rounds),
        rejected=sum(done.rejected for done in rounds),
        undecided=sum(done.undecided for done in rounds),
        disputed=sum(done.disputed for done in rounds),
        strengthened=sum(done.strengthened for done in rounds),
        harder=sum(done.harder for done in rounds),
        filtered=dict(sorted(filtered.items())),
    )
