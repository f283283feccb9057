"""What one construction does: writes for what is short, counts what was observed, and keeps the rest as data."""

from collections import Counter
from typing import Literal

import pytest

from doubles.construction import (
    DOWN,
    ScriptedAnnotator,
    ScriptedDepth,
    ScriptedRouter,
    ScriptedVerifier,
    Verdict,
    World,
    accept_as_meant,
    calling,
    kind_of,
    scenario,
    vote_as_meant,
    world,
    write_all,
    written,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import CatalogMade, RecordVerified, RoundEnded
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import Label, Underspecified, ValidInvocation
from plugineval.pccf.loop import construct
from plugineval.pccf.records import DepthVote
from plugineval.pccf.roles import DepthVoted, Voted, WritingTask, Written
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification import VerificationRequest

pytestmark = pytest.mark.anyio

TRIGGER = scenario(ScenarioKind.TRIGGER, "weather")
TYPE_A = scenario(ScenarioKind.TYPE_A, "weather")
TYPE_B = scenario(ScenarioKind.TYPE_B, "weather", lookalike="clock")
TYPE_C = scenario(ScenarioKind.TYPE_C, "weather")
OPEN = scenario(ScenarioKind.UNDERSPECIFIED, "weather")
ALL = (TRIGGER, TYPE_A, TYPE_B, TYPE_C, OPEN)
EASY = (1.0, 0.0, 0.0)


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def config(
    size: int, *, negatives: float = 0.0, mix: tuple[float, float, float] = EASY, rounds: int = 50
) -> BuildConfig:
    return BuildConfig(
        size=size, negative_share=negatives, difficulty_mix=mix, calibration_runs=3, max_loop_rounds=rounds
    )


@pytest.mark.requirement("P35", "P36", "P30")
async def test_a_build_that_goes_well_meets_its_budgets_with_every_kind() -> None:
    made = world(config(8, negatives=0.5), ALL)
    result = await built(made)
    kinds = Counter(kind_of(e.query) for e in result.benchmark.examples)
    assert kinds == {TRIGGER.kind: 4, TYPE_A.kind: 1, TYPE_B.kind: 1, TYPE_C.kind: 1, OPEN.kind: 1}
    assert (result.stop_reason, result.incomplete, len(result.rounds)) == (StopReason.BUDGETS_MET, None, 1)
    assert result.counts.model_dump(exclude={"disputed", "strengthened", "harder"}) == {
        "candidates": 8,
        "accepted": 8,
        "rejected": 0,
        "undecided": 0,
        "filtered": {},
    }
    assert result.coverage.deficit == 0
    assert result.benchmark.router is not None
    assert result.benchmark.router.seeds == (0, 1, 2)
    assert result.benchmark.roles == {
        "generator": "scripted-generator",
        "writer": "scripted-writer",
        "annotator": "scripted-annotator",
        "depth": "scripted-depth",
        "router": "scripted-router",
    }


@pytest.mark.requirement("P6", "P46", "P47")
async def test_every_kind_becomes_its_label_and_its_sample_type() -> None:
    result = await built(world(config(8, negatives=0.5), ALL))
    shown = {(kind_of(e.query).value, e.label.shape, e.sample_type.value, e.p_k) for e in result.benchmark.examples}
    assert shown == {
        ("trigger", "valid_invocation", "positive", None),
        ("type_a", "tool_unnecessary", "global_negative", 1.0),
        ("type_b", "target_irrelevant", "targeted_negative", 1.0),
        ("type_c", "target_irrelevant", "targeted_negative", 1.0),
        ("underspecified", "underspecified", "targeted_negative", 1.0),
    }


@pytest.mark.requirement("P9")
async def test_only_queries_positive_at_both_levels_reach_stage_one_with_their_votes() -> None:
    made = world(config(8, negatives=0.5), ALL)
    await built(made)
    reached = Counter(kind_of(request.query) for request in made.verifier.requests)
    assert reached == {ScenarioKind.TRIGGER: 4, ScenarioKind.UNDERSPECIFIED: 1}
    assert {tuple((v.level, v.positive) for v in r.votes) for r in made.verifier.requests} == {((1, True), (2, True))}
    levels = Counter((kind_of(Query.of_text(text)).value, level) for level, text in made.annotator.asked)
    assert levels["type_a", 1] == levels["type_b", 2] == levels["type_c", 2] == 1
    assert levels["type_a", 2] == 0


def against(level: Literal[1, 2], query: Query) -> Voted:
    meant = vote_as_meant(level, query)
    assert meant.vote is not None
    return Voted(vote=meant.vote.model_copy(update={"positive": not meant.vote.positive, "reason": "no"}))


@pytest.mark.requirement("P1", "P2", "P20")
@pytest.mark.parametrize(
    ("chosen", "levels", "asked"),
    [(TRIGGER, "(0, 0)", 1), (TYPE_A, "(1, 1)", 2), (TYPE_B, "(0, 0)", 1), (OPEN, "(0, 0)", 1)],
)
async def test_a_vote_against_the_writer_rejects_with_the_votes_as_evidence(
    chosen: Scenario, levels: str, asked: int
) -> None:
    made = world(config(1), [chosen])
    made.annotator = ScriptedAnnotator(script=against)
    await built(made)
    record = next(e.record for e in made.events if isinstance(e, RecordVerified))
    assert (record.verdict, record.label, len(record.votes)) == ("rejected", None, asked)
    assert f"annotated {levels} where {chosen.kind.value} expects" in record.reason
    assert (made.verifier.requests, made.router.asked) == ([], [])


@pytest.mark.requirement("P15")
@pytest.mark.parametrize(
    ("chosen", "label"),
    [(TRIGGER, Underspecified()), (OPEN, ValidInvocation(gold=Invocation(tool="weather")))],
)
async def test_a_verdict_that_belongs_to_another_kind_is_off_scenario(chosen: Scenario, label: Label) -> None:
    made = world(config(1), [chosen])
    made.verifier = ScriptedVerifier(script=lambda request: ("accepted", label))
    result = await built(made)
    record = next(e.record for e in made.events if isinstance(e, RecordVerified))
    assert (record.verdict, record.label) == ("rejected", None)
    assert record.reason == f"off-scenario: {chosen.kind.value} was verified as {label.shape}; scripted"
    assert (result.benchmark.examples, result.counts.accepted, made.router.asked) == ((), 0, [])


def write_deeper(task: WritingTask) -> Written:
    return Written(candidates=tuple(written(task, i, difficulty=Difficulty.HARD) for i in range(task.count)))


def two_steps(query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
    return DepthVoted(vote=DepthVote(steps=("one", "two"), annotator="scripted-depth"))


@pytest.mark.requirement("P26", "P33")
async def test_an_example_counts_in_the_unit_of_its_observed_difficulty() -> None:
    made = world(config(3, mix=(1 / 3, 1 / 3, 1 / 3), rounds=1), [TRIGGER], write_deeper)
    made.depth = ScriptedDepth(script=two_steps)
    result = await built(made)
    rows = {row.unit.difficulty.value: (row.budget, row.verified, row.deficit) for row in result.coverage.rows}
    assert rows == {"easy": (1, 0, 1), "medium": (1, 0, 1), "hard": (1, 1, 0)}
    assert [(e.target_difficulty.value, e.difficulty.value) for e in result.benchmark.examples] == [("easy", "hard")]
    assert [(e.target_difficulty.value, e.difficulty.value) for e in result.surplus] == [
        ("medium", "hard"),
        ("hard", "hard"),
    ]
    only = result.rounds[0]
    assert (only.accepted, len(only.counted), len(only.surplus), only.gain) == (3, 1, 2, 1)


@pytest.mark.requirement("P33", "X11")
async def test_a_surplus_example_stands_in_for_a_missing_one_but_fills_no_budget() -> None:
    made = world(config(3, mix=(1 / 3, 1 / 3, 1 / 3), rounds=1), [TRIGGER], write_deeper)
    made.depth = ScriptedDepth(script=two_steps)
    made.stand_ins = True
    result = await built(made)
    assert [e.difficulty for e in result.benchmark.examples] == [Difficulty.HARD] * 3
    assert [s.unit.difficulty for s in result.stand_ins] == [Difficulty.EASY, Difficulty.MEDIUM]
    assert {s.example for s in result.stand_ins} == {e.id for e in result.surplus}
    assert result.coverage.deficit == 2


@pytest.mark.requirement("P28")
async def test_each_round_asks_for_short_units_only_and_twice_what_is_left() -> None:
    def no_medium_at_first(request: VerificationRequest) -> tuple[Verdict, Label | None]:
        refused = "medium 0" in request.query.text or "easy 0.0" in request.query.text
        return ("rejected", None) if refused else accept_as_meant(request)

    made = world(config(10, mix=(0.4, 0.4, 0.2)), [TRIGGER])
    made.verifier = ScriptedVerifier(script=no_medium_at_first)
    result = await built(made)
    asked = [(task.attempt, task.difficulty.value, task.count) for task in made.writer.tasks]
    assert asked == [(0, "easy", 4), (0, "medium", 4), (0, "hard", 2), (1, "easy", 2), (1, "medium", 8)]
    assert [(r.deficit_before, r.deficit_after) for r in result.rounds] == [(10, 5), (5, 0)]
    again = made.writer.tasks[3]
    assert (len(again.avoid), len(again.evidence)) == (10, 1)
    assert again.evidence[0].endswith("easy 0.0': scripted")
    assert len(result.surplus) == 5
    assert {e.gap for e in result.benchmark.examples if e.difficulty is Difficulty.MEDIUM} == {
        CoverageUnit(scenario=TRIGGER.id, difficulty=Difficulty.MEDIUM).gap(2)
    }


@pytest.mark.requirement("P29", "X11")
async def test_filtered_candidates_are_not_verified_and_listed_by_reason() -> None:
    def same_words(task: WritingTask) -> Written:
        candidates = write_all(task).candidates
        return Written(candidates=(candidates[0], candidates[0], *candidates))

    made = world(config(2, rounds=1), [TRIGGER], same_words)
    result = await built(made)
    assert result.rounds[0].filtered_by_reason == {"duplicate": 2}
    assert result.counts.model_dump(exclude={"disputed", "strengthened", "harder"}) == {
        "candidates": 4,
        "accepted": 2,
        "rejected": 0,
        "undecided": 0,
        "filtered": {"duplicate": 2},
    }
    assert len(made.verifier.requests) == 2


@pytest.mark.requirement("P30", "P31", "P37")
@pytest.mark.parametrize(("agreeing", "difficulty"), [(0, "hard"), (1, "medium"), (2, "medium"), (3, "easy")])
async def test_a_negative_is_filed_under_the_difficulty_the_router_shows(agreeing: int, difficulty: str) -> None:
    def script(query: Query, seed: int) -> RouterReply:
        return calling() if seed < agreeing else calling("weather")

    made = world(config(3, mix=(1 / 3, 1 / 3, 1 / 3), rounds=1), [TYPE_C])
    made.router = ScriptedRouter(script=script)
    result = await built(made)
    (example,) = result.benchmark.examples
    assert (example.difficulty.value, example.p_k) == (difficulty, agreeing / 3)
    record = next(e.record for e in made.events if isinstance(e, RecordVerified))
    assert (len(record.router_replies), record.p_k) == (3, agreeing / 3)


async def test_a_failed_run_is_no_vote_and_shown_in_the_record() -> None:
    made = world(config(1), [TYPE_A])
    made.router = ScriptedRouter(script=lambda query, seed: RouterReply(failure=DOWN) if seed else calling())
    result = await built(made)
    (example,) = result.benchmark.examples
    record = next(e.record for e in made.events if isinstance(e, RecordVerified))
    assert (example.p_k, example.difficulty) == (1.0, Difficulty.EASY)
    assert [reply["agrees"] for reply in record.router_replies if isinstance(reply, dict)] == [True, None, None]


@pytest.mark.requirement("P36")
async def test_events_tell_the_catalog_every_record_and_the_round() -> None:
    made = world(config(4, negatives=0.5), ALL)
    result = await built(made)
    first, *records, last = made.events
    assert isinstance(first, CatalogMade)
    assert first.coverage.deficit == 4
    assert isinstance(last, RoundEnded)
    assert last.round == result.rounds[0]
    verified = [e for e in records if isinstance(e, RecordVerified)]
    assert len(verified) == len(records) == 4
    assert {e.example.record_id for e in verified if e.example} == {e.record.id for e in verified}
    assert {e.example.id for e in verified if e.example} == set(last.round.counted)


async def test_a_forbidden_tool_gets_no_positives_and_is_listed() -> None:
    made = world(config(2), [TRIGGER, TYPE_A, scenario(ScenarioKind.TRIGGER, "clock")])
    made.forbidden = frozenset({"weather"})
    result = await built(made)
    assert [(s.tool, s.reason) for s in result.skipped] == [("weather", "policy forbids to execute it")]
    assert {e.target for e in result.benchmark.examples} == {"clock"}
    assert [r.scenario for r in result.refused] == [TRIGGER]
