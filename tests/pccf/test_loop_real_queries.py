"""Real queries: each (query, tool) pair decided by itself, then examined like any written query (P8)."""

from typing import Literal

import pytest

from doubles.construction import (
    DOWN,
    ScriptedAnnotator,
    ScriptedDepth,
    ScriptedVerifier,
    Verdict,
    World,
    scenario,
    tool,
    world,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import CatalogMade, RecordVerified
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import Label, Underspecified, ValidInvocation
from plugineval.pccf.loop import construct
from plugineval.pccf.records import DepthVote, LevelVote, VerificationRecord
from plugineval.pccf.roles import DepthVoted, Voted, Written
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification import VerificationRequest

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P8")]

WEATHER = scenario(ScenarioKind.TRIGGER, "weather").model_copy(update={"title": "Tell the weather of a place"})
TYPE_A = scenario(ScenarioKind.TYPE_A, "weather")
OSLO = Query.of_text("Tell me the weather of Oslo, that lovely place")
JOKE = Query.of_text("Say something nice about my hat")


class PairAnnotator(ScriptedAnnotator):
    """Says that the `serving` tools support every query but jokes; `asked` holds the tools of level 2."""

    def __init__(self, *serving: str, split: bool = False) -> None:
        super().__init__(id="pairs" if not split else "splitting")
        self.serving, self.split = serving, split

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: object) -> Voted:
        self.asked.append((level, tool.offered_name))
        positive = query.text != JOKE.text if level == 1 else tool.offered_name in self.serving
        vote = LevelVote(level=level, positive=positive is not self.split, reason="so", annotator=self.id)
        return Voted(vote=vote)


