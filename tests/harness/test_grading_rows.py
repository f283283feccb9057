import pytest

from doubles.harness import INTEGER, TEXT, attempt, call, gold, graded, negative, positive, schema, tool, verdicts
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, Outcome, ParameterSubtype
from plugineval.harness.policies import ExtraCalls
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind, RouterReply

BOOK = tool("book", schema("a", "b", "c", a=INTEGER, b=INTEGER, c=INTEGER))
SEARCH = tool("search", schema("q", q=TEXT), read_only=True)
REMOVE = tool("remove", schema("path", path=TEXT))
HEALTH, STATUS = tool("health"), tool("status")
TOOLS = (BOOK, SEARCH, REMOVE)
FIND = positive(gold("search", q="x"), tools=TOOLS)


@pytest.mark.requirement("B3", "B1")
@pytest.mark.parametrize(
    ("calls", "outcome"),
    [
        ((), Outcome.NO_CALL),
        ((call("remove", path="x"),), Outcome.WRONG_TOOL),
        ((call("search", q=1),), Outcome.INVALID_ARGS),
        ((call("search", q="y"),), Outcome.VALID_BUT_WRONG),
        ((call("search", q="x"),), Outcome.CORRECT),
        ((call("serch", q="x"),), Outcome.WRONG_TOOL),
    ],
)
def test_outcomes_are_ruled_out_in_order(calls: tuple[EmittedCall, ...], outcome: Outcome) -> None:
    assert graded(FIND, *calls).outcome is outcome


@pytest.mark.requirement("B3", "P47")
def test_on_a_global_negative_any_call_is_spurious_and_none_is_right() -> None:
    joke = negative(tools=TOOLS)
    assert verdicts(joke) == (Outcome.CORRECT, Confusion.TN)
    assert verdicts(joke, call("search", q="joke")) == (Outcome.SPURIOUS_CALL, Confusion.FP)


@pytest.mark.requirement("P46", "D5", "D15")
def test_a_targeted_negative_fails_in_the_papers_view_only_by_its_target() -> None:
    upload = negative(tools=(HEALTH, STATUS), target="health")
    assert verdicts(upload) == (Outcome.CORRECT, Confusion.TN)
    assert verdicts(upload, call("status")) == (Outcome.SPURIOUS_CALL, Confusion.TN)
    assert verdicts(upload, call("health")) == (Outcome.SPURIOUS_CALL, Confusion.FP)
    assert graded(upload, call("health")).category is ErrorCategory.OVER_RECALL


@pytest.mark.requirement("D15")
def test_a_targeted_negative_may_name_the_call_that_is_expected_instead() -> None:
    upload = negative(tools=(HEALTH, STATUS), target="health", expected=(gold("status"),))
    assert verdicts(upload, call("status")) == (Outcome.CORRECT, Confusion.TN)
    assert verdicts(upload, call("health")) == (Outcome.WRONG_TOOL, Confusion.FP)
    assert verdicts(upload, call("status"), call("health")) == (Outcome.SPURIOUS_CALL, Confusion.FP)
    assert verdicts(upload) == (Outcome.NO_CALL, Confusion.TN)


@pytest.mark.requirement("D3", "P48")
def test_nothing_expected_and_nothing_called_on_an_undeclared_row_is_excluded() -> None:
    row = graded(positive(tools=TOOLS))
    assert (row.exclusion, row.outcome, row.confusion) == (Exclusion.BOTH_EMPTY, None, None)


@pytest.mark.requirement("E3", "E6", "X11")
@pytest.mark.parametrize("kind", list(FailureKind))
def test_a_failed_attempt_is_excluded_with_its_cause_and_never_a_verdict(kind: FailureKind) -> None:
    reply = RouterReply(failure=Failure(kind=kind, detail="what broke"))
    for case in (FIND, negative(tools=TOOLS), positive(tools=TOOLS)):
        row = grade(case, attempt(case, reply), policy=GradingPolicy())
        assert (row.exclusion, row.exclusion_detail) == (Exclusion(kind.value), "what broke")
        assert (row.outcome, row.confusion, row.category) == (None, None, None)


@pytest.mark.requirement("E6", "B3")
def test_unreadable_arguments_are_invalid_and_never_a_missing_call() -> None:
    broken = EmittedCall(name="search", arguments=None, raw_arguments='{"q":', problem="truncated JSON")
    row = graded(FIND, broken)
    assert (row.outcome, row.confusion, row.category) == (
        Outcome.INVALID_ARGS,
        Confusion.FN,
        ErrorCategory.PARAMETER_ERROR,
    )
    assert [found.message for found in row.violations] == ["truncated JSON"]
    assert row.mismatches[0].predicted == '{"q":'


