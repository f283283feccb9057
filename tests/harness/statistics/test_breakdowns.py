"""Optional arguments, description variants, routing, figures: reports taken apart."""

import pytest

from doubles.harness import INTEGER, TEXT, attempt, call, gold, positive, schema, tool
from doubles.reports import FIND, KEEP, case_of, little_report
from plugineval.harness.cases import Case
from plugineval.harness.figures import across_benchmarks, error_profiles, recall_by_difficulty
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.optional_fields import OptionalFields, OptionalTally
from plugineval.harness.rendering.notes import render_routing_note
from plugineval.harness.routing_note import routing_note
from plugineval.harness.row_facts import RowFacts
from plugineval.harness.uncertainty import Rate
from plugineval.harness.variants import DescriptionVariant, varied_toolset, with_variants
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.gold import Accepted
from plugineval.pccf.routing import EmittedCall, RouterReply

LOOK = tool("look", schema("place", place=TEXT, days={"type": "integer", "default": 1}, unit=TEXT, exact=INTEGER))
SET = positive(gold("look", place="Oslo", unit="C"), tools=(LOOK,), case_id="set")
SET_RIGHT = (call("look", place="Oslo", unit="C"),)
BARE = positive(gold("look", place="Oslo"), tools=(LOOK,), case_id="bare")


def breakdown(*answers: tuple[Case, tuple[EmittedCall, ...]]) -> OptionalFields:
    tally = OptionalTally()
    for repeat, (case, calls) in enumerate(answers):
        found = attempt(case, RouterReply(calls=calls), repeat=repeat)
        tally.count(tally.kind_of(case), RowFacts.of(found, grade(case, found, policy=GradingPolicy())))
    return tally.result()


def counts(rate: Rate) -> tuple[int, int]:
    return rate.numerator, rate.denominator


@pytest.mark.requirement("B25")
def test_an_optional_argument_is_right_omitted_wrong_or_added() -> None:
    found = breakdown(
        (SET, SET_RIGHT),
        (SET, (call("look", place="Oslo"),)),
        (SET, (call("look", place="Oslo", unit="F", days=1),)),
        (SET, ()),
        (BARE, (call("look", place="Oslo", exact=3),)),
        (BARE, (call("look", place="Oslo", days=1),)),
    )
    fields = {field.argument: field for field in found.fields}
    unit, exact, days = fields["unit"], fields["exact"], fields["days"]
    assert (counts(unit.right), unit.omitted, unit.wrong, counts(unit.added)) == ((1, 3), 1, 1, (0, 2))
    assert (counts(exact.right), counts(exact.added)) == ((0, 0), (1, 5))
    assert counts(days.added) == (0, 5)
    assert (counts(found.on["m"]), counts(found.off["m"])) == ((1, 4), (1, 2))


@pytest.mark.requirement("B25")
def test_the_fields_that_fail_come_first() -> None:
    found = breakdown(
        (SET, (call("look", place="Oslo"),)), (BARE, (call("look", place="Oslo", exact=3),)), (SET, SET_RIGHT)
    )
    assert [field.argument for field in found.fields] == ["exact", "unit", "days"]
    assert found.counted == 3


@pytest.mark.requirement("B25")
def test_required_arguments_and_rows_without_a_verdict_are_no_part_of_it() -> None:
    assert breakdown((positive(tools=(LOOK,)), ())) == OptionalFields()
    found = breakdown((BARE, (call("look", place="Rome"),)))
    assert {field.argument for field in found.fields} == {"days", "unit", "exact"}
    assert all(field.added.numerator == 0 for field in found.fields)


@pytest.mark.requirement("B25")
def test_an_argument_that_gold_lets_one_omit_is_no_part_of_it() -> None:
    free = SET.gold[0].model_copy(update={"accepted": {"unit": Accepted(values=("C",), omittable=True)}})
    found = breakdown((SET.model_copy(update={"gold": (free,)}), (call("look", place="Oslo"),)))
    assert {field.argument for field in found.fields} == {"days", "exact"}


