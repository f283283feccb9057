"""How a measured benchmark came to be, read from what its construction stored; a cases file has no such facts."""

from typing import TYPE_CHECKING

from plugineval.harness.construction import Construction, CoverageUnit
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.values import Json

if TYPE_CHECKING:
    from plugineval.pccf.examples import Benchmark
    from plugineval.server.store.store import Store


async def construction_of(store: "Store", run_id: str) -> Construction | None:
    """Roles, numbers, counts and coverage of the benchmark that a run measured."""
    benchmark_id = (await store.runs.summary(run_id)).benchmark_id
    if benchmark_id is None:
        return None
    benchmark = await store.benchmarks.get(benchmark_id)
    verdicts = await store.records.verdicts(benchmark_id)
    rounds = await read_rounds(store, benchmark_id)
    return Construction(
        roles=benchmark.roles,
        bias_warnings=_bias(benchmark),
        parameters=_parameters(benchmark),
        accepted=verdicts.get("accepted", 0),
        rejected=verdicts.get("rejected", 0),
        undecided=verdicts.get("undecided", 0),
        stop_reason=benchmark.stop_reason,
        coverage=tuple(
            CoverageUnit(unit=row.unit.key, budget=row.budget, verified=row.verified)
            for row in (rounds[-1].coverage.rows if rounds else ())
        ),
    )


async def read_rounds(store: "Store", benchmark_id: str) -> list[ConstructionRound]:
    """The rounds of a construction, in order."""
    # The first entry is the catalog that the rounds worked from.
    return [ConstructionRound.model_validate(body) for body in (await store.rounds.all(benchmark_id))[1:]]


def _bias(benchmark: "Benchmark") -> tuple[str, ...]:
    generators = benchmark.roles.get("generators", "").split(", ")
    judging = {role: benchmark.roles.get(role, "") for role in ("argument_evaluator", "result_evaluator")}
    return tuple(f"{model} is generator and {role} at once" for role, model in judging.items() if model in generators)


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
