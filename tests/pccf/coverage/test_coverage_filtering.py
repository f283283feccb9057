import time

import pytest

from doubles.construction import scenario, tool
from plugineval.pccf.config import FilterConfig
from plugineval.pccf.coverage.filtering import CandidateFilter, FilteredCandidate, FilterReason
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.roles import Candidate, WritingTask
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

pytestmark = pytest.mark.requirement("P29", "X11")

LONGEST = FilterConfig().maximum_characters


def task(target: ToolSpec | str = "get_weather", *, count: int = 9) -> WritingTask:
    target, other = tool(target) if isinstance(target, str) else target, tool("tellTime")
    toolset = Toolset(tools=(target, other))
    type_b = scenario(ScenarioKind.TYPE_B, target.name, lookalike="tellTime")
    return WritingTask(scenario=type_b, tool=target, toolset=toolset, difficulty=Difficulty.EASY, count=count)


def candidates(asked: WritingTask, *texts: str) -> list[Candidate]:
    return [
        Candidate(query=Query.of_text(text), scenario=asked.scenario.id, difficulty=Difficulty.EASY) for text in texts
    ]


def reason_of(text: str, target: ToolSpec | str = "get_weather") -> FilterReason | None:
    asked = task(target)
    kept, filtered = CandidateFilter().sift(asked, candidates(asked, text))
    assert len(kept) + len(filtered) == 1
    return filtered[0].reason if filtered else None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How is it in Oslo?", None),
        ("", FilterReason.EMPTY),
        (" ?! ", FilterReason.EMPTY),
        ("a?", FilterReason.TOO_SHORT),
        ("x" * LONGEST, None),
        ("x" * (LONGEST + 1), FilterReason.TOO_LONG),
        ("Use get_weather for Oslo", FilterReason.NAMES_TOOL),
        ("Use GET_WEATHER.", FilterReason.NAMES_TOOL),
        ("forget_weather_now", None),
        ("ask tellTime about it", FilterReason.NAMES_TOOL),
        ('Take {"place": "Oslo"} please', FilterReason.HOLDS_ARGUMENTS),
        ('Tidy up {"city": "Oslo"} please', None),
        ("Is {this} JSON?", None),
        ('Nested {"x": {"place": 1}}', FilterReason.HOLDS_ARGUMENTS),
        ("Take {place: 'Oslo'} please", FilterReason.HOLDS_ARGUMENTS),
        ("The weather with place=Oslo please", FilterReason.HOLDS_ARGUMENTS),
        ('The weather with place = "Oslo" please', FilterReason.HOLDS_ARGUMENTS),
        ("forecast(place='Oslo')", FilterReason.HOLDS_ARGUMENTS),
        ("Is place == Oslo true?", None),
        ("The place: Oslo, as always.", None),
        ("Fetch https://example.com/?place=Oslo for me", None),
        ('Encode "place=Oslo" for me', None),
    ],
)
def test_a_candidate_is_filtered_for_a_named_reason(text: str, reason: FilterReason | None) -> None:
    assert reason_of(text) is reason


def maths(*arguments: str) -> ToolSpec:
    return ToolSpec(name="evaluate", input_schema={"properties": {name: {"type": "string"} for name in arguments}})


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("Evaluate 2x + 1 for x = 3", False),
        ("Plug in x = 3, y = 4", True),
        ("f(x=3)", True),
        ("sourceZone: Oslo", True),
        ("source_zone: Oslo", False),
    ],
)
def test_a_single_letter_is_mathematics_and_an_identifier_with_a_colon_is_none(text: str, *, leaks: bool) -> None:
    expected = FilterReason.HOLDS_ARGUMENTS if leaks else None
    assert reason_of(text, maths("x", "y", "sourceZone")) is expected


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
def test_a_tool_called_by_an_everyday_word_leaks_only_where_it_is_written_as_a_name(text: str, *, leaks: bool) -> None:
    assert reason_of(text, "search") is (FilterReason.NAMES_TOOL if leaks else None)


