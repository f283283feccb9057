"""The plan beyond one machine says what its code computes, and the simulation agrees with what can be said by hand."""

import math

import pytest

from benchmarks import scale_tables
from benchmarks.scale_arithmetic import ceilings, dollars, load
from benchmarks.scale_inputs import TIERS, Machine, Plan, Price, Request
from benchmarks.scale_simulation import Play, Scene

SMALL = Scene(cells=2_000)


def test_the_tables_of_the_document_are_what_the_code_computes() -> None:
    held = scale_tables.DOCUMENT.read_text(encoding="utf-8")
    assert scale_tables.written(held) == held, "run `python -m tests.benchmarks scale --write`"
    assert all(f"<!-- table: {name} -->" in held for name in scale_tables.TABLES)


def test_a_table_that_was_edited_by_hand_is_found() -> None:
    held = scale_tables.DOCUMENT.read_text(encoding="utf-8")
    assert scale_tables.written(held.replace("7.5 billion", "7.6 billion", 1)) == held


def test_the_plan_is_seven_and_a_half_billion_cells() -> None:
    assert Plan().cells == 7_500_000_000
    assert Plan(servers=1, cases=2, models=3, repeats=4).cells == 24


def test_a_model_is_asked_by_the_lower_of_its_two_limits() -> None:
    request = Request()
    tokens = request.input_tokens + request.output_tokens
    entry, *_, own = (load(Plan(), request, Machine(), tier) for tier in TIERS)
    assert entry.model_rate == pytest.approx(200_000 / tokens / 60)
    assert own.model_rate == 2_000
    assert own.days == pytest.approx(150_000_000 / 2_000 / 86_400)
    assert own.in_flight == pytest.approx(own.rate * Machine().latency_s)


def test_money_is_tokens_times_their_prices() -> None:
    plan = Plan(servers=1, cases=1, models=1, repeats=1)
    asked = Request(tools=0, rest=4_000_000, answer=4_000_000)
    assert dollars(plan, asked, Price("p", 3.0, 5.0)) == pytest.approx(8.0)


def test_ceilings_scale_with_what_they_are_made_of() -> None:
    usual, quick = ceilings(Machine()), ceilings(Machine(meeting_s=0.001))
    assert quick.meeting_workers == 2 * usual.meeting_workers
    assert ceilings(Machine(shard=200)).shards_core == 2 * usual.shards_core


@pytest.mark.parametrize(
    "scene",
    [SMALL._replace(model_rate=50), SMALL._replace(slots=16), SMALL._replace(cpu_s=0.02), SMALL._replace(workers=1)],
    ids=["turns", "calls in flight", "processors", "one worker"],
)
def test_the_simulation_agrees_with_the_formula_where_nobody_dies(scene: Scene) -> None:
    played = Play(scene).play()
    assert 1.0 <= played.seconds / scene.least_s < 1.15
    assert (played.calls, played.repeats, sum(played.shares)) == (scene.cells, 0, scene.cells)


def test_faults_cost_their_share_of_the_turns() -> None:
    scene = SMALL._replace(model_rate=20, fault=0.2)
    played = Play(scene).play()
    assert scene.least_s == pytest.approx(2_000 / 40 / 0.8)
    # Whoever fails at the very end is asked again some seconds later.
    assert played.seconds == pytest.approx(scene.least_s, rel=0.15)
    assert played.calls == pytest.approx(scene.cells / 0.8, rel=0.05)


def test_deaths_repeat_no_more_than_was_in_flight_and_lose_no_cell() -> None:
    scene = SMALL._replace(model_rate=20, dies_every_s=10)
    played = Play(scene).play()
    assert played.deaths >= 2
    assert sum(played.shares) == scene.cells
    assert played.calls == scene.cells + played.repeats
    assert 0 < played.most_lost <= scene.slots
    assert played.repeats <= played.deaths * played.most_lost


def test_a_death_at_the_end_waits_until_its_shards_are_taken_over() -> None:
    scene = SMALL._replace(workers=1, dies_every_s=6, returns_s=1.0)
    late, soon = Play(scene).play(), Play(scene._replace(stalled_s=1.0)).play()
    assert min(late.deaths, soon.deaths) >= 1
    assert late.seconds > scene.stalled_s > soon.seconds


def test_a_seed_makes_every_run_the_same() -> None:
    scene = SMALL._replace(model_rate=20, dies_every_s=10, fault=0.1)
    assert Play(scene).play() == Play(scene).play()
    assert Play(scene).play() != Play(scene._replace(seed=1)).play()


def test_no_limit_is_no_turn() -> None:
    assert SMALL.model_rate == math.inf
    assert Play(SMALL).turn(0) == 0