@pytest.mark.requirement("X7", "B8")
def test_a_variant_changes_descriptions_and_nothing_else() -> None:
    variant = DescriptionVariant(name="clear", descriptions={"find": "Finds by number."})
    cases = [case_of(0), case_of(1)]
    shared = [case.model_copy(update={"toolset": cases[0].toolset}) for case in cases]
    published, varied = with_variants(shared, [variant])[:2], with_variants(shared, [variant])[2:]
    assert published == shared
    assert [(case.id, case.gold, case.variant) for case in varied] == [(c.id, c.gold, "clear") for c in shared]
    tools = varied[0].toolset
    assert varied[1].toolset is tools
    assert (tools.tool("find").description, tools.tool("find").input_schema) == ("Finds by number.", FIND.input_schema)
    assert tools.tool("keep") == KEEP
    assert tools.content_hash != shared[0].toolset.content_hash
    assert varied_toolset(shared[0].toolset, variant).content_hash == tools.content_hash


@pytest.mark.requirement("X7")
def test_a_case_whose_tools_a_variant_leaves_alone_is_not_asked_again() -> None:
    variant = DescriptionVariant(name="clear", descriptions={"find": "Finds by number."})
    other = positive(gold("look", place="Oslo"), tools=(LOOK,), case_id="other")
    assert [(case.id, case.variant) for case in with_variants([case_of(0), other], [variant])] == [
        ("c000", ""),
        ("other", ""),
        ("c000", "clear"),
    ]


@pytest.mark.requirement("X7")
@pytest.mark.parametrize(
    ("variants", "problem"),
    [
        ([{"name": "a", "descriptions": {"lost": "x"}}], "no case offers the tool 'lost'"),
        ([{"name": "a", "descriptions": {"find": ""}}], "changes no description"),
        ([{"name": "a", "descriptions": {"find": "x"}}] * 2, "two variants have the same name"),
    ],
)
def test_a_variant_that_cannot_be_measured_is_refused(variants: list[dict[str, object]], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        with_variants([case_of(0)], [DescriptionVariant.model_validate(variant) for variant in variants])


@pytest.mark.requirement("B26")
def test_the_routing_note_says_which_model_for_which_tools_and_where_it_does_not_matter() -> None:
    cases = [case_of(index, "find" if index < 20 else "keep") for index in range(40)]
    report = little_report({"a": ["1"] * 40, "b": ["1"] * 20 + ["0"] * 20}, cases=cases)
    note = routing_note(report)
    routes = {route.tool: (route.use, route.avoid, route.cases) for route in note.routes}
    assert routes == {"find": (("a", "b"), (), 20), "keep": (("a",), ("b",), 20)}
    assert note.default == ("a",)
    shown = render_routing_note(note)
    assert shown.startswith("**Measured on little on 2026-01-02; expires 2026-04-02.**")
    assert "- `find`: any of `a`, `b` (no difference shown). 20 cases: `a` 100.0 % (20/20)" in shown
    assert "- `keep`: `a`; not `b`. 20 cases:" in shown
    assert type(note).model_validate_json(note.model_dump_json()) == note


@pytest.mark.requirement("P55", "P58")
def test_figures_are_data_of_the_report() -> None:
    levels = [*Difficulty] * 2
    report = little_report(
        {"m": ["1", "1", "0", "1", "v", "0"]},
        cases=[case_of(index, difficulty=level) for index, level in enumerate(levels)],
    )
    found = recall_by_difficulty(report)["m"]
    assert {name: counts(rate) for name, rate in found.items()} == {"easy": (2, 2), "medium": (1, 2), "hard": (0, 2)}
    profile = error_profiles(report)["m"]
    assert list(profile) == ["miss", "over", "temporal", "missing", "value"]
    assert (counts(profile["miss"]), counts(profile["value"]), counts(profile["over"])) == ((2, 6), (1, 6), (0, 0))


@pytest.mark.requirement("P57")
def test_models_on_several_benchmarks_with_rank_shifts_and_range() -> None:
    own = little_report({"a": ["1"] * 8 + ["0"] * 2, "b": ["1"] * 6 + ["0"] * 4, "only": ["1"] * 10})
    other = little_report({"b": ["1"] * 10, "a": ["1"] * 5 + ["0"] * 5})
    first, second = across_benchmarks([own, other])
    assert (first.model, [numbers.rank for numbers in first.numbers]) == ("a", [1, 2])
    assert first.accuracy_range == pytest.approx(0.3)
    assert (second.model, [shift.shift for shift in second.shifts]) == ("b", [1])
    assert across_benchmarks([]) == ()
