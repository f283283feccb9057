"""S_arg and S_out by rule: right calls pass, wrong values, swapped ones and failures in disguise do not."""

import pytest

from doubles.lexical_tools import ABSENCE, MOVE_SLOT, NOW, RECENT, RESIZE, SOLVE, SUMMARIZE, WEIGH, asked
from plugineval.clients.baseline import LexicalArgumentEvaluator, LexicalResultEvaluator
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json

pytestmark = pytest.mark.anyio
TRIP = "Translate the clock time 3 pm from Vienna to Seoul"
RIGHT: Arguments = {"from_zone": "Europe/Vienna", "to_zone": "Asia/Seoul", "clock_time": "15:00"}


async def judged(text: str, tool: ToolSpec, proposal: Arguments | Abstention) -> Assessment:
    call = proposal if isinstance(proposal, Abstention) else Invocation(tool=tool.name, arguments=proposal)
    found = (await LexicalArgumentEvaluator().assess_arguments(asked(text, now=NOW), tool, call)).assessment
    assert found is not None
    return found


async def seen(
    tool: ToolSpec, structured: Json = None, text: str = "", kind: ObservationKind = ObservationKind.RETURNED
) -> Assessment:
    observation = Observation(kind=kind, tool=tool.name, arguments={}, text=text, structured=structured)
    call = Invocation(tool=tool.name, arguments={"width": 90})
    found = (await LexicalResultEvaluator().assess_result(asked("x"), tool, call, observation)).assessment
    assert found is not None
    return found


@pytest.mark.requirement("P12")
@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        (TRIP, MOVE_SLOT, RIGHT),
        ("Summarize 3, 5 and nine by their middle value", SUMMARIZE, {"series": [3, 5, 9], "measure": "median"}),
        ("Evaluate seven times two minus three", SOLVE, {"formula": "7 * 2 - 3"}),
        ("Convert twelve kilograms to lb", WEIGH, {"value": 12, "from_unit": "kg", "to_unit": "lb"}),
        (
            "Resize the picture to width 90, format rgb, without sharpen",
            RESIZE,
            {"width": 90, "format": "rgb", "sharpen": False},
        ),
    ],
)
async def test_values_that_the_query_supports_score_high(text: str, tool: ToolSpec, arguments: Arguments) -> None:
    assert (await judged(text, tool, arguments)).score >= 0.9


@pytest.mark.requirement("P12")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"clock_time": "03:00"}, "clock_time"),
        ({"from_zone": "Asia/Seoul", "to_zone": "Europe/Vienna"}, "from_zone"),
        ({"to_zone": "Asia/Tokyo"}, "to_zone"),
        ({"to_zone": "Seoul"}, "to_zone"),
        ({"clock_time": "3 pm"}, "clock_time"),
    ],
)
async def test_one_wrong_value_scores_low_and_is_named(change: Arguments, named: str) -> None:
    found = await judged(TRIP, MOVE_SLOT, RIGHT | change)
    assert found.score <= 0.4
    assert f"{named}: " in found.reason


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("Summarize 3, 5 and 9, measure median", SUMMARIZE, {"series": [3, 5], "measure": "median"}),
        ("Summarize 3, 5 and 9, measure median", SUMMARIZE, {"series": [9, 5, 3], "measure": "median"}),
        ("Evaluate 3 + 4 * 2", SOLVE, {"formula": "3 + 4"}),
        ("Evaluate fifty-five plus two", SOLVE, {"formula": "5 + 2"}),
        ("Show recent error lines, limit 7", RECENT, {}),
        ("width 90, format rgb", RESIZE, {"width": 90, "format": "rgb", "colour": "red"}),
        ("width 90, format rgb", RESIZE, {"width": 90}),
        ("The format is hsl, the width is 90, unlike the rgb one", RESIZE, {"width": 90, "format": "rgb"}),
        (
            "Absence of Ada, start date tomorrow, end date in 2 weeks",
            ABSENCE,
            {"person_name": "Ada", "start_date": "2026-03-05", "end_date": "2026-03-19"},
        ),
    ],
)
async def test_parts_left_out_cut_off_or_reordered_are_not_accepted(
    text: str, tool: ToolSpec, arguments: Arguments
) -> None:
    assert (await judged(text, tool, arguments)).score < 0.62


@pytest.mark.requirement("P15")
async def test_an_abstention_is_justified_only_where_something_is_really_missing() -> None:
    gone = Abstention(reason="no width", missing=("width",))
    assert (await judged("Resize the picture to format rgb", RESIZE, gone)).score >= 0.8
    assert (await judged("Resize the picture to width 90 and format rgb", RESIZE, gone)).score <= 0.2


@pytest.mark.parametrize(
    "content",
    [
        {"success": False, "message": "no"},
        {"error": "unknown format"},
        {"status": "failed"},
        {"results": [{"ok": True, "v": 1}, {"ok": False}]},
        {"value": None},
        {"items": []},
        {"value": "NaN"},
        {"width": 91, "file": "a.png"},
    ],
)
async def test_failures_in_disguise_and_hollow_results_score_low(content: Json) -> None:
    assert (await seen(RESIZE, content)).score <= 0.4


@pytest.mark.parametrize("content", [{"file": "a.png", "error": None}, {"width": 90, "bytes": 12}, ["a"], 4])
async def test_content_without_a_sign_of_failure_scores_high(content: Json) -> None:
    assert (await seen(RESIZE, content)).score >= 0.9


async def test_an_error_line_is_an_answer_only_of_a_tool_that_reads_such_lines() -> None:
    line = "Error: disk full"
    assert (await seen(RECENT, text=line, kind=ObservationKind.SUSPECT)).score >= 0.9
    assert (await seen(RESIZE, text=line, kind=ObservationKind.SUSPECT)).score <= 0.2
    assert (await seen(RESIZE, text=line)).score <= 0.2


async def test_what_was_not_returned_is_worth_nothing() -> None:
    assert (await seen(RESIZE, {"a": 1}, kind=ObservationKind.TIMEOUT)).score == 0