def on_the_spot(query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
    return DepthVoted(vote=DepthVote(steps=(), annotator="scripted-depth"))


def seeded(*seeds: Query, serving: tuple[str, ...] = ("weather",), config: BuildConfig | None = None) -> World:
    numbers = config or BuildConfig(size=2, negative_share=0.5, difficulty_mix=(1, 0, 0), calibration_runs=1)
    made = world(numbers, [WEATHER, TYPE_A], lambda task: Written())
    made.annotator = PairAnnotator(*serving)
    made.depth = ScriptedDepth(script=on_the_spot)
    made.verifier = ScriptedVerifier(script=takes_place)
    made.seeds = seeds
    return made


def takes_place(request: VerificationRequest) -> tuple[Verdict, Label | None]:
    gold = Invocation(tool=request.tool.offered_name, arguments={"place": "Oslo"})
    return "accepted", ValidInvocation(gold=gold)


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def records(made: World) -> list[VerificationRecord]:
    return [event.record for event in made.events if isinstance(event, RecordVerified)]


@pytest.mark.requirement("P2", "P24")
async def test_a_supported_query_fills_the_scenario_it_matches_before_anything_is_written() -> None:
    made = seeded(OSLO, JOKE)
    result = await built(made)
    assert (result.stop_reason, [r.number for r in result.rounds]) == (StopReason.BUDGETS_MET, [0])
    assert made.writer.tasks == []
    assert {(e.scenario, e.query.origin, e.label.shape) for e in result.benchmark.examples} >= {
        (WEATHER.id, "real", "valid_invocation")
    }
    assert result.seeds_covered == tuple(
        CoverageUnit(scenario=e.scenario, difficulty=Difficulty.EASY) for e in result.benchmark.examples
    )
    assert result.coverage.deficit == 0


@pytest.mark.requirement("P2")
async def test_level_two_is_asked_for_the_most_alike_tools_and_the_others_are_listed() -> None:
    numbers = BuildConfig(size=1, negative_share=0, difficulty_mix=(1, 0, 0), seed_targets=1)
    made = seeded(OSLO, config=numbers)
    await built(made)
    assert made.annotator.asked == [(1, "weather"), (2, "weather")]
    result = await built(seeded(OSLO, config=numbers))
    (finding,) = result.rounds[0].seeds
    assert (finding.nearest, finding.not_asked, list(finding.support)) == ("weather", ("clock",), ["weather"])
    always = seeded(OSLO, config=numbers.model_copy(update={"seed_tools": ("clock",)}))
    await built(always)
    assert sorted(always.annotator.asked) == [(1, "weather"), (2, "clock"), (2, "weather")]


async def test_a_query_that_matches_no_scenario_gets_one_of_its_own_and_takes_a_place_of_its_kind() -> None:
    odd = Query.of_text("Is it raining cats and dogs over there?")
    made = seeded(odd)
    result = await built(made)
    (own,) = [s for s in result.benchmark.scenarios if s.evidence == "real query"]
    assert (own.kind, own.target, own.title) == (ScenarioKind.TRIGGER, "weather", odd.text)
    (move,) = result.rounds[0].moves
    assert (move.source.scenario, move.target.scenario, move.count) == (WEATHER.id, own.id, 1)
    assert result.benchmark.examples[0].scenario == own.id
    catalogs = [event.catalog for event in made.events if isinstance(event, CatalogMade)]
    assert [own in catalog.scenarios for catalog in catalogs] == [False, True]


@pytest.mark.parametrize(
    ("serving", "kind", "lookalike"),
    [((), ScenarioKind.TYPE_C, None), (("clock",), ScenarioKind.TYPE_B, "clock")],
)
async def test_a_query_that_no_executable_tool_supports_is_a_negative_of_the_most_alike_one(
    serving: tuple[str, ...], kind: ScenarioKind, lookalike: str | None
) -> None:
    made = seeded(OSLO, serving=serving)
    made.forbidden = frozenset({"clock"})
    result = await built(made)
    found = {s.id: s for s in result.benchmark.scenarios}
    every = [*result.benchmark.examples, *result.surplus]
    assert [(found[e.scenario].kind, e.target, found[e.scenario].lookalike) for e in every] == [
        (kind, "weather", lookalike)
    ]
    assert every[0].target_difficulty is every[0].difficulty


@pytest.mark.requirement("P23")
async def test_a_query_that_needs_no_tool_is_a_type_a_negative_and_level_two_is_not_asked() -> None:
    made = seeded(JOKE)
    result = await built(made)
    (example,) = (*result.benchmark.examples, *result.surplus)
    assert (example.label.shape, example.query.origin) == ("tool_unnecessary", "real")
    assert {level for level, _ in made.annotator.asked} == {1}


async def test_where_the_most_alike_tool_is_not_accepted_the_next_one_that_supports_it_is_tried() -> None:
    def only_clock(request: VerificationRequest) -> tuple[Verdict, Label | None]:
        return takes_place(request) if request.tool.offered_name == "clock" else ("rejected", None)

    made = seeded(OSLO, serving=("weather", "clock"))
    made.verifier = ScriptedVerifier(script=only_clock)
    result = await built(made)
    assert [r.target for r in made_requests(made)] == ["weather", "clock"]
    assert [e.target for e in (*result.benchmark.examples, *result.surplus)] == ["clock"]
    assert (result.counts.candidates, result.counts.accepted, result.counts.rejected) == (1, 1, 0)


def made_requests(made: World) -> list[VerificationRecord]:
    return [record for record in records(made) if record.rounds or record.verdict == "rejected"]


@pytest.mark.requirement("P15")
async def test_a_query_that_lacks_an_argument_is_filed_as_underspecified() -> None:
    made = seeded(OSLO)
    made.verifier = ScriptedVerifier(script=lambda request: ("accepted", Underspecified(missing=("place",))))
    result = await built(made)
    (example,) = (*result.benchmark.examples, *result.surplus)
    kinds = {s.id: s.kind for s in result.benchmark.scenarios}
    assert (example.label.shape, kinds[example.scenario]) == ("underspecified", ScenarioKind.UNDERSPECIFIED)
    assert example.p_k == 1.0


async def test_annotators_that_disagree_settle_nothing_and_an_outage_leaves_it_undecided() -> None:
    disputed = seeded(OSLO)
    disputed.second_annotator = PairAnnotator("weather", split=True)
    result = await built(disputed)
    assert (result.rounds[0].rejected, result.rounds[0].disputed) == (1, 1)
    assert len(records(disputed)[0].votes) == 2
    down = seeded(OSLO)
    down.annotator = ScriptedAnnotator(script=lambda level, query: Voted(failure=DOWN))
    result = await built(down)
    assert (result.rounds[0].undecided, result.incomplete is not None) == (1, True)


@pytest.mark.requirement("P29", "X11")
async def test_the_same_query_twice_is_examined_once_and_listed() -> None:
    result = await built(seeded(OSLO, OSLO))
    assert result.rounds[0].filtered_by_reason == {"duplicate": 1}
    assert (result.rounds[0].candidates, result.rounds[0].accepted) == (2, 1)


@pytest.mark.requirement("X3")
async def test_a_replay_asks_nothing_again_and_writing_goes_on_in_round_one() -> None:
    def script_world() -> World:
        made = seeded(OSLO, config=BuildConfig(size=3, negative_share=0, difficulty_mix=(1, 0, 0)))
        made.tools = (tool("weather"), tool("clock", "time"))
        return made

    first = script_world()
    once = await built(first)
    assert [r.number for r in once.rounds] == [0, 1, 2]
    assert {task.attempt for task in first.writer.tasks} == {0, 1}
    second = script_world()
    second.ledger = first.ledger
    twice = await built(second)
    assert second.annotator.asked == []
    assert twice.benchmark.content_hash == once.benchmark.content_hash
