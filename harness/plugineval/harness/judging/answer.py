"""A judge's answer, read strictly: one verdict with a justification that stands by it, or no verdict at all (P43)."""

import re
from typing import Literal

from pydantic import Field, ValidationError

from plugineval.harness.judging.justification import contradiction, verdicts_named
from plugineval.harness.questions import JudgeFailure
from plugineval.pccf.json_answer import UnreadableAnswerError, parse_json
from plugineval.pccf.values import Value

_REFUSAL = re.compile(
    r"\b(?:(?:can(?:no|['’])t|unable to|won['’]t|will not|not able to)\s+(?:help|assist|comply|judge|answer|provide|do)"
    r"|(?:i['’]?m|i am)\s+sorry|as an ai|i (?:must )?(?:refuse|decline))\b",
    re.IGNORECASE,
)
_VERDICT_KEY = re.compile(r'(?<!\\)"verdict"\s*:')
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_SCORE = re.compile(r"[\[\]{}\d.,/%\s+-]*\d[\[\]{}\d.,/%\s+-]*")


class JudgeAnswer(Value):
    """What a judge is asked for; this is also the answer schema that its model is sent."""

    verdict: Literal["equal", "different"]
    subtype: Literal["temporal", "missing_argument", "incorrect_value"] | None = None
    justification: str = Field(min_length=1)


class UnreadableVerdictError(UnreadableAnswerError):
    """No verdict; `kind` says in which way."""

    def __init__(self, kind: JudgeFailure, problem: str) -> None:
        super().__init__(problem)
        self.kind = kind


def read_verdict(text: str) -> JudgeAnswer:
    """The verdict in `text`; `UnreadableVerdictError` where there is none, or more than one."""
    if not text.strip():
        raise UnreadableVerdictError(JudgeFailure.EMPTY, "the answer is empty")
    if len(_VERDICT_KEY.findall(text)) > 1:
        raise UnreadableVerdictError(JudgeFailure.CONTRADICTORY, "the answer holds two verdicts")
    answer = _parsed(text)
    if verdicts_named(_OBJECT.sub(" ", text)) - {answer.verdict}:
        raise UnreadableVerdictError(JudgeFailure.CONTRADICTORY, "the words around the object name another verdict")
    if answer.verdict == "equal" and answer.subtype is not None:
        raise UnreadableVerdictError(JudgeFailure.CONTRADICTORY, "equal values have no subtype of a difference")
    if problem := contradiction(answer.verdict, answer.subtype, answer.justification):
        raise UnreadableVerdictError(JudgeFailure.CONTRADICTORY, problem)
    return answer


def failure_of(text: str) -> JudgeFailure:
    """In which way `text` is no verdict."""
    try:
        read_verdict(text)
    except UnreadableVerdictError as error:
        return error.kind
    return JudgeFailure.UNREADABLE


def _parsed(text: str) -> JudgeAnswer:
    try:
        value = parse_json(text)
    except UnreadableAnswerError as error:
        kind = JudgeFailure.REFUSED if _REFUSAL.search(text) else JudgeFailure.UNREADABLE
        raise UnreadableVerdictError(kind, str(error)) from error
    if _SCORE.fullmatch(text):
        raise UnreadableVerdictError(JudgeFailure.OUT_OF_RANGE, "a score is no verdict; say equal or different")
    try:
        return JudgeAnswer.model_validate(value, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "answer"
        kind = JudgeFailure.OUT_OF_RANGE if first["type"] == "literal_error" else JudgeFailure.UNREADABLE
        raise UnreadableVerdictError(kind, f"{place}: {first['msg']}") from error
