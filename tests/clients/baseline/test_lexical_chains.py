"""The baseline on requests for several tools: it writes few, reads them apart again, and leaves nothing open."""

import pytest

from doubles.lexical_tools import ABSENCE, MOVE_SLOT, NOW, OFFICE, SOLVE, SUMMARIZE, WEIGH
from plugineval.clients.baseline import (
    LexicalAnnotator,
    LexicalArgumentEvaluator,
    LexicalDepthAnnotator,
    LexicalGenerator,
    LexicalResultEvaluator,
    LexicalRouter,
    LexicalWriter,
)
from plugineval.clients.baseline.segments import left_open, own_part, segments
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.roles import ProposalTask, ScenarioTask, WritingTask
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification.parts import MadeCall, Part, part_tool, told

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P44")]
TWO = "Evaluate the formula 3 + 4 * 2, and what is the average of the measurements 3, 5 and 9?"
LATER = "Evaluate the formula 3 + 4 * 2. Then: convert a load with the value the result, from unit kg to unit g."
SUM = Invocation(tool="solve_formula", arguments={"formula": "3 + 4 * 2"})


def made(text: str) -> MadeCall:
    shown = Observation(kind=ObservationKind.RETURNED, tool="solve_formula", arguments=SUM.arguments, text=text)
    return MadeCall(tool=SOLVE, invocation=SUM, observation=shown)


def part(text: str, number: int, *tools: ToolSpec, before: tuple[MadeCall, ...] = (), ordered: bool = False) -> Query:
    told_of = Part(number=number, tools=tuple(map(part_tool, tools)), ordered=ordered)
    return told(Query.of_text(text, now=NOW), told_of, before)


async def proposed(query: Query, tool: ToolSpec) -> object:
    answer = (await LexicalGenerator().propose(ProposalTask(query=query, tool=tool), index=2)).proposal
    return answer.arguments if isinstance(answer, Invocation) else answer


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("What is 3 plus 4, and what time is it in Oslo?", 2),
        ("Move the slot. One more thing: weigh it.", 2),
        ("What is 3 plus 4? What time is it in Oslo?", 2),
        ("Register the absence. The start date is tomorrow.", 1),
        ('Send "Ready. Also: bring a pen" to Dana.', 1),
        ("The first number is 3. Second number is 5.", 1),
    ],
)
def test_only_words_that_open_another_request_cut_a_text(text: str, count: int) -> None:
    assert len(segments(text)) == count


async def test_each_tool_gets_the_values_of_its_own_part() -> None:
    assert await proposed(part(TWO, 1, SOLVE, SUMMARIZE), SOLVE) == {"formula": "3 + 4 * 2"}
    assert await proposed(part(TWO, 2, SOLVE, SUMMARIZE), SUMMARIZE) == {"series": [3, 5, 9], "measure": "average"}


async def test_values_of_the_other_part_count_against_a_call_only_where_nobody_else_takes_them() -> None:
    alone = await LexicalArgumentEvaluator().assess_arguments(Query.of_text(TWO), SOLVE, SUM)
    beside = await LexicalArgumentEvaluator().assess_arguments(part(TWO, 1, SOLVE, SUMMARIZE), SOLVE, SUM)
    assert alone.assessment is not None
    assert beside.assessment is not None
    assert alone.assessment.score < 0.5
    assert beside.assessment.score > 0.9


async def test_a_tool_for_its_own_part_supports_the_request() -> None:
    for number, tool in enumerate((SOLVE, SUMMARIZE), 1):
        vote = (await LexicalAnnotator().vote(2, part(TWO, number, SOLVE, SUMMARIZE), tool, OFFICE)).vote
        assert vote is not None
        assert vote.positive, vote.reason