def test_the_same_words_are_a_duplicate_whatever_their_case_spacing_and_end() -> None:
    sieve, asked = CandidateFilter(), task()
    first, _ = sieve.sift(asked, candidates(asked, "How is it in Oslo?"))
    kept, filtered = sieve.sift(asked, candidates(asked, "how  is it in OSLO", "How is it in Rome?"))
    assert [c.query.text for c in first + kept] == ["How is it in Oslo?", "How is it in Rome?"]
    assert [(f.reason, f.compared_with) for f in filtered] == [(FilterReason.DUPLICATE, "How is it in Oslo?")]
    assert filtered[0].unit.key == f"{asked.scenario.id}|easy"


def test_a_sign_inside_the_text_keeps_two_queries_apart() -> None:
    asked = task()
    kept, _ = CandidateFilter().sift(asked, candidates(asked, "What is 3 -5?", "What is 3 5?"))
    assert len(kept) == 2


def test_what_goes_beyond_the_request_is_not_verified_and_not_remembered() -> None:
    sieve, asked = CandidateFilter(), task(count=1)
    kept, filtered = sieve.sift(asked, candidates(asked, "one thing", "another matter"))
    later, _ = sieve.sift(asked, candidates(asked, "another matter"))
    assert ([c.query.text for c in kept], [f.reason for f in filtered]) == (
        ["one thing"],
        [FilterReason.BEYOND_REQUEST],
    )
    assert [c.query.text for c in later] == ["another matter"]


def test_a_candidate_for_another_scenario_is_off_scenario() -> None:
    asked = task()
    strayed = candidates(asked, "hello")[0].model_copy(update={"scenario": "other"})
    kept, filtered = CandidateFilter().sift(asked, [strayed])
    assert (kept, [f.reason for f in filtered]) == ([], [FilterReason.OFF_SCENARIO])
    assert filtered[0].candidate == strayed


BOOKING = ToolSpec(
    name="book_room",
    description="Book a meeting room",
    input_schema={
        "properties": {
            "room": {"type": "string", "description": "One of aurora, borealis"},
            "layout": {"enum": ["circle", "rows"]},
        }
    },
)


def sifted(*texts: str, config: FilterConfig | None = None) -> list[FilteredCandidate]:
    asked = task(BOOKING)
    return CandidateFilter(config).sift(asked, candidates(asked, *texts))[1]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Could you book a meeting room for our weekly planning session on 4 May, please?",
            "Would you book a meeting room for our weekly planning session on 4 May?",
        ),
        (
            "Book a meeting room for the budget talk with Omar Reyes and set it up nicely.",
            "Please book a meeting room for the budget talk with Omar Reyes, and set it up nicely.",
        ),
    ],
)
@pytest.mark.requirement("D12")
def test_the_same_values_in_almost_the_same_words_are_a_near_duplicate_that_says_of_what(
    first: str, second: str
) -> None:
    (found,) = sifted(first, second)
    assert (found.reason, found.compared_with) == (FilterReason.NEAR_DUPLICATE, first)
    assert found.similarity is not None
    assert found.similarity >= FilterConfig().near_duplicate
    assert found.measure == SIMILARITY.measure


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Book the meeting room for 4 people at noon.", "Book the meeting room for 5 people at noon."),
        ("Book the meeting room at 14:30 for me.", "Book the meeting room at 14:45 for me."),
        ("Book the meeting room for Omar, please.", "Book the meeting room for Dana, please."),
        ("Oslo needs a meeting room for the long day.", "Lyon needs a meeting room for the long day."),
        ("Book the meeting room for monday, please.", "Book the meeting room for friday, please."),
        ("Book the meeting room tomorrow, please.", "Book the meeting room today, please."),
        ("Book the meeting room with chairs in rows.", "Book the meeting room with chairs in circle."),
        ("Book the aurora meeting room for the team.", "Book the borealis meeting room for the team."),
        ('Book the meeting room called "blue lake".', 'Book the meeting room called "red lake".'),
        ("Book the meeting room for two hours.", "Book the meeting room for three hours."),
        ("Move the party from the hall to the garden.", "Move the party from the garden to the hall."),
        ("Book the room from Oslo to Lyon, please.", "Book the room from Lyon to Oslo, please."),
        ("Book the meeting room and invite the team.", "Book the meeting room and do not invite the team."),
        ("Send it to ada@example.com after booking.", "Send it to bob@example.com after booking."),
        ("What is 12 + 30 rooms in all?", "What is 12 * 30 rooms in all?"),
    ],
)
def test_requests_that_differ_in_a_value_are_different_cases(first: str, second: str) -> None:
    assert sifted(first, second, config=FilterConfig(near_duplicate=0.5)) == []


