import pytest

from doubles.harness import INTEGER, TEXT, attempt, call, gold, positive, schema, tool
from plugineval.harness.cases import Case
from plugineval.harness.equivalence.verdicts import Agreement
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.semantic_checks import CheckVerdict, SemanticCheck
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall, RouterReply

SAY = tool("say", schema("words", words=TEXT, times=INTEGER))
CASE = positive(gold("say", words="see you soon"), tools=(SAY,))


def checked(check: SemanticCheck, *calls: EmittedCall, case: Case = CASE) -> GradedRow:
    made = attempt(case, RouterReply(calls=calls or (call("say", words="bye"),)))
    return grade(case, made, policy=GradingPolicy(), checks={"say": check})


@pytest.mark.requirement("B5")
@pytest.mark.parametrize(("answer", "outcome"), [(True, Outcome.CORRECT), (False, Outcome.VALID_BUT_WRONG)])
def test_a_check_decides_instead_of_the_comparator(answer: bool, outcome: Outcome) -> None:
    row = checked(lambda case, gold, predicted: answer)
    assert (row.outcome, row.rules) == (outcome, ("semantic check",))
    same = checked(lambda case, gold, predicted: answer, call("say", words="see you soon"))
    assert same.outcome is outcome


@pytest.mark.requirement("B5")
def test_a_check_sees_the_case_and_both_calls() -> None:
    def same_length(case: Case, gold: GoldCall, predicted: EmittedCall) -> bool:
        words = (predicted.arguments or {})["words"]
        return case.id == "c1" and len(str(gold.arguments["words"])) == len(str(words))

    assert checked(same_length, call("say", words="twelve chars")).outcome is Outcome.CORRECT
    assert checked(same_length).outcome is Outcome.VALID_BUT_WRONG


@pytest.mark.requirement("B5", "P51")
def test_a_check_may_name_the_argument_the_subtype_and_its_reason() -> None:
    verdict = CheckVerdict(Agreement.DIFFERENT, "an hour late", ParameterSubtype.TEMPORAL, "words")
    row = checked(lambda case, gold, predicted: verdict)
    (mismatch,) = row.mismatches
    assert (mismatch.argument, mismatch.subtype, mismatch.reason) == (
        "words",
        ParameterSubtype.TEMPORAL,
        "an hour late",
    )


@pytest.mark.requirement("B5")
def test_a_check_that_is_unsure_leaves_the_call_to_the_judge() -> None:
    row = checked(lambda case, gold, predicted: CheckVerdict(Agreement.UNSURE, "who knows"))
    assert (row.exclusion, row.questions[0].doubt) == (Exclusion.UNSURE, "who knows")


@pytest.mark.requirement("B5", "X11")
def test_a_crashing_check_is_an_exclusion_with_its_error() -> None:
    def crash(case: Case, gold: GoldCall, predicted: EmittedCall) -> bool:
        raise KeyError("unit")

    row = checked(crash)
    assert (row.exclusion, row.exclusion_detail) == (Exclusion.CHECK_FAILED, "KeyError: 'unit'")
    assert (row.outcome, row.confusion) == (None, None)


@pytest.mark.requirement("B5")
def test_a_call_whose_arguments_cannot_be_read_never_reaches_the_check() -> None:
    def unreachable(case: Case, gold: GoldCall, predicted: EmittedCall) -> bool:
        raise AssertionError

    row = checked(unreachable, EmittedCall(name="say", arguments=None, raw_arguments="{"))
    assert (row.outcome, row.category) == (Outcome.INVALID_ARGS, ErrorCategory.PARAMETER_ERROR)
