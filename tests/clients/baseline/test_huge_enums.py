"""An enum of tens of thousands of values costs what the query is long; what is found stays what a scan would find."""

import time
from collections.abc import Callable

import pytest

from plugineval.clients.baseline.annotator import LexicalAnnotator
from plugineval.clients.baseline.argument_evaluator import LexicalArgumentEvaluator
from plugineval.clients.baseline.extraction import extract
from plugineval.clients.baseline.listed import listed, shown
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.strategies import LENIENT, STRICT
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio
PLACES: list[Json] = [
    *(f"Place {n} of the map" if n % 2 else f"code-{n}x" for n in range(60_000)), "Oslo", "New York",
]  # fmt: skip
TEXTS = ("Get the weather of New York for 3 days", "Weather place: Atlantis", "Weather at place 17 of the map please")


def tool_of(enum: list[Json], kind: str = "string") -> ToolSpec:
    place: dict[str, Json] = {"type": kind, "enum": enum}
    schema: dict[str, Json] = {"type": "object", "properties": {"place": place}, "required": ["place"]}
    return ToolSpec(plugin="p", name="get_weather", description="Get the weather of a place", input_schema=schema)


def fastest(call: Callable[[], object]) -> float:
    """Seconds; the best of three, since other work on the machine only ever adds."""
    times: list[float] = []
    for _ in range(3):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("strategy", [LENIENT, STRICT])
def test_a_value_is_read_from_a_huge_enum_at_once(text: str, strategy: object) -> None:
    tool = tool_of(PLACES)
    chosen = LENIENT if strategy is LENIENT else STRICT
    assert fastest(lambda: extract(Query.of_text(text), tool, chosen)) < 0.05
    found = extract(Query.of_text(text), tool, chosen).arguments
    assert found == {TEXTS[0]: {"place": "New York"}, TEXTS[1]: {}, TEXTS[2]: {"place": "Place 17 of the map"}}[text]


def test_numbers_of_a_huge_enum_are_read_at_once() -> None:
    tool = tool_of(list(range(60_000)), "integer")
    assert fastest(lambda: extract(Query.of_text("Weather of place 1,017"), tool, LENIENT)) < 0.05
    assert extract(Query.of_text("Weather of place 1,017"), tool, LENIENT).arguments == {"place": 1017}


async def test_the_judges_of_a_huge_enum_answer_at_once() -> None:
    tool = tool_of(PLACES)
    query = Query.of_text(TEXTS[0])
    judge, annotator = LexicalArgumentEvaluator(), LexicalAnnotator()
    right = Invocation(tool=tool.name, arguments={"place": "New York"})
    wrong = Invocation(tool=tool.name, arguments={"place": "Atlantis"})
    spent: list[float] = []
    good = bad = None
    for _ in range(4):
        begun = time.perf_counter()
        good = (await judge.assess_arguments(query, tool, right)).assessment
        middle = time.perf_counter()
        bad = (await judge.assess_arguments(query, tool, wrong)).assessment
        after = time.perf_counter()
        await annotator.vote(2, query, tool, Toolset(tools=(tool,)))
        spent.append(max(middle - begun, after - middle, time.perf_counter() - after))
    assert min(spent) < 0.05
    assert good is not None
    assert bad is not None
    assert bad.score <= 0.3 < good.score
    assert "and 59990 more" in bad.reason
    assert len(bad.reason) < 1_000


def said(text: str, *choices: Json) -> list[Json]:
    return listed(choices).said_in(Reading(text, None))


@pytest.mark.parametrize(
    ("text", "choices", "found"),
    [
        ("by New-York time", ["Oslo", "new_york", "New York"], ["new_york", "New York"]),
        ("the average please", ["max", "mean"], ["mean"]),
        ("in standard deviation", ["std_dev", "sum"], ["std_dev"]),
        ("one hundred and five", ["one hundred five", "six"], ["one hundred five"]),
        ("in C++ or C#", ["C++", "C#", "Java"], ["C++", "C#"]),
        ("in 1,000 pieces", [10, 1000], [1000]),
        ("salt and pepper", ["salt and pepper", "salt"], ["salt and pepper", "salt"]),
        ("für “Zürich”", ["Zürich", "Bern"], ["Zürich"]),
        ("a % of it", ["%", "x"], ["%"]),
        ("say a\nb", ["a\nb", "c"], ["a\nb"]),
        ("nothing", ["a", True, None, {"b": 1}], []),
    ],
)
def test_what_a_text_says_of_a_list_is_found_in_the_order_of_the_list(
    text: str, choices: list[Json], found: list[Json]
) -> None:
    assert said(text, *choices) == found


def test_a_long_list_is_shown_by_its_first_values_and_a_count() -> None:
    assert shown(range(3)) == "0, 1, 2"
    assert shown(range(20), most=2) == "0, 1 and 18 more"
