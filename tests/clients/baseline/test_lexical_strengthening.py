"""A negative made harder by rule, and scenarios that a person wrote: always the same kind of request."""

import pytest

from doubles.lexical_tools import MOVE_SLOT, OFFICE, RESIZE, a_tool
from plugineval.clients.baseline import LexicalWriter
from plugineval.pccf.coverage.distances import synthesized
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.roles import Candidate, ScenarioTask, StrengtheningTask, WritingTask
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

pytestmark = pytest.mark.anyio

SHIFT_SLOT = a_tool(
    "shift_slot",
    "Shift a clock time from one zone by some hours",
    {"clock_time": {"type": "string", "description": "Time of day (HH:MM)"}, "hours": {"type": "integer"}},
    ["clock_time", "hours"],
)
ALIKE = Toolset(tools=(*OFFICE.tools, SHIFT_SLOT))


async def scenarios_of(tool: ToolSpec) -> tuple[Scenario, ...]:
    task = ScenarioTask(tool=tool, toolset=ALIKE, lookalikes=lookalikes_of(tool, ALIKE))
    return (await LexicalWriter().scenarios(task)).scenarios


async def written(tool: ToolSpec, scenario: Scenario, difficulty: Difficulty, count: int = 4) -> tuple[Candidate, ...]:
    task = WritingTask(scenario=scenario, tool=tool, toolset=ALIKE, difficulty=difficulty, count=count)
    return (await LexicalWriter().write(task)).candidates


def too_easy(tool: ToolSpec, scenario: Scenario, query: Query, **change: object) -> StrengtheningTask:
    task = StrengtheningTask(
        scenario=scenario,
        tool=tool,
        toolset=ALIKE,
        query=query,
        difficulty=Difficulty.HARD,
        observed=Difficulty.EASY,
        evidence=("runs 0, 1: the router saw that it must not be called",),
    )
    return task.model_copy(update=change)


def nearness(tool: ToolSpec, scenario: Scenario, query: Query) -> float:
    score = synthesized(query, scenario, tool, ALIKE).score
    return 1 - score if scenario.kind is ScenarioKind.TYPE_A else score


@pytest.mark.requirement("P32")
@pytest.mark.parametrize("kind", [kind for kind in ScenarioKind if not kind.positive])
async def test_a_negative_is_worded_nearer_to_the_target_and_the_same_each_time(kind: ScenarioKind) -> None:
    scenario = next(each for each in await scenarios_of(MOVE_SLOT) if each.kind is kind)
    weak = (await written(MOVE_SLOT, scenario, Difficulty.EASY))[0].query
    task = too_easy(MOVE_SLOT, scenario, weak)
    (harder,) = (await LexicalWriter().strengthen(task)).candidates
    assert (harder.scenario, harder.difficulty, harder.inference_steps) == (scenario.id, Difficulty.HARD, ())
    assert nearness(MOVE_SLOT, scenario, harder.query) > nearness(MOVE_SLOT, scenario, weak)
    assert (await LexicalWriter().strengthen(task)).candidates == (harder,)
    assert "move_slot" not in harder.query.text


@pytest.mark.requirement("P32")
async def test_a_request_for_the_look_alike_can_stay_and_only_mention_the_target() -> None:
    scenario = next(each for each in await scenarios_of(MOVE_SLOT) if each.kind is ScenarioKind.TYPE_B)
    weak = Query.of_text("Shift the clock time 14:37 by 5 hours.")
    (first,) = (await LexicalWriter().strengthen(too_easy(MOVE_SLOT, scenario, weak))).candidates
    assert first.query.text.endswith(weak.text)
    assert first.query.text != weak.text
    again = too_easy(MOVE_SLOT, scenario, first.query, attempt=2, avoid=(weak.text, first.query.text))
    for candidate in (await LexicalWriter().strengthen(again)).candidates:
        assert weak.text not in candidate.query.text


@pytest.mark.requirement("P32")
async def test_what_cannot_be_made_harder_is_left_as_it_is() -> None:
    scenario = next(each for each in await scenarios_of(MOVE_SLOT) if each.kind is ScenarioKind.TYPE_A)
    strong = Query.of_text(f"{MOVE_SLOT.name} {MOVE_SLOT.description}")
    assert (await LexicalWriter().strengthen(too_easy(MOVE_SLOT, scenario, strong))).candidates == ()
    trigger = next(each for each in await scenarios_of(MOVE_SLOT) if each.kind.positive)
    assert (await LexicalWriter().strengthen(too_easy(MOVE_SLOT, trigger, strong))).candidates == ()


@pytest.mark.requirement("P27")
@pytest.mark.parametrize("kind", [ScenarioKind.TYPE_A, ScenarioKind.TYPE_B])
async def test_negatives_are_written_to_the_measured_target(kind: ScenarioKind) -> None:
    scenario = next(each for each in await scenarios_of(MOVE_SLOT) if each.kind is kind)
    for difficulty in Difficulty:
        found = [
            synthesized(each.query, scenario, MOVE_SLOT, ALIKE).level
            for each in await written(MOVE_SLOT, scenario, difficulty)
        ]
        assert found.count(difficulty) >= 2, (difficulty, found)


@pytest.mark.requirement("P21")
async def test_a_scenario_that_a_person_wrote_is_written_for_by_the_most_alike_plan() -> None:
    own = Scenario(id="mine", kind=ScenarioKind.TYPE_C, target="resize_picture", title="a width beyond its limits")
    texts = [each.query.text for each in await written(RESIZE, own, Difficulty.HARD)]
    assert texts
    assert all(any(str(400 * factor) in text for factor in (2, 3, 5, 10, 20)) for text in texts)
    assert {each.scenario for each in await written(RESIZE, own, Difficulty.HARD)} == {"mine"}


@pytest.mark.requirement("P21", "P23")
async def test_a_look_alike_that_a_person_named_is_what_its_requests_are_for() -> None:
    own = Scenario(id="mine", kind=ScenarioKind.TYPE_B, target="resize_picture", title="time", lookalike="shift_slot")
    texts = [each.query.text.lower() for each in await written(RESIZE, own, Difficulty.EASY)]
    assert texts
    assert all("shift" in text for text in texts)
    unknown = own.model_copy(update={"lookalike": "nowhere"})
    assert await written(RESIZE, unknown, Difficulty.EASY) == ()
