"""Scenarios and queries from a schema: new each time, without a tool's name, as deep as they say they are."""

import pytest

from doubles.lexical_tools import EMPTY_BIN, MOVE_SLOT, OFFICE, RESIZE, SUMMARIZE, TOOLS
from plugineval.clients.baseline import LexicalArgumentEvaluator, LexicalGenerator, LexicalWriter
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.roles import Candidate, ProposalTask, ScenarioTask, WritingTask
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

pytestmark = pytest.mark.anyio


async def derived(tool: ToolSpec) -> tuple[Scenario, ...]:
    task = ScenarioTask(tool=tool, toolset=OFFICE, lookalikes=lookalikes_of(tool, OFFICE))
    return (await LexicalWriter().scenarios(task)).scenarios


async def of_kind(tool: ToolSpec, kind: ScenarioKind) -> list[Scenario]:
    return [each for each in await derived(tool) if each.kind is kind]


async def written(
    tool: ToolSpec,
    scenario: Scenario,
    difficulty: Difficulty,
    *,
    count: int = 8,
    attempt: int = 0,
    avoid: tuple[str, ...] = (),
) -> tuple[Candidate, ...]:
    task = WritingTask(
        scenario=scenario, tool=tool, toolset=OFFICE, difficulty=difficulty, count=count, attempt=attempt, avoid=avoid
    )
    return (await LexicalWriter().write(task)).candidates


@pytest.mark.requirement("P21", "P22", "P23")
async def test_a_tool_yields_triggers_and_exclusions_with_their_evidence() -> None:
    scenarios = await derived(RESIZE)
    assert {each.kind for each in scenarios} == set(ScenarioKind) - {ScenarioKind.TYPE_B}
    assert all(each.evidence and each.target == "resize_picture" for each in scenarios)
    assert len({each.id for each in scenarios}) == len(scenarios)


@pytest.mark.requirement("P22")
async def test_a_tool_of_several_operations_has_a_trigger_for_each() -> None:
    titles = " ".join(each.title for each in await of_kind(SUMMARIZE, ScenarioKind.TRIGGER))
    assert all(value in titles for value in ("average", "median", "largest_gap"))


@pytest.mark.requirement("P23")
async def test_a_look_alike_is_named_with_the_measure_that_found_it() -> None:
    twin = MOVE_SLOT.model_copy(update={"name": "shift_slot", "description": "Shift a clock time to another zone"})
    toolset = Toolset(tools=(*TOOLS, twin))
    task = ScenarioTask(tool=MOVE_SLOT, toolset=toolset, lookalikes=lookalikes_of(MOVE_SLOT, toolset))
    found = [each for each in (await LexicalWriter().scenarios(task)).scenarios if each.kind is ScenarioKind.TYPE_B]
    assert found[0].lookalike == "shift_slot"
    assert all(SIMILARITY.measure in each.evidence and each.lookalike != each.target for each in found)


@pytest.mark.requirement("P23")
async def test_a_limit_of_the_schema_becomes_a_request_beyond_it() -> None:
    scenario = next(each for each in await of_kind(RESIZE, ScenarioKind.TYPE_C) if "limited" in each.evidence)
    assert "400" in scenario.evidence
    texts = [each.query.text for each in await written(RESIZE, scenario, Difficulty.HARD)]
    assert texts
    assert all(any(str(400 * factor) in text for factor in (2, 3, 5, 10, 20)) for text in texts)


@pytest.mark.requirement("P23")
async def test_nothing_can_be_withheld_from_a_tool_without_required_arguments() -> None:
    assert await of_kind(EMPTY_BIN, ScenarioKind.UNDERSPECIFIED) == []


