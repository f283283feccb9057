"""Levels 1 and 2 by rule: need of any tool, and support by this one, each with a reason."""

import pytest

from doubles.lexical_tools import MOVE_SLOT, OFFICE, RESIZE, SOLVE, SUMMARIZE, asked
from plugineval.clients.baseline import LexicalAnnotator
from plugineval.pccf.records import LevelVote
from plugineval.pccf.tools import ToolSpec

pytestmark = pytest.mark.anyio


async def vote(level: int, text: str, tool: ToolSpec) -> LevelVote:
    found = (await LexicalAnnotator().vote(1 if level == 1 else 2, asked(text), tool, OFFICE)).vote
    assert found is not None
    assert found.reason
    return found


@pytest.mark.requirement("P1")
@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("Evaluate the formula 3 * 4", True),
        ("Schedule a reminder for Friday", True),
        ("Write me a poem about a formula", False),
        ("What do you think about long winters?", False),
    ],
)
async def test_talk_needs_no_tool_even_in_a_tools_words(text: str, needed: bool) -> None:
    assert (await vote(1, text, SOLVE)).positive is needed


@pytest.mark.requirement("P2")
async def test_support_is_decided_for_each_tool_on_its_own() -> None:
    text = "Summarize the series 3, 5 and 9 with the measure median"
    assert (await vote(2, text, SUMMARIZE)).positive
    assert not (await vote(2, text, SOLVE)).positive


@pytest.mark.requirement("P2")
@pytest.mark.parametrize(
    "text",
    [
        "Resize the picture to width 90, format rgb, and email the picture to dana@example.org",
        "Resize the picture to the format cmyk",
        "Resize the picture to a width of 9000",
    ],
)
async def test_what_a_tool_cannot_take_or_do_is_not_supported(text: str) -> None:
    assert not (await vote(2, text, RESIZE)).positive


async def test_a_request_that_is_set_aside_does_not_count() -> None:
    text = "I don't want to evaluate a formula. Translate a clock time from one zone to another: 9:00, Vienna to Seoul."
    assert (await vote(2, text, MOVE_SLOT)).positive
    assert not (await vote(2, text, SOLVE)).positive
