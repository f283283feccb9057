import pytest

from doubles.harness import INTEGER, TEXT, graded, positive, schema, tool
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Arguments, Json

PLACE: dict[str, Json] = {"type": "object", "properties": {"city": TEXT, "zip": TEXT}}
FIND = tool(
    "find",
    schema(
        "what",
        what=TEXT,
        near=TEXT,
        limit=INTEGER | {"default": 5},
        place=PLACE,
        stops={"type": "array", "items": PLACE},
    ),
)


def accepted(got: Arguments, **wanted: Accepted) -> GradedRow:
    what = {"what": Accepted(values=("a",))}
    return graded(
        positive(GoldCall(tool="find", accepted=what | wanted), tools=(FIND,)),
        EmittedCall(name="find", arguments={"what": "a", **got}),
    )


@pytest.mark.requirement("P42")
@pytest.mark.parametrize("limit", [10, 12, 12.0])
def test_any_accepted_value_is_right(limit: Json) -> None:
    assert accepted({"limit": limit}, limit=Accepted(values=(10, 12))).outcome is Outcome.CORRECT


def test_a_value_that_differs_from_every_accepted_one_is_wrong_and_shown_against_one() -> None:
    row = accepted({"limit": 11}, limit=Accepted(values=(10, 12)))
    assert [(m.argument, m.gold in {10, 12}, m.predicted) for m in row.mismatches] == [("limit", True, 11)]


def test_an_omittable_argument_may_be_left_out_or_blank_and_else_has_an_accepted_value() -> None:
    near = Accepted(values=("the lake",), omittable=True)
    given: list[Arguments] = [{}, {"near": ""}, {"near": "The Lake"}]
    for got in given:
        assert accepted(got, near=near).outcome is Outcome.CORRECT
    assert accepted({"near": "-7"}, near=near).exclusion is Exclusion.UNSURE


@pytest.mark.requirement("D13")
def test_an_argument_that_must_be_left_out_may_still_say_its_default() -> None:
    nothing = Accepted(omittable=True)
    assert accepted({}, limit=nothing).outcome is Outcome.CORRECT
    assert accepted({"limit": 5}, limit=nothing).outcome is Outcome.CORRECT
    assert accepted({"limit": 6}, limit=nothing).subtype is ParameterSubtype.INCORRECT_VALUE


@pytest.mark.requirement("D13")
def test_an_accepted_default_may_be_left_out_and_another_value_may_not() -> None:
    assert accepted({}, limit=Accepted(values=(4, 5))).outcome is Outcome.CORRECT
    assert accepted({}, limit=Accepted(values=(4, 6))).subtype is ParameterSubtype.MISSING_ARGUMENT


def test_members_of_objects_and_lists_have_alternatives_of_their_own() -> None:
    city = Accepted(values=("Bern", "Berne"))
    place = Accepted(members=({"city": city, "zip": Accepted(values=("3000",), omittable=True)},))
    given: list[Arguments] = [{"city": "Berne"}, {"city": "bern", "zip": "3000"}]
    for got in given:
        assert accepted({"place": got}, place=place).outcome is Outcome.CORRECT
        assert accepted({"stops": [got]}, stops=Accepted(items=((place,),))).outcome is Outcome.CORRECT
    wrong = accepted({"place": {"city": "Bern", "zip": "3001"}}, place=place)
    assert [mismatch.argument for mismatch in wrong.mismatches] == ["place.zip"]
    assert accepted({"place": "Bern"}, place=place).outcome is Outcome.INVALID_ARGS


def test_the_product_of_alternatives_is_never_formed() -> None:
    wide = Accepted(members=({f"k{n}": Accepted(values=tuple(range(50))) for n in range(50)},))
    spec = tool("wide", schema(o={"type": "object"}))
    case = positive(GoldCall(tool="wide", accepted={"o": wide}), tools=(spec,))
    call = EmittedCall(name="wide", arguments={"o": {f"k{n}": 49 - n for n in range(50)}})
    assert graded(case, call).outcome is Outcome.CORRECT


def test_open_alternatives_are_one_question() -> None:
    row = accepted({"near": "big water"}, near=Accepted(values=("the lake", "the sea", "-7")))
    assert [question.gold for question in row.questions] == [{"accepted": ["the lake", "the sea", "-7"]}]


@pytest.mark.requirement("D14")
def test_a_case_may_say_that_the_order_of_a_list_does_not_matter() -> None:
    spec = tool("tag", schema(tags={"type": "array", "items": TEXT}))
    call = EmittedCall(name="tag", arguments={"tags": ["y", "x"]})
    wanted = GoldCall(tool="tag", arguments={"tags": ["x", "y"]})
    assert graded(positive(wanted, tools=(spec,)), call).outcome is Outcome.VALID_BUT_WRONG
    free = wanted.model_copy(update={"unordered": ("tags",)})
    assert graded(positive(free, tools=(spec,)), call).outcome is Outcome.CORRECT


def test_a_case_stored_before_there_were_alternatives_is_still_read() -> None:
    stored = {
        "id": "old",
        "query": Query.of_text("find it").model_dump(mode="json"),
        "toolset": Toolset(tools=(FIND,)).model_dump(mode="json"),
        "gold": [{"kind": "invocation", "tool": "find", "arguments": {"what": "a"}}],
        "sample_type": SampleType.POSITIVE,
    }
    case = Case.model_validate(stored)
    assert case.gold == (GoldCall(tool="find", arguments={"what": "a"}),)
    assert Case.model_validate_json(case.model_dump_json()) == case