def test_near_duplicates_are_looked_for_among_the_texts_of_one_target() -> None:
    sieve, texts = (
        CandidateFilter(),
        ("Could you tell me how it looks outside?", "Can you tell me how it looks outside?"),
    )
    for target, text in zip(("one_tool", "other_tool"), texts, strict=True):
        asked = task(target)
        assert len(sieve.sift(asked, candidates(asked, text))[0]) == 1


def test_a_bound_above_one_keeps_every_near_duplicate() -> None:
    texts = ("Could you book a meeting room for our planning, please?", "Can you book a meeting room for our planning?")
    assert len(sifted(*texts, config=FilterConfig(near_duplicate=0.7))) == 1
    assert sifted(*texts, config=FilterConfig(near_duplicate=1.01)) == []


def test_lengths_come_from_the_configuration_and_are_told() -> None:
    config = FilterConfig(minimum_characters=10, maximum_characters=20)
    found = sifted("Book it.", "Book a meeting room, quickly.", "Book the room.", config=config)
    assert [(f.reason, f.detail) for f in found] == [
        (FilterReason.TOO_SHORT, "8 characters"),
        (FilterReason.TOO_LONG, "29 characters"),
    ]


GERMAN = "Kannst du mir bitte sagen, wann der Besprechungsraum morgen frei ist?"
FRENCH = "Pouvez-vous me dire quand la salle de réunion est libre demain ?"
ENGLISH = "Can you tell me when the meeting room is free tomorrow?"


@pytest.mark.parametrize(
    ("languages", "dropped"),
    [((), []), (("en",), [GERMAN, FRENCH]), (("de",), [FRENCH, ENGLISH]), (("en", "fr"), [GERMAN])],
)
def test_a_text_that_is_surely_in_none_of_the_languages_is_filtered(
    languages: tuple[str, ...], dropped: list[str]
) -> None:
    found = sifted(GERMAN, FRENCH, ENGLISH, config=FilterConfig(languages=languages))
    assert [f.candidate.query.text for f in found] == dropped
    assert {f.reason for f in found} <= {FilterReason.OTHER_LANGUAGE}
    assert all("with probability" in f.detail for f in found)


@pytest.mark.parametrize(
    "text", ["Oslo, 14:30?", 'Encode "Guten Morgen, wie geht es dir heute?"', "3 + 4 * 5", "HMAC?"]
)
def test_names_numbers_and_quoted_text_say_nothing_about_the_language(text: str) -> None:
    assert sifted(text, config=FilterConfig(languages=("en",))) == []


def test_an_unknown_language_is_refused_before_anything_is_written() -> None:
    with pytest.raises(ConfigurationError, match=r"filters\.languages: 'english' is no language.*Allowed: .*en, "):
        CandidateFilter(FilterConfig(languages=("english",)))


def test_three_thousand_candidates_are_sifted_in_seconds() -> None:
    asked = task(BOOKING, count=3000)
    subjects = ("budget", "travel", "hiring", "design", "safety", "party", "garden", "music", "press", "lunch")
    texts = [
        f"Could you book the meeting room for {subjects[n % 10]} talk about {subjects[n // 10 % 10]} with the"
        f" {subjects[n // 100 % 10]} crowd{' and everybody else' * (n // 1000)}?"
        for n in range(3000)
    ]
    sieve, started = CandidateFilter(), time.process_time()
    kept, filtered = sieve.sift(asked, candidates(asked, *texts))
    assert len(kept) + len(filtered) == 3000
    assert time.process_time() - started < 15
