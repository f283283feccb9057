"""The floor as a model: it calls what fits and can be filled, says why it calls nothing, and repeats itself."""

import subprocess
import sys

import pytest

from doubles.lexical_tools import EMPTY_BIN, NOW, OFFICE, asked
from plugineval.clients.baseline import BASELINE_ID, LexicalRouter
from plugineval.clients.baseline.relevance import rank
from plugineval.clients.baseline.writing.chains import chain_scenario
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("P37")
@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        (
            "Translate the clock time half past two in the afternoon from New York to Seoul",
            "move_slot",
            {"from_zone": "America/New_York", "to_zone": "Asia/Seoul", "clock_time": "14:30"},
        ),
        (
            "Summarize the series 3, 5 and nine, using median as the measure",
            "summarize_series",
            {"series": [3, 5, 9], "measure": "median"},
        ),
        ("Evaluate the formula twelve plus seven times two", "solve_formula", {"formula": "12 + 7 * 2"}),
        ("Resize the picture: width 120; format rgb", "resize_picture", {"width": 120, "format": "rgb"}),
        ("Convert a load of 12 kg to lb", "convert_load", {"value": 12, "from_unit": "kg", "to_unit": "lb"}),
        ("Please empty the recycle bin", "empty_bin", {}),
        (
            'Register the absence of "Ada Lovelace" from tomorrow to 2026-03-09',
            "register_absence",
            {"person_name": "Ada Lovelace", "start_date": "2026-03-05", "end_date": "2026-03-09"},
        ),
    ],
)
async def test_it_calls_the_tool_whose_words_fit_with_what_the_query_holds(
    text: str, tool: str, arguments: dict[str, Json]
) -> None:
    reply = await LexicalRouter().route(asked(text, now=NOW), OFFICE)
    assert [(call.name, call.arguments) for call in reply.calls] == [(tool, arguments)]


@pytest.mark.parametrize("text", ["Tell me a joke about old books.", "How are you today?", "", "🙂"])
async def test_it_calls_nothing_where_no_tool_fits(text: str) -> None:
    reply = await LexicalRouter().route(asked(text), OFFICE)
    assert reply.calls == ()
    assert reply.failure is None
    assert "No tool fits" in reply.text


async def test_it_names_what_is_missing_instead_of_inventing_it() -> None:
    reply = await LexicalRouter().route(asked("Resize the picture to the format rgb"), OFFICE)
    assert reply.calls == ()
    assert "width" in reply.text


async def test_it_answers_an_empty_toolset() -> None:
    assert (await LexicalRouter().route(asked("Empty the bin"), Toolset())).calls == ()


async def test_the_seed_changes_nothing_and_the_answer_comes_again() -> None:
    router, query = LexicalRouter(), asked("Summarize the series 4 and 8 with the measure average")
    replies = [await router.route(query, OFFICE, seed=seed) for seed in (0, 1, 99)]
    assert {reply.model_copy(update={"latency_ms": 0.0}).model_dump_json() for reply in replies} == {
        replies[0].model_copy(update={"latency_ms": 0.0}).model_dump_json()
    }


async def test_a_tool_is_called_by_the_name_that_was_offered() -> None:
    offered = Toolset(tools=(EMPTY_BIN.model_copy(update={"alias": "office__empty_bin"}),))
    reply = await LexicalRouter().route(asked("Empty the recycle bin"), offered)
    assert [call.name for call in reply.calls] == ["office__empty_bin"]


def test_two_servers_that_show_models_the_same_never_lend_each_other_tools() -> None:
    here = Toolset(tools=tuple(tool.model_copy(update={"plugin": "here"}) for tool in OFFICE.tools))
    there = Toolset(tools=tuple(tool.model_copy(update={"plugin": "there"}) for tool in OFFICE.tools))
    assert here.content_hash == there.content_hash
    query = Query.of_text("Convert a load of 12 kg to lb")
    assert {each.tool.plugin for each in rank(query, here)} == {"here"}
    assert {each.tool.plugin for each in rank(query, there)} == {"there"}
    chains = [[chain_scenario(tool, each) for tool in each.tools] for each in (here, there)]
    assert any(chains[0])
    assert chains[0] == chains[1]


def test_it_says_that_it_is_a_floor_and_not_a_model() -> None:
    assert LexicalRouter().id == BASELINE_ID == "baseline:lexical"
    assert len(LexicalRouter().prompt_hash) == 64


def test_importing_the_door_loads_none_of_its_libraries() -> None:
    heavy = ("rapidfuzz", "dateparser", "text_to_num", "snowballstemmer")
    script = f"import sys, plugineval.clients.baseline; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
