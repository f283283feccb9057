"""From a text to arguments: labels and prepositions decide, kinds are kept apart, what is not said stays out."""

import pytest

from doubles.lexical_tools import ABSENCE, MOVE_SLOT, NOW, RECENT, RESIZE, SUMMARIZE, a_tool, asked
from plugineval.clients.baseline.extraction import extract
from plugineval.clients.baseline.strategies import EAGER, LENIENT, STRICT, Strategy
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json


def arguments(text: str, tool: ToolSpec, strategy: Strategy = STRICT) -> Arguments:
    return extract(asked(text, now=NOW), tool, strategy).arguments


def test_prepositions_decide_whichever_order_the_text_has() -> None:
    text = "to Seoul from Vienna at 9:00"
    assert arguments(text, MOVE_SLOT) == {"from_zone": "Europe/Vienna", "to_zone": "Asia/Seoul", "clock_time": "09:00"}


def test_the_eager_strategy_goes_by_order_and_errs_where_the_order_misleads() -> None:
    assert arguments("to Seoul from Vienna at 9:00", MOVE_SLOT, EAGER)["from_zone"] == "Asia/Seoul"


def test_labels_decide_between_arguments_of_one_kind() -> None:
    found = arguments('end date 2026-03-09; person name "Ada"; start date 2026-03-05', ABSENCE)
    assert found == {"person_name": "Ada", "start_date": "2026-03-05", "end_date": "2026-03-09"}


def test_a_reference_and_a_nullable_choice_are_resolved() -> None:
    assert arguments("width 90, format hsl, sharpen on", RESIZE) == {"width": 90, "format": "hsl", "sharpen": True}


def test_a_listed_value_is_found_in_ordinary_spelling() -> None:
    assert arguments("series 2, 9 and 4 with the measure largest gap", SUMMARIZE)["measure"] == "largest_gap"


def test_only_the_lenient_strategy_takes_other_words_for_a_listed_value() -> None:
    text = "summarize 2, 9 and 4 by their arithmetic mean"
    assert extract(asked(text), SUMMARIZE, STRICT).missing == ("measure",)
    assert extract(asked(text), SUMMARIZE, LENIENT).arguments["measure"] == "average"


def test_an_optional_argument_needs_a_cue_and_a_number_elsewhere_is_none() -> None:
    assert arguments("Show recent error lines for the 3 of us", RECENT) == {}
    assert arguments("Show recent error lines with the limit 7", RECENT) == {"limit": 7}


def test_a_missing_required_argument_is_named_and_never_made_up() -> None:
    extraction = extract(asked("Resize it to 80 pixels"), RESIZE, LENIENT)
    assert extraction.missing == ("format",)
    assert "format" not in extraction.arguments


def test_a_fallback_of_the_description_fills_in_only_where_the_strategy_is_lenient() -> None:
    zone: dict[str, Json] = {
        "type": "string",
        "description": "IANA zone name. Use 'Etc/UTC' if no zone is provided by the user.",
    }
    tool = a_tool("clock", "Show the clock", {"zone": zone}, ["zone"])
    assert extract(asked("Show the clock"), tool, STRICT).missing == ("zone",)
    assert extract(asked("Show the clock"), tool, LENIENT).arguments == {"zone": "Etc/UTC"}


@pytest.mark.parametrize("strategy", [STRICT, EAGER, LENIENT])
def test_every_value_says_how_it_was_found(strategy: Strategy) -> None:
    extraction = extract(asked("width 90, format hsl"), RESIZE, strategy)
    assert set(extraction.how) == set(extraction.arguments)


@pytest.mark.parametrize("text", ["", "[" * 5000, "1" * 5000, "from to from to", '"', "width width width"])
def test_strange_texts_are_answered(text: str) -> None:
    for strategy in (STRICT, EAGER, LENIENT):
        assert "format" in extract(asked(text), RESIZE, strategy).missing
