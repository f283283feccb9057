"""What a durable, graded case of a matrix costs, and that it costs the same whatever surrounds it."""

from collections.abc import Iterator

import pytest

from benchmarks.asgi_endpoint import LATENCY_S
from benchmarks.matrix import CASES, CONCURRENCY, FEW, MANY_TOOLS, Bench
from benchmarks.matrix_process import Spent

pytestmark = pytest.mark.speed

ROUNDS = 3


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench.running() as running:
        yield running


@pytest.fixture(scope="module")
def ours(bench: Bench) -> Spent:
    return least(bench)


def least(bench: Bench, who: str = "ours", *, cases: int = CASES, tools: int = 5, repeats: int = 1) -> Spent:
    """The least of every figure over some rounds."""
    rounds = [bench.spent(who, cases=cases, tools=tools, repeats=repeats) for _ in range(ROUNDS)]
    return Spent(*map(min, zip(*rounds, strict=True)))


def each_ms(spent: Spent, cells: int) -> float:
    return 1000 * (spent.many_s - spent.few_s) / (cells - FEW)


def test_a_case_costs_a_millisecond_of_a_processor_at_most(ours: Spent) -> None:
    assert each_ms(ours, CASES) <= 1.0, ours


def test_a_run_takes_1_6_of_what_its_endpoint_takes_at_most(bench: Bench, ours: Spent) -> None:
    # A machine that others keep busy lets no loop keep 64 calls in flight: then a bare one says what can be had.
    can_be_had_s = max(CASES * LATENCY_S / CONCURRENCY, least(bench, "aiohttp").wall_s / 1.26)
    assert ours.wall_s <= 1.6 * can_be_had_s, f"{ours.wall_s / can_be_had_s:.2f}: {ours}"


def test_a_case_costs_the_same_with_ten_times_the_tools(bench: Bench, ours: Spent) -> None:
    many = least(bench, tools=MANY_TOOLS)
    assert many.asking_s <= 1.25 * ours.asking_s, (many, ours)


def test_ten_times_the_cells_cost_the_same_each_and_no_memory(bench: Bench, ours: Spent) -> None:
    many = least(bench, repeats=10)
    assert each_ms(many, 10 * CASES) <= 1.15 * each_ms(ours, CASES), (many, ours)
    assert many.peak_mb - ours.peak_mb <= 15, (many, ours)


def test_five_times_the_cases_take_little_more_memory(bench: Bench, ours: Spent) -> None:
    many = least(bench, cases=5 * CASES)
    assert many.peak_mb - ours.peak_mb <= 20, (many, ours)
