"""How a measured benchmark came to be, read from what its construction stored; a cases file has no such facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.harness.construction import Construction, CoverageUnit
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.deficits import CoverageRow
from plugineval.pccf.values import Json
from plugineval.pccf.verification.separation import is_self_judged
from plugineval.server.jobs.reasons import Reason, Reasons
from plugineval.server.jobs.stop_reasons import stopped_because

if TYPE_CHECKING:
    from plugineval.pccf.examples import Benchmark
    from plugineval.server.store.store import Store


async def construction_of(store: "Store", run_id: str) -> Construction | None:
    """Roles, numbers, counts and coverage of the benchmark that a run measured."""
    benchmark_id = (await store.runs.entry(run_id)).benchmark_id
    return None if benchmark_id is None else await construction_of_benchmark(store, benchmark_id)


async def construction_of_benchmark(store: "Store", benchmark_id: str) -> Construction:
    """The same of a benchmark, whoever measured it."""
    benchmark = await store.benchmarks.get(benchmark_id)
    verdicts = await store.records.verdicts(benchmark_id)
    rounds = await read_rounds(store, benchmark_id)
    accepted = len(benchmark.examples)
    return Construction(
        roles=benchmark.roles,
        bias_warnings=(*_bias(benchmark), *await _agents_bias(store, benchmark)),
        parameters=_parameters(benchmark),
        accepted=accepted,
        surplus=verdicts.get("accepted", 0) - accepted,
        rejected=verdicts.get("rejected", 0),
        undecided=verdicts.get("undecided", 0),
        stop_reason=stopped_because(benchmark.stop_reason, benchmark.config, rounds),
        coverage=tuple(
            CoverageUnit(unit=row.unit.key, budget=row.budget, verified=row.verified)
            for row in covered(benchmark, rounds)
        ),
    )


def covered(benchmark: "Benchmark", rounds: "Sequence[ConstructionRound]") -> list[CoverageRow]:
    """The units that were asked for or filled, in the order of tools and scenarios."""
    tools = {tool.offered_name: place for place, tool in enumerate(benchmark.toolset.tools)}
    order = {
        scenario.id: (tools.get(scenario.target, len(tools)), place)
        for place, scenario in enumerate(benchmark.scenarios)
    }
    rows = [row for row in (rounds[-1].coverage.rows if rounds else ()) if row.budget or row.verified]
    last = (len(tools), len(order))
    return sorted(rows, key=lambda row: (order.get(row.unit.scenario, last), row.unit.difficulty.ordinal))


async def reasons_of(store: "Store", benchmark_id: str) -> tuple[Reason, ...]:
    """Why candidates of a benchmark were not accepted."""
    found = Reasons()
    for verdict in ("rejected", "undecided"):
        async for record in await store.records.stream(benchmark_id, verdict=verdict):
            found.add(record)
    return found.listed()


async def read_rounds(store: "Store", benchmark_id: str) -> list[ConstructionRound]:
    """The rounds of a construction, in order."""
    # The first entry is the catalog that the rounds worked from.
    return [ConstructionRound.model_validate(body) for body in (await store.rounds.all(benchmark_id))[1:]]


def _bias(benchmark: "Benchmark") -> tuple[str, ...]:
    generators = benchmark.roles.get("generators", "").split(", ")
    judging = {role: benchmark.roles.get(role, "") for role in ("argument_evaluator", "result_evaluator")}
    named = {role: model for role, model in judging.items() if model not in WORK_MODELS}
    return tuple(f"{model} is generator and {role} at once" for role, model in named.items() if model in generators)


async def _agents_bias(store: "Store", benchmark: "Benchmark") -> tuple[str, ...]:
    """Agents share one id and are told apart record by record: how many examples were judged by who proposed them."""
    if not {*WORK_MODELS} & {*benchmark.roles.get("generators", "").split(", ")}:
        return ()
    found = [is_self_judged(await store.records.get(each.record_id)) for each in benchmark.examples]
    told = f"{sum(found)} of {len(found)} examples were judged by the agent that proposed them"
    return (told,) if any(found) else ()


def _parameters(benchmark: "Benchmark") -> dict[str, Json]:
    if benchmark.config is None:
        return {}
    stage_one = benchmark.config.verification
    return {
        "lambda_arg": stage_one.lambda_arg,
        "lambda_out": stage_one.lambda_out,
        "tau": stage_one.tau,
        "M": stage_one.generators,
        "R_max": stage_one.max_rounds,
        "K": benchmark.config.calibration_runs,
        "size": benchmark.config.size,
    }
