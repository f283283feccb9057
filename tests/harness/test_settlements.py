from collections.abc import Mapping, Sequence

import pytest

from doubles.harness import INTEGER, TEXT, attempt, call, gold, graded, positive, schema, tool
from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy, grade, open_questions
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.questions import JudgeQuestion, Settlement
from plugineval.harness.settling import Settling
from plugineval.pccf.routing import EmittedCall, RouterReply

pytestmark = pytest.mark.anyio
SAY = tool("say", schema("words", words=TEXT, times=INTEGER))
CASE = positive(gold("say", words="see you soon"), tools=(SAY,))
POLICY = GradingPolicy()


def said(case: Case, *words: str) -> Attempt:
    return attempt(case, RouterReply(calls=tuple(call("say", words=each) for each in words)))


def settled(case: Case, made: Attempt, *settlements: Settlement) -> GradedRow:
    questions = open_questions(case, made, policy=POLICY)
    found = {question.key: answer for question, answer in zip(questions, settlements, strict=True)}
    return grade(case, made, policy=POLICY, settled=found)


class ScriptedJudge:
    """Calls two texts equal where both begin with the same word; fails on a gold text of one letter."""

    id = "judge-1"
    prompt_hash = "p" * 64

    def __init__(self) -> None:
        self.asked: list[JudgeQuestion] = []

    async def settle(self, questions: Sequence[JudgeQuestion]) -> Mapping[str, Settlement]:
        self.asked += questions
        return {question.key: self._answer(question) for question in questions}

    def _answer(self, question: JudgeQuestion) -> Settlement:
        wanted, got = str(question.gold).split(), str(question.predicted).split()
        if wanted[0] == "unreadable":
            return Settlement(verdict="failure", judge=self.id, raw="?")
        return Settlement(verdict="equal" if wanted[0] == got[0] else "different", judge=self.id)


@pytest.mark.requirement("P40", "P43")
def test_an_open_value_is_a_question_and_no_verdict() -> None:
    row = grade(CASE, said(CASE, "until then"), policy=POLICY)
    assert (row.exclusion, row.outcome, row.confusion) == (Exclusion.UNSURE, None, None)
    (question,) = row.questions
    assert (question.tool, question.argument, question.gold) == ("say", "words", "see you soon")
    assert (question.predicted, question.query, question.argument_schema) == ("until then", "do it", TEXT)


@pytest.mark.requirement("P45")
def test_a_row_that_is_wrong_anyway_asks_nobody() -> None:
    case = positive(gold("say", words="see you soon", times=2), tools=(SAY,))
    row = graded(case, call("say", words="until then", times=3))
    assert (row.outcome, row.questions) == (Outcome.VALID_BUT_WRONG, ())
    assert graded(case, call("say", words="until then", times="x")).questions == ()


@pytest.mark.requirement("P43")
def test_a_value_settled_as_equal_makes_the_row_right_and_keeps_who_said_so() -> None:
    made = said(CASE, "until then")
    row = settled(CASE, made, Settlement(verdict="equal", judge="j"))
    assert (row.outcome, row.confusion, row.exclusion) == (Outcome.CORRECT, Confusion.TP, None)
    assert [(each.question.predicted, each.settlement.judge) for each in row.judged] == [("until then", "j")]
    assert "judge j" in row.rules


@pytest.mark.requirement("P43", "P51")
@pytest.mark.parametrize("subtype", [ParameterSubtype.TEMPORAL, ParameterSubtype.MISSING_ARGUMENT])
def test_a_value_settled_as_different_has_the_subtype_of_the_justification(subtype: ParameterSubtype) -> None:
    answer = Settlement(verdict="different", subtype=subtype, justification="no time is said", judge="j")
    row = settled(CASE, said(CASE, "until then"), answer)
    assert (row.outcome, row.category, row.subtype) == (
        Outcome.VALID_BUT_WRONG,
        ErrorCategory.PARAMETER_ERROR,
        subtype,
    )


@pytest.mark.requirement("P52", "D4", "P43")
def test_a_judge_failure_counts_for_the_paper_and_is_no_outcome_of_the_model() -> None:
    row = settled(CASE, said(CASE, "until then"), Settlement(verdict="failure", judge="j", raw="[[90]]"))
    assert (row.confusion, row.category, row.outcome) == (Confusion.FN, ErrorCategory.JUDGE_FAILURE, None)
    assert (row.exclusion, row.questions) == (None, ())
    assert row.judged[0].settlement.raw == "[[90]]"


@pytest.mark.requirement("D4")
def test_a_difference_comes_before_a_judge_failure() -> None:
    spec = tool("tell", schema("who", "what", who=TEXT, what=TEXT))
    case = positive(gold("tell", who="my aunt", what="all news"), tools=(spec,))
    made = attempt(case, RouterReply(calls=(call("tell", who="her sister", what="everything"),)))
    row = settled(case, made, Settlement(verdict="failure", judge="j"), Settlement(verdict="different", judge="j"))
    assert row.category is ErrorCategory.PARAMETER_ERROR


@pytest.mark.requirement("P43")
@pytest.mark.parametrize(("words", "expected"), [("see you soon", Outcome.CORRECT), ("unreadable text", None)])
async def test_one_run_asks_each_question_once(words: str, expected: Outcome | None) -> None:
    judge = ScriptedJudge()
    case = positive(gold("say", words=words), tools=(SAY,))
    settling = Settling(judge, policy=POLICY)
    rows = [await settling.grade(case, said(case, "see you then")) for _ in range(3)]
    assert {row.outcome for row in rows} == {expected}
    assert len(judge.asked) == 1


@pytest.mark.requirement("P43")
async def test_a_question_that_a_judge_leaves_out_is_a_judge_failure() -> None:
    class Silent(ScriptedJudge):
        async def settle(self, questions: Sequence[JudgeQuestion]) -> Mapping[str, Settlement]:
            return {}

    row = await Settling(Silent(), policy=POLICY).grade(CASE, said(CASE, "until then"))
    assert (row.category, row.outcome) == (ErrorCategory.JUDGE_FAILURE, None)


@pytest.mark.requirement("D7", "P40")
async def test_answers_that_change_who_answers_whom_raise_new_questions_until_all_is_settled() -> None:
    case = positive(gold("say", words="apples are red"), gold("say", words="bananas are long"), tools=(SAY,))
    settling = Settling(ScriptedJudge(), policy=POLICY)
    for words in (("apples grow", "bananas bend"), ("bananas bend", "apples grow"), ("z bananas", "apples grow")):
        row = await settling.grade(case, said(case, *words))
        assert row.questions == ()
        assert (row.outcome is Outcome.CORRECT) == (words[0][0] != "z")


async def test_without_a_judge_the_questions_stay_on_the_row() -> None:
    row = await Settling(None, policy=POLICY).grade(CASE, said(CASE, "until then"))
    assert row.exclusion is Exclusion.UNSURE
    assert len(row.questions) == 1


def test_calls_that_repeat_an_answer_are_named_duplicates() -> None:
    spec = tool("act", schema("n", n=INTEGER, m=INTEGER | {"default": 1}))
    case = positive(gold("act", n=1), tools=(spec,))
    calls = (call("act", n=1), call("act", n=1, m=1), EmittedCall(name="act", arguments={"n": 2}))
    row = graded(case, *calls)
    assert (row.outcome, row.extra_calls, row.duplicate_calls) == (Outcome.CORRECT, ("act", "act"), ("act",))
