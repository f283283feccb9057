"""The user's own equality for one tool (B5): it decides instead of the comparator, per aligned pair of calls.

A check is any callable; that it crashes is data of the row it crashed on, never an exception of the run.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeAlias, cast

from plugineval.harness.cases import Case
from plugineval.harness.equivalence.findings import Comparison, Finding, FindingKind
from plugineval.harness.equivalence.verdicts import Agreement
from plugineval.harness.parameter_subtypes import ParameterSubtype
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall

RULE = "semantic check"


class CheckVerdict(NamedTuple):
    """What a check may answer instead of a plain bool."""

    agreement: Agreement
    reason: str = ""
    subtype: ParameterSubtype | None = None
    """Of a difference; None lets the argument's name and format decide."""
    argument: str = ""
    """Path of the argument it is about; empty for the call as a whole."""


class SemanticCheck(Protocol):
    """Whether an emitted call means what gold means. Both are calls of the tool the check is for."""

    def __call__(self, case: Case, gold: GoldCall, predicted: EmittedCall) -> bool | CheckVerdict:
        """Decide one pair; `unsure` leaves it to the judge. `predicted.arguments` is never None."""
        ...


SemanticChecks: TypeAlias = Mapping[str, SemanticCheck]
"""Offered tool name -> its check."""


def checked(check: SemanticCheck, case: Case, gold: GoldCall, predicted: EmittedCall) -> Comparison:
    """The check's verdict as a comparison; a crash is kept in `crashed`."""
    try:
        answer = check(case, gold, predicted)
    except Exception as error:  # noqa: BLE001 - the one boundary to the user's own code
        return Comparison(crashed=f"{type(error).__name__}: {error}"[:500])
    if isinstance(answer, bool):
        answer = CheckVerdict(Agreement.EQUAL if answer else Agreement.DIFFERENT)
    # The port is the user's own code: what it returns is not to be trusted to have the type it promises.
    if not isinstance(cast("object", answer), CheckVerdict):
        return Comparison(crashed=f"returned {type(answer).__name__}, not a bool or a CheckVerdict")
    return _comparison(answer, gold, predicted)


def _comparison(answer: CheckVerdict, gold: GoldCall, predicted: EmittedCall) -> Comparison:
    kind = _KINDS[answer.agreement]
    finding = Finding(answer.argument, kind, gold.arguments, predicted.arguments, RULE, answer.reason)
    return Comparison.of([finding._replace(subtype=answer.subtype)])


_KINDS = {
    Agreement.EQUAL: FindingKind.AGREED,
    Agreement.DIFFERENT: FindingKind.VALUE,
    Agreement.UNSURE: FindingKind.UNSURE,
}
