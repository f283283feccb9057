"""Look-alikes are found by name, description and arguments, as a person would find them."""

import pytest

from plugineval.pccf.coverage.distances import BOUNDS, boundary_shows, synthesized, wanted
from plugineval.pccf.coverage.lookalikes import FLOOR, likeness, lookalikes_of
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.coverage.tagging import matches
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json


def shelf(name: str, description: str, *arguments: str) -> ToolSpec:
    properties: dict[str, Json] = {argument: {"type": "string"} for argument in ("library", *arguments)}
    return ToolSpec(plugin="shelf", name=name, description=description, input_schema={"properties": properties})


ADD = shelf("add_books", "Add new books to a shelf of the library", "books")
REMOVE = shelf("remove_books", "Remove books from a shelf of the library", "books")
ADD_NOTES = shelf("add_notes", "Add new notes to existing books", "notes")
WEIGH = shelf("weigh_parcel", "Tell the postage of a parcel by its weight", "grams")
SHELF = Toolset(tools=(ADD, REMOVE, ADD_NOTES, WEIGH))


@pytest.mark.requirement("P23", "D12")
def test_look_alikes_come_the_most_alike_first_with_measure_and_score() -> None:
    found = lookalikes_of(ADD, SHELF)
    assert [each.tool for each in found] == ["remove_books", "add_notes"]
    assert all(each.similarity >= FLOOR and each.measure == SIMILARITY.measure for each in found)
    assert found[0].similarity > found[1].similarity


@pytest.mark.requirement("P23")
def test_a_tool_like_no_other_has_no_look_alike() -> None:
    assert lookalikes_of(WEIGH, SHELF) == ()
    assert likeness(WEIGH, ADD, SHELF).similarity < FLOOR


@pytest.mark.requirement("P23")
def test_an_argument_of_most_tools_and_the_end_of_a_long_description_make_no_look_alikes() -> None:
    boilerplate = " " + "Only works inside the folders that an administrator allowed for this very server. " * 4
    one = shelf(
        "weigh_parcel",
        "Tell the postage of a parcel by its weight, destination, size and the day it is sent on from a branch.",
    )
    other = shelf(
        "paint_wall",
        "Choose a colour for a wall by its room, its light, the furniture that stands there and by whatever is liked.",
    )
    long = [each.model_copy(update={"description": each.description + boilerplate}) for each in (one, other)]
    toolset = Toolset(tools=(*long, ADD, REMOVE))
    assert lookalikes_of(long[0], toolset) == ()


def exclusion(kind: ScenarioKind, title: str = "", evidence: str = "", lookalike: str | None = None) -> Scenario:
    return Scenario(id=kind.value, kind=kind, target="add_books", title=title, evidence=evidence, lookalike=lookalike)


def level(text: str, scenario: Scenario) -> Difficulty:
    return synthesized(Query.of_text(text), scenario, ADD, SHELF).level


@pytest.mark.requirement("P27", "D12")
def test_type_a_is_the_harder_the_nearer_it_is_to_what_any_tool_does() -> None:
    scenario = exclusion(ScenarioKind.TYPE_A)
    assert level("Tell me a joke about rain.", scenario) is Difficulty.EASY
    assert level("Which books do you like best, and why?", scenario) is Difficulty.MEDIUM
    assert level("Explain why people add new books to a shelf of the library.", scenario) is Difficulty.HARD
    far = synthesized(Query.of_text("Tell me a joke about rain."), scenario, ADD, SHELF)
    assert (far.score > 0.85, far.measure) == (True, SIMILARITY.measure)


@pytest.mark.requirement("P27")
@pytest.mark.parametrize("kind", [ScenarioKind.TYPE_B, ScenarioKind.UNDERSPECIFIED])
def test_a_request_is_the_harder_the_more_of_the_targets_words_it_has(kind: ScenarioKind) -> None:
    scenario = exclusion(kind, lookalike="remove_books")
    texts = ("Take the atlas off.", "Remove the atlas from the shelf.", "Add new books to a shelf of the library.")
    scores = [synthesized(Query.of_text(text), scenario, ADD, SHELF).score for text in texts]
    assert scores == sorted(scores)
    assert level(texts[0], scenario) is Difficulty.EASY
    assert level(texts[-1], scenario) is Difficulty.HARD


@pytest.mark.requirement("P27")
def test_type_c_is_hard_only_where_its_boundary_shows() -> None:
    scenario = exclusion(ScenarioKind.TYPE_C, "asks to translate", "no tool can translate")
    plain, beyond = "Add new books to a shelf of the library.", "Add new books to the shelf and translate them."
    assert (boundary_shows(plain, scenario, ADD), level(plain, scenario)) == (False, Difficulty.EASY)
    assert (boundary_shows(beyond, scenario, ADD), level(beyond, scenario)) == (True, Difficulty.HARD)


@pytest.mark.requirement("P26", "P27")
def test_a_trigger_has_no_d_syn() -> None:
    with pytest.raises(ValueError, match="is a trigger"):
        level("Add the atlas.", exclusion(ScenarioKind.TRIGGER))
    assert wanted(ScenarioKind.TRIGGER, Difficulty.HARD) == ""


@pytest.mark.requirement("P27")
def test_a_writer_is_told_the_bounds_that_the_level_is_measured_by() -> None:
    medium, hard = BOUNDS[ScenarioKind.TYPE_B]
    assert f"below {medium:g}" in wanted(ScenarioKind.TYPE_B, Difficulty.EASY)
    assert f"from {medium:g} to below {hard:g}" in wanted(ScenarioKind.TYPE_B, Difficulty.MEDIUM)
    assert f"at least {hard:g}" in wanted(ScenarioKind.TYPE_B, Difficulty.HARD)
    assert "any tool on offer" in wanted(ScenarioKind.TYPE_A, Difficulty.EASY)


def named(name: str, kind: ScenarioKind, target: str, title: str, lookalike: str | None = None) -> Scenario:
    return Scenario(id=name, kind=kind, target=target, title=title, lookalike=lookalike)


CATALOG = (
    named("add", ScenarioKind.TRIGGER, "add_books", "add new books to a shelf"),
    named("add again", ScenarioKind.TRIGGER, "add_books", "add several new books to a shelf at once"),
    named("remove", ScenarioKind.TRIGGER, "remove_books", "remove books from a shelf"),
    named("not add", ScenarioKind.TYPE_B, "add_books", "remove books from a shelf", "remove_books"),
    named("poem", ScenarioKind.TYPE_A, "add_books", "add new books to a shelf"),
    named("parcel", ScenarioKind.TRIGGER, "weigh_parcel", "postage of a parcel"),
)


def tags(text: str, primary: Scenario | None) -> tuple[str, ...]:
    return matches(Query.of_text(text), CATALOG, SHELF, primary=primary)


@pytest.mark.requirement("P24")
def test_a_query_is_tagged_with_the_other_scenarios_that_it_matches_and_none_that_contradicts_it() -> None:
    assert tags('Please add the new books "Emma" and "Ada" to the shelf 12.', CATALOG[0]) == ("add again",)
    assert tags("Remove the books from the shelf.", CATALOG[3]) == ("remove",)
    assert tags("Remove the books from the shelf.", CATALOG[2]) == ("not add",)
    assert tags("Write a poem: add new books to a shelf", CATALOG[4]) == ()


@pytest.mark.requirement("P24")
def test_without_a_primary_scenario_the_best_match_says_what_a_query_is_about() -> None:
    assert tags("Add new books to a shelf", None) == ("add", "add again")
    assert tags("What rhymes with orange?", None) == ()
