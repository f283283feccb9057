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


LOG_LINES = [
    "2026-03-04 09:12:01 ERROR disk full\n2026-03-04 09:12:07 ERROR disk full",
    "09:12 Error: disk full",
    "Error: disk full\nError: no space left\nError: cannot write",
    "src/app.py:12:3: error: unknown name",
]


@pytest.mark.requirement("P12")
@pytest.mark.parametrize("lines", LOG_LINES)
async def test_error_lines_are_an_answer_only_of_a_tool_that_reads_such_lines(lines: str) -> None:
    assert (await seen(RECENT, text=lines, kind=ObservationKind.SUSPECT)).score >= 0.9
    assert (await seen(RESIZE, text=lines, kind=ObservationKind.SUSPECT)).score <= 0.2


async def test_log_entries_in_a_list_are_an_answer_of_a_log_reader() -> None:
    entries: Json = {"lines": [{"level": "error", "error": "disk full"}]}
    assert (await seen(RECENT, entries, kind=ObservationKind.SUSPECT)).score >= 0.9
    assert (await seen(RESIZE, entries, kind=ObservationKind.SUSPECT)).score <= 0.2
    failed: Json = {"error": "log not readable", "lines": []}
    assert (await seen(RECENT, failed, kind=ObservationKind.SUSPECT)).score <= 0.2


@pytest.mark.parametrize("line", ["Error: log file not found", "HTTP 500 Internal Server Error", "log not found"])
async def test_one_error_sentence_is_about_the_call_even_of_a_log_reader(line: str) -> None:
    assert (await seen(RECENT, text=line, kind=ObservationKind.SUSPECT)).score <= 0.2
    assert (await seen(RESIZE, text=line, kind=ObservationKind.SUSPECT)).score <= 0.2


@pytest.mark.requirement("P12")
@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("get_order_status", "Get the delivery status of an order"),
        ("get_history", "Get the purchase history of a customer"),
        ("list_issues", "List the open issues of a project"),
        ("log_workout", "Log a workout of today"),
        ("sign_in", "Log in with a name; returns errors in English"),
        ("logarithm", "Calculate the logarithm of a number, which logs the call"),
    ],
)
@pytest.mark.parametrize("text", ["Error: order not found", "Error: a\nError: b\nError: c"])
async def test_a_tool_that_speaks_of_status_or_history_is_no_log_reader(name: str, description: str, text: str) -> None:
    tool = ToolSpec(plugin="p", name=name, description=description, input_schema={"type": "object"})
    assert (await seen(tool, text=text, kind=ObservationKind.SUSPECT)).score <= 0.2
    assert (await seen(tool, text=text)).score <= 0.2


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("tail_log", "Show the last lines"),
        ("get_service_logs", "Fetch what a service wrote"),
        ("run_linter", "Lint a file"),
        ("diagnostics", "Diagnostics of the editor"),
        ("stderr_of", "What a process wrote to stderr"),
        ("last_errors", "List the latest errors"),
    ],
)
async def test_a_tool_that_reads_logs_or_diagnostics_may_return_them(name: str, description: str) -> None:
    tool = ToolSpec(plugin="p", name=name, description=description, input_schema={"type": "object"})
    assert (await seen(tool, text=LOG_LINES[0], kind=ObservationKind.SUSPECT)).score >= 0.9


async def test_a_long_text_in_which_something_was_not_found_is_an_answer() -> None:
    text = "The book tells of a ship that was not found for years. " * 8
    assert (await seen(RESIZE, text=text)).score >= 0.9


async def test_what_was_not_returned_is_worth_nothing() -> None:
    assert (await seen(RESIZE, {"a": 1}, kind=ObservationKind.TIMEOUT)).score == 0
