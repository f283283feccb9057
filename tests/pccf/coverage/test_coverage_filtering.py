import pytest

from doubles.construction import scenario, tool
from plugineval.pccf.coverage.filtering import MAX_CHARACTERS, CandidateFilter, FilterReason
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.roles import Candidate, WritingTask
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.requirement("P29", "X11")


def task(name: str = "get_weather", *, count: int = 9) -> WritingTask:
    target, other = tool(name), tool("tellTime")
    toolset = Toolset(tools=(target, other))
    type_b = scenario(ScenarioKind.TYPE_B, name, lookalike="tellTime")
    return WritingTask(scenario=type_b, tool=target, toolset=toolset, difficulty=Difficulty.EASY, count=count)


def candidates(asked: WritingTask, *texts: str) -> list[Candidate]:
    return [
        Candidate(query=Query.of_text(text), scenario=asked.scenario.id, difficulty=Difficulty.EASY) for text in texts
    ]


def reason_of(text: str, name: str = "get_weather") -> FilterReason | None:
    asked = task(name)
    kept, filtered = CandidateFilter().sift(asked, candidates(asked, text))
    assert len(kept) + len(filtered) == 1
    return filtered[0].reason if filtered else None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How is it in Oslo?", None),
        ("", FilterReason.EMPTY),
        (" ?! ", FilterReason.EMPTY),
        ("x" * MAX_CHARACTERS, None),
        ("x" * (MAX_CHARACTERS + 1), FilterReason.TOO_LONG),
        ("Use get_weather for Oslo", FilterReason.NAMES_TOOL),
        ("Use GET_WEATHER.", FilterReason.NAMES_TOOL),
        ("forget_weather_now", None),
        ("ask tellTime about it", FilterReason.NAMES_TOOL),
        ('Take {"place": "Oslo"} please', FilterReason.HOLDS_ARGUMENTS),
        ('Tidy up {"city": "Oslo"} please', None),
        ("Is {this} JSON?", None),
        ('Nested {"x": {"place": 1}}', FilterReason.HOLDS_ARGUMENTS),
    ],
)
def test_a_candidate_is_filtered_for_a_named_reason(text: str, reason: FilterReason | None) -> None:
    assert reason_of(text) is reason


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("Search for a café", False),
        ("Please use the search tool", True),
        ("call `search`", True),
        ("search(query)", True),
        ("with the function search", True),
        ("research tools", False),
    ],
)
def test_a_tool_called_by_an_everyday_word_leaks_only_where_it_is_written_as_a_name(text: str, leaks: bool) -> None:
    assert reason_of(text, "search") is (FilterReason.NAMES_TOOL if leaks else None)


def test_the_same_words_are_a_duplicate_whatever_their_case_spacing_and_end() -> None:
    sieve, asked = CandidateFilter(), task()
    first, _ = sieve.sift(asked, candidates(asked, "How is it in Oslo?"))
    kept, filtered = sieve.sift(asked, candidates(asked, "how  is it in OSLO", "How is it in Rome?"))
    assert [c.query.text for c in first + kept] == ["How is it in Oslo?", "How is it in Rome?"]
    assert [f.reason for f in filtered] == [FilterReason.DUPLICATE]
    assert filtered[0].unit.key == f"{asked.scenario.id}|easy"


def test_a_sign_inside_the_text_keeps_two_queries_apart() -> None:
    asked = task()
    kept, _ = CandidateFilter().sift(asked, candidates(asked, "What is 3 -5?", "What is 3 5?"))
    assert len(kept) == 2


def test_what_goes_beyond_the_request_is_not_verified_and_not_remembered() -> None:
    sieve, asked = CandidateFilter(), task(count=1)
    kept, filtered = sieve.sift(asked, candidates(asked, "one", "two"))
    later, _ = sieve.sift(asked, candidates(asked, "two"))
    assert ([c.query.text for c in kept], [f.reason for f in filtered]) == (["one"], [FilterReason.BEYOND_REQUEST])
    assert [c.query.text for c in later] == ["two"]


def test_a_candidate_for_another_scenario_is_off_scenario() -> None:
    asked = task()
    strayed = candidates(asked, "hello")[0].model_copy(update={"scenario": "other"})
    kept, filtered = CandidateFilter().sift(asked, [strayed])
    assert (kept, [f.reason for f in filtered]) == ([], [FilterReason.OFF_SCENARIO])
    assert filtered[0].candidate == strayed
