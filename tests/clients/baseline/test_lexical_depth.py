"""The depth of a verified call, counted from its values alone, on queries that no writer of ours wrote."""

import pytest

from doubles.lexical_tools import MOVE_SLOT, NOW, OFFICE, SOLVE, SUMMARIZE, TOOLS, a_tool
from plugineval.clients.baseline import LexicalDepthAnnotator, LexicalGenerator, LexicalWriter
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.roles import ProposalTask, ScenarioTask, WritingTask
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments

pytestmark = pytest.mark.anyio
MEETING = a_tool(
    "add_meeting",
    "Add a meeting to the calendar",
    {
        "start": {"type": "string", "format": "date-time", "description": "When it starts"},
        "minutes": {"type": "integer", "default": 30},
        "repeat": {"type": "string", "enum": ["every_week", "never"], "default": "never"},
    },
    ["start"],
)


async def steps(text: str, tool: ToolSpec, arguments: Arguments) -> tuple[str, ...]:
    call = Invocation(tool=tool.offered_name, arguments=arguments)
    vote = (await LexicalDepthAnnotator().depth(Query.of_text(text, now=NOW), tool, call)).vote
    assert vote is not None
    return vote.steps


ZONES: Arguments = {"from_zone": "Europe/Vienna", "to_zone": "Asia/Seoul", "clock_time": "14:30"}


@pytest.mark.requirement("P26")
@pytest.mark.parametrize(
    ("text", "tool", "arguments", "depth"),
    [
        ("Move 14:30 from Europe/Vienna to Asia/Seoul", MOVE_SLOT, ZONES, 0),
        ("Move 14:30 from Vienna to Asia/Seoul", MOVE_SLOT, ZONES, 1),
        ("Move half past two in the afternoon from Vienna to Seoul", MOVE_SLOT, ZONES, 3),
        ("Move 12:30 pm from Europe/Vienna to Asia/Seoul", MOVE_SLOT, {**ZONES, "clock_time": "12:30"}, 1),
        ("What is 3+4 * 2?", SOLVE, {"formula": "3 + 4 * 2"}, 0),
        ("What is three plus four times two?", SOLVE, {"formula": "3 + 4 * 2"}, 1),
        ("The average of 3, 5 and 9", SUMMARIZE, {"series": [3, 5, 9], "measure": "average"}, 0),
        ("The mean of three, five and nine", SUMMARIZE, {"series": [3, 5, 9], "measure": "average"}, 2),
        ("A meeting at 2026-03-05T09:00:00", MEETING, {"start": "2026-03-05T09:00:00"}, 0),
        ("A meeting tomorrow at 09:00", MEETING, {"start": "2026-03-05T09:00:00"}, 1),
        ("A meeting tomorrow at nine in the morning", MEETING, {"start": "2026-03-05T09:00:00"}, 2),
        ("Every week from 2026-03-05T09:00", MEETING, {"start": "2026-03-05T09:00", "repeat": "every_week"}, 0),
        ("A meeting at 2026-03-05T09:00", MEETING, {"start": "2026-03-05T09:00", "minutes": 30}, 0),
        ("A meeting at 2026-03-05T09:00", MEETING, {"start": "2026-03-05T09:00", "minutes": 45}, 1),
    ],
)
async def test_what_is_said_takes_no_step_and_what_must_be_inferred_takes_one_each(
    text: str, tool: ToolSpec, arguments: Arguments, depth: int
) -> None:
    assert len(await steps(text, tool, arguments)) == depth


@pytest.mark.requirement("P26")
async def test_a_step_that_serves_two_arguments_is_one_step() -> None:
    both: Arguments = {"from_zone": "Asia/Seoul", "to_zone": "Asia/Seoul", "clock_time": "14:30"}
    assert len(await steps("Is 14:30 in Seoul also 14:30 there?", MOVE_SLOT, both)) == 1


@pytest.mark.requirement("P26")
async def test_the_baseline_writes_as_deep_as_the_depth_that_is_found_in_its_words() -> None:
    writer, generator, wrong, seen = LexicalWriter(), LexicalGenerator(), 0, 0
    for tool in TOOLS:
        for scenario in (await writer.scenarios(ScenarioTask(tool=tool, toolset=OFFICE))).scenarios:
            for difficulty in Difficulty if scenario.kind is ScenarioKind.TRIGGER else ():
                task = WritingTask(scenario=scenario, tool=tool, toolset=OFFICE, difficulty=difficulty, count=3)
                for candidate in (await writer.write(task)).candidates:
                    proposed = await generator.propose(ProposalTask(query=candidate.query, tool=tool), index=2)
                    if isinstance(call := proposed.proposal, Invocation):
                        vote = (await LexicalDepthAnnotator().depth(candidate.query, tool, call)).vote
                        seen += 1
                        wrong += vote is None or len(vote.steps) != len(candidate.inference_steps)
    assert seen > 40
    assert wrong <= seen * 0.05
