"""Rules on cases that somebody else wrote: what is certainly wrong, what is worth a look, and what cannot be told."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.baseline.grounded import LexicalGrounding
from plugineval.harness.audits.imported.auditing import ImportAuditor
from plugineval.harness.audits.imported.duplicates import NEAR
from plugineval.harness.audits.imported.findings import ImportFinding
from plugineval.harness.audits.imported.grounding import where_from
from plugineval.harness.audits.imported.passing import passable
from plugineval.harness.cases import Case
from plugineval.harness.rendering.import_audit_tables import import_tables
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json

pytestmark = pytest.mark.requirement("X5")

BOOK = ToolSpec(
    name="book",
    description="Book a room for a day.",
    input_schema={
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "day": {"type": "string", "format": "date"},
            "guests": {"type": "integer", "default": 2},
            "kind": {"type": "string", "enum": ["single", "double"]},
            "code": {"type": "string"},
            "extras": {"type": "array", "items": {"type": "string", "enum": ["bath", "desk"]}},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def a_case(text: str, *calls: GoldCall | Arguments, name: str = "c", now: datetime | None = NOON) -> Case:
    gold = tuple(call if isinstance(call, GoldCall) else GoldCall(tool="book", arguments=call) for call in calls)
    query = Query.of_text(text, now=now)
    return Case(id=name, query=query, toolset=Toolset(tools=(BOOK,)), gold=gold, sample_type=SampleType.POSITIVE)


def found(*cases: Case) -> list[ImportFinding]:
    auditor = ImportAuditor(LexicalGrounding())
    return [finding for case in cases for finding in auditor.add(case)]


def kinds(*cases: Case) -> list[str]:
    return [finding.kind.value for finding in found(*cases)]


def test_a_sound_case_has_no_finding() -> None:
    assert kinds(a_case("A room in Oslo.", {"city": "Oslo"})) == []


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"city": "Oslo"}, "query"),
        ({"guests": 2}, "schema"),
        ({"kind": "double"}, "schema"),
        ({"day": "2026-03-03"}, "reading"),
        ({"city": "Paris"}, "open"),
        ({"code": "XK-4471-QZ"}, "nowhere"),
        ({"code": "Oslo-77aaa"}, "open"),
    ],
)
def test_gold_values_come_from_the_words_the_schema_the_clock_or_nowhere(arguments: Arguments, place: str) -> None:
    query = Query.of_text("A room in Oslo tomorrow.", now=NOON)
    call = GoldCall(tool="book", arguments=arguments)
    assert list(where_from(query, BOOK, call, LexicalGrounding()).values()) == [place]


def test_without_a_clock_tomorrow_is_no_day_and_that_is_no_finding() -> None:
    case = a_case("A room in Oslo tomorrow.", {"city": "Oslo", "day": "2026-03-03"}, now=None)
    assert kinds(case) == []
    assert list(where_from(case.query, BOOK, case.gold[0], LexicalGrounding()).values()) == ["query", "open"]


def test_only_what_nobody_can_infer_is_said_to_stand_nowhere_and_even_that_is_not_certain() -> None:
    (finding,) = found(a_case("A room in Oslo.", {"city": "Oslo", "code": "XK-4471-QZ"}))
    assert (finding.kind.value, finding.place, finding.certain) == ("ungrounded", "book.code", False)


def test_an_accepted_value_beside_the_listed_ones_is_named_once() -> None:
    accepted = {"kind": Accepted(values=("triple", "double"))}
    call = GoldCall(tool="book", arguments={"city": "Oslo", "kind": "triple"}, accepted=accepted)
    assert kinds(a_case("A triple room in Oslo.", call)) == ["enum", "schema"]
    nested = GoldCall(tool="book", arguments={"city": "Oslo", "extras": ["bath", "sauna"]})
    assert [each.detail for each in found(a_case("Oslo, bath and sauna.", nested)) if each.kind == "enum"] == [
        '"sauna" counts as right and is none of the listed values'
    ]


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        (GoldCall(tool="book", arguments={"city": "Oslo", "guests": "3"}), "yes"),
        (GoldCall(tool="book", arguments={"city": "Oslo", "guests": 3.0}), "yes"),
        (GoldCall(tool="book", arguments={"city": "Oslo", "guests": None}), "yes"),
        (GoldCall(tool="book", arguments={"city": "Oslo", "kind": "Double"}), "yes"),
        (GoldCall(tool="book", arguments={"city": "Oslo", "kind": "triple"}), "no"),
        (GoldCall(tool="book", arguments={"city": "Oslo", "pets": 1}), "no"),
        (GoldCall(tool="book", arguments={"guests": 1}), "no"),
        (
            GoldCall(
                tool="book",
                arguments={"city": "Oslo", "kind": "any"},
                accepted={"kind": Accepted(values=("any",), omittable=True)},
            ),
            "yes",
        ),
    ],
)
def test_gold_is_unpassable_only_where_no_spelling_and_no_omission_is_valid(call: GoldCall, verdict: str) -> None:
    assert passable(BOOK, call)[0] == verdict
    assert ("unpassable" in kinds(a_case("Oslo", call))) == (verdict == "no")


def test_a_schema_that_ties_arguments_together_leaves_it_open() -> None:
    tied: dict[str, Json] = {**BOOK.input_schema, "anyOf": [{"required": ["day"]}, {"required": ["guests"]}]}
    tool = BOOK.model_copy(update={"input_schema": tied})
    assert passable(tool, GoldCall(tool="book", arguments={"city": "Oslo"}))[0] == "open"


def test_the_same_request_again_is_a_duplicate_and_with_other_gold_a_conflict() -> None:
    first = a_case("A room in Oslo.", {"city": "Oslo"}, name="a")
    again = a_case("a room  in Oslo.", {"city": "Oslo"}, name="b")
    other = a_case("A room in Oslo.", {"city": "Bergen"}, name="c")
    assert [(each.case, each.kind.value, each.place) for each in found(first, again, other)] == [
        ("b", "duplicate", "a"),
        ("c", "conflict", "a"),
    ]


def test_requests_that_are_nearly_the_same_are_worth_a_look() -> None:
    first = a_case("Please book me a quiet room in Oslo for two.", {"city": "Oslo"}, name="a")
    second = a_case("Please book me the quiet room in Oslo for two.", {"city": "Oslo"}, name="b")
    third = a_case("Is there anything free by the sea near Bergen?", {"city": "Bergen"}, name="c")
    (finding,) = found(first, second, third)
    assert (finding.case, finding.kind.value, finding.certain) == ("b", "near_duplicate", False)


def test_clear_counts_that_do_not_add_up_are_worth_a_look() -> None:
    listed = "Book: 1. a room in Oslo 2. a room in Bergen 3. a room in Bodø"
    assert kinds(a_case(listed, {"city": "Oslo"})) == ["count"]
    three: list[Arguments] = [{"city": city} for city in ("Oslo", "Bergen", "Bodø")]
    assert kinds(a_case(listed, *three)) == []
    twice: list[Arguments] = [{"city": "Oslo"}, {"city": "Oslo"}]
    assert kinds(a_case("A room in Oslo.", *twice)) == ["count"]
    assert kinds(a_case("A room in Oslo, twice.", *twice)) == []
    assert kinds(a_case("At 3. May a room in Oslo for 2. persons", {"city": "Oslo"})) == []


def test_a_row_that_wants_nothing_and_is_no_negative_proves_nothing() -> None:
    assert kinds(a_case("Hello.")) == ["both_empty"]


def test_cases_with_something_certain_are_counted_as_wrong_and_the_tables_tell_both() -> None:
    auditor = ImportAuditor()
    auditor.add(a_case("A room in Oslo.", {"city": "Oslo", "kind": "triple"}, name="a"))
    auditor.add(a_case("Rooms for XK.", {"city": "Lima", "code": "ZZ-999-PP"}, name="b"))
    audit = auditor.result()
    assert (audit.cases, audit.sound, audit.wrong) == (2, 1, 1)
    assert audit.kinds == {"unpassable": 1, "schema": 1, "enum": 1, "ungrounded": 1}
    assert [table.key for table in import_tables(audit)] == ["import_kinds", "import_grounding", "import_findings"]


_SAID = ["book", "room", "rooms", "oslo", "bergen", "two", "three", "guests", "day", "night", "please"]
_WORDS = st.lists(st.sampled_from(_SAID), min_size=1)


@given(st.lists(_WORDS, min_size=2, max_size=8))
def test_looking_at_few_requests_finds_what_looking_at_all_of_them_finds(texts: list[list[str]]) -> None:
    said = list(dict.fromkeys(" ".join(words) for words in texts))
    cases = [a_case(text, {"city": "Oslo"}, name=text) for text in said]
    near = {each.case for each in found(*cases) if each.kind == "near_duplicate"}
    assert near == {
        text for n, text in enumerate(said) if SIMILARITY.nearest(text, said[:n], at_least=NEAR) is not None
    }