@pytest.mark.parametrize("text", ["11", '{"success": true, "formula": "3 + 4 * 2", "result": 11}'])
async def test_the_result_of_the_call_before_is_taken_over_and_counts_as_a_step(text: str) -> None:
    query = part(LATER, 2, SOLVE, WEIGH, before=(made(text),), ordered=True)
    arguments = await proposed(query, WEIGH)
    assert arguments == {"value": 11, "from_unit": "kg", "to_unit": "g"}
    call = Invocation(tool="convert_load", arguments={"value": 11, "from_unit": "kg", "to_unit": "g"})
    vote = (await LexicalDepthAnnotator().depth(query, WEIGH, call)).vote
    assert vote is not None
    assert vote.steps == ("11 is the result of an earlier call",)


async def test_without_one_plain_result_nothing_is_made_up() -> None:
    query = part(LATER, 2, SOLVE, WEIGH, before=(made('{"parts": [3, 8]}'),), ordered=True)
    assert await proposed(query, WEIGH) != {"value": 11, "from_unit": "kg", "to_unit": "g"}
    assert "the result" in own_part(query).text


async def test_a_request_that_the_calls_leave_open_is_not_answered_by_the_last_one() -> None:
    three = f"{TWO} Also: register the absence of a person."
    shown = Observation(kind=ObservationKind.RETURNED, tool="s", arguments={}, text="5.67")
    call = Invocation(tool="summarize_series", arguments={})
    scores: list[float] = []
    for text in (TWO, three):
        answer = await LexicalResultEvaluator().assess_result(part(text, 2, SOLVE, SUMMARIZE), SUMMARIZE, call, shown)
        assert answer.assessment is not None
        scores.append(answer.assessment.score)
    assert scores[0] > 0.9
    assert scores[1] < 0.2
    assert left_open(part(three, 2, SOLVE, SUMMARIZE)) == ("register the absence of a person.",)


async def test_the_router_answers_each_of_several_requests_and_waits_with_one_that_needs_a_result() -> None:
    both = await LexicalRouter().route(Query.of_text(TWO), OFFICE)
    assert [call.name for call in both.calls] == ["solve_formula", "summarize_series"]
    first = await LexicalRouter().route(Query.of_text(LATER), OFFICE)
    assert [call.name for call in first.calls] == ["solve_formula"]


async def chains() -> list[Scenario]:
    tasks = [ScenarioTask(tool=tool, toolset=OFFICE, chains=True) for tool in OFFICE.tools]
    derived = [scenario for task in tasks for scenario in (await LexicalWriter().scenarios(task)).scenarios]
    return [scenario for scenario in derived if scenario.then]


async def test_only_some_tools_open_a_chain_and_none_where_none_are_wanted() -> None:
    found = await chains()
    assert 1 <= len(found) <= len(OFFICE.tools) // 3
    assert len({scenario.target for scenario in found}) == len(found)
    plain = await LexicalWriter().scenarios(ScenarioTask(tool=OFFICE.tools[0], toolset=OFFICE))
    assert not any(scenario.then for scenario in plain.scenarios)


@pytest.mark.requirement("P26")
async def test_a_chain_is_written_as_deep_as_asked_and_one_that_carries_a_result_over_is_never_easy() -> None:
    for scenario in await chains():
        tool = OFFICE.tool(scenario.target)
        for difficulty in Difficulty:
            task = WritingTask(scenario=scenario, tool=tool, toolset=OFFICE, difficulty=difficulty, count=3)
            candidates = (await LexicalWriter().write(task)).candidates
            assert all(len(candidate.inference_steps) == difficulty.ordinal for candidate in candidates)
            assert all(len(segments(candidate.query.text)) == 2 for candidate in candidates)
            assert not (scenario.ordered and difficulty is Difficulty.EASY and candidates)


async def test_a_person_may_ask_for_a_pair_of_tools_of_their_own() -> None:
    pair = Scenario.model_validate(
        {"id": "own", "kind": "trigger", "target": "register_absence", "title": "t", "then": ["move_slot"]}
    )
    task = WritingTask(scenario=pair, tool=ABSENCE, toolset=OFFICE, difficulty=Difficulty.EASY, count=2)
    first, second = (await LexicalWriter().write(task)).candidates
    assert first.query.text != second.query.text
    assert await proposed(part(first.query.text, 2, ABSENCE, MOVE_SLOT), MOVE_SLOT) is not None