@pytest.mark.requirement("P26")
@pytest.mark.parametrize(("difficulty", "steps"), [(Difficulty.EASY, 0), (Difficulty.MEDIUM, 1), (Difficulty.HARD, 2)])
async def test_a_positive_takes_exactly_as_many_steps_as_its_difficulty_says(
    difficulty: Difficulty, steps: int
) -> None:
    scenario = (await of_kind(MOVE_SLOT, ScenarioKind.TRIGGER))[0]
    candidates = await written(MOVE_SLOT, scenario, difficulty)
    assert len(candidates) == 8
    assert {len(each.inference_steps) for each in candidates} == {steps}


@pytest.mark.requirement("P26")
async def test_a_tool_that_admits_no_step_gets_no_deeper_query() -> None:
    scenario = (await of_kind(EMPTY_BIN, ScenarioKind.TRIGGER))[0]
    assert len(await written(EMPTY_BIN, scenario, Difficulty.EASY)) == 8
    assert await written(EMPTY_BIN, scenario, Difficulty.MEDIUM) == ()
    assert await written(EMPTY_BIN, scenario, Difficulty.HARD) == ()


@pytest.mark.requirement("P29")
async def test_no_query_names_a_tool_and_none_comes_twice() -> None:
    names = {tool.name for tool in TOOLS}
    for tool in TOOLS:
        for scenario in await derived(tool):
            texts = [each.query.text for each in await written(tool, scenario, Difficulty.EASY, count=40)]
            assert len(set(texts)) == len(texts)
            assert not [text for text in texts for name in names if name in text]
            assert len(texts) >= 40 or scenario.kind is ScenarioKind.TYPE_C, scenario.id


async def test_the_next_attempt_avoids_what_was_written_before() -> None:
    scenario = (await of_kind(SUMMARIZE, ScenarioKind.TRIGGER))[0]
    first = [each.query.text for each in await written(SUMMARIZE, scenario, Difficulty.EASY)]
    again = await written(SUMMARIZE, scenario, Difficulty.EASY, attempt=0, avoid=tuple(first))
    later = await written(SUMMARIZE, scenario, Difficulty.EASY, attempt=1)
    assert not {each.query.text for each in again} & set(first)
    assert {each.query.text for each in later} != set(first)


async def test_the_same_task_is_answered_with_the_same_words() -> None:
    scenario = (await of_kind(MOVE_SLOT, ScenarioKind.TRIGGER))[0]
    assert await written(MOVE_SLOT, scenario, Difficulty.HARD) == await written(MOVE_SLOT, scenario, Difficulty.HARD)


async def test_a_scenario_of_another_tool_is_answered_with_nothing() -> None:
    scenario = Scenario(id="elsewhere", kind=ScenarioKind.TRIGGER, target="resize_picture", title="x")
    assert await written(MOVE_SLOT, scenario, Difficulty.EASY) == ()


@pytest.mark.requirement("P26")
async def test_what_the_writer_means_can_be_read_off_its_words() -> None:
    for tool in TOOLS:
        for scenario in await of_kind(tool, ScenarioKind.TRIGGER):
            for candidate in await written(tool, scenario, Difficulty.EASY, count=4):
                task = ProposalTask(query=candidate.query, tool=tool)
                proposal = (await LexicalGenerator().propose(task, index=0)).proposal
                assert isinstance(proposal, Invocation), candidate.query.text
                judged = await LexicalArgumentEvaluator().assess_arguments(candidate.query, tool, proposal)
                assert judged.assessment is not None
                assert judged.assessment.score >= 0.6, (candidate.query.text, judged.assessment.reason)


async def test_a_query_with_a_relative_date_carries_the_clock_that_reads_it() -> None:
    tool = TOOLS[4]
    scenario = (await of_kind(tool, ScenarioKind.TRIGGER))[0]
    candidates = await written(tool, scenario, Difficulty.HARD, count=12)
    clocked = [each for each in candidates if any("asked on" in step for step in each.inference_steps)]
    assert clocked
    assert all(each.query.now is not None and each.query.origin == "synthetic" for each in clocked)