@pytest.mark.requirement("E7")
def test_gold_without_arguments_demands_a_call_without_arguments() -> None:
    row = graded(positive(gold("f"), tools=(tool("f", schema(n=INTEGER)),)), call("f", n=3))
    assert (row.outcome, row.confusion) == (Outcome.VALID_BUT_WRONG, Confusion.FN)


@pytest.mark.requirement("B4")
def test_a_call_without_arguments_is_graded_as_an_empty_object() -> None:
    assert verdicts(positive(gold("health"), tools=(HEALTH,)), call("health")) == (Outcome.CORRECT, Confusion.TP)


@pytest.mark.requirement("P44", "P45", "D4")
def test_the_first_of_two_calls_alone_is_a_miss_even_if_its_arguments_are_wrong_too() -> None:
    case = positive(gold("book", a=1, b=1, c=1), gold("search", q="x"), tools=TOOLS)
    row = graded(case, call("book", a=1, b=1, c=9))
    assert (row.confusion, row.category, row.subtype) == (Confusion.FN, ErrorCategory.MISS_RECALL, None)
    assert row.missing_tools == ("search",)
    assert [mismatch.argument for mismatch in row.mismatches] == ["c"]


def test_a_wrong_tool_is_never_a_parameter_error() -> None:
    row = graded(FIND, call("remove", path="x"))
    assert (row.category, row.mismatches) == (ErrorCategory.MISS_RECALL, ())


@pytest.mark.requirement("D4")
def test_one_subtype_leads_and_all_mismatches_stay_listed() -> None:
    move = tool("move", schema("to", "date", "seat", to=TEXT, date=TEXT, seat=TEXT, closed=False))
    case = positive(gold("move", to="Oslo", date="2026-01-01", seat="1A"), tools=(move,))
    row = graded(case, call("move", to="Rome", date="2026-01-02"))
    assert row.subtype is ParameterSubtype.MISSING_ARGUMENT
    assert {m.argument: m.subtype for m in row.mismatches} == {
        "to": ParameterSubtype.INCORRECT_VALUE,
        "date": ParameterSubtype.TEMPORAL,
        "seat": ParameterSubtype.MISSING_ARGUMENT,
    }
    later = graded(case, call("move", to="Rome", date="2026-01-02", seat="1A"))
    assert later.subtype is ParameterSubtype.TEMPORAL


@pytest.mark.requirement("D6")
@pytest.mark.parametrize(
    ("extra", "passing"),
    [
        (call("search", q="look first"), {"ignore", "read_only"}),
        (call("remove", path="/"), {"ignore"}),
        (call("not_offered"), {"ignore"}),
    ],
)
def test_an_extra_call_is_counted_always_and_fails_only_under_the_policy(extra: EmittedCall, passing: set[str]) -> None:
    case = positive(gold("book", a=1, b=1, c=1), tools=TOOLS)
    policies: tuple[ExtraCalls, ...] = ("ignore", "read_only", "forbid")
    for policy in (GradingPolicy(extra_calls=name) for name in policies):
        row = graded(case, call("book", a=1, b=1, c=1), extra, policy=policy)
        assert row.extra_calls == (extra.name,)
        assert row.unsafe_extra_calls == (() if extra.name == "search" else (extra.name,))
        assert row.confusion is Confusion.TP
        assert (row.outcome is Outcome.CORRECT) == (policy.extra_calls in passing)


@pytest.mark.requirement("B9")
def test_the_four_metrics_of_a_row_are_kept_apart() -> None:
    def steps(*calls: EmittedCall) -> tuple[bool, bool, bool, bool]:
        row = graded(FIND, *calls)
        return row.called, row.right_tools, row.schema_valid, row.confusion is Confusion.TP

    assert steps() == (False, False, False, False)
    assert steps(call("remove", path="x")) == (True, False, True, False)
    assert steps(call("search", q=1)) == (True, True, False, False)
    assert steps(call("search", q="y")) == (True, True, True, False)
    assert steps(call("search", q="x")) == (True, True, True, True)


@pytest.mark.requirement("E1", "B8")
def test_each_call_is_checked_against_the_schema_of_its_own_tool() -> None:
    case = positive(gold("book", a=1, b=1, c=1), gold("search", q="x"), tools=TOOLS)
    row = graded(case, call("search", q="x"), call("book", a=1, b=1, c=1))
    assert (row.outcome, row.schema_valid) == (Outcome.CORRECT, True)


@pytest.mark.requirement("X11")
def test_every_failed_row_says_why() -> None:
    replies = ((), (call("remove", path="x"),), (call("search", q=1),), (call("search", q="y"),))
    reasons = [graded(FIND, *calls).reason for calls in replies]
    assert reasons[0] == "nothing called; expected search"
    assert reasons[1] == "called remove; not called: search"
    assert "string" in reasons[2]
    assert reasons[3] == 'q: "y" instead of "x"'
