"""Generators and evaluators of a record by who really answered: several may stand behind one model id (P17)."""

from collections.abc import Iterable

from plugineval.pccf.records import Round, VerificationRecord


def self_judged(rounds: Iterable[Round]) -> tuple[str, ...]:
    """One sentence for everybody who judged a record that they had made proposals for."""
    proposed: dict[str, None] = {}
    judged: dict[tuple[str, str], None] = {}
    for trace in (trace for round_ in rounds for trace in round_.traces):
        if trace.proposal is not None:
            proposed[trace.generator] = None
        if trace.argument_assessment is not None:
            judged[trace.argument_assessment.evaluator, "argument evaluator"] = None
        if trace.result_assessment is not None:
            judged[trace.result_assessment.evaluator, "result evaluator"] = None
    return tuple(f"{who} is generator and {what} at once" for who, what in judged if who in proposed)


def is_self_judged(record: VerificationRecord) -> bool:
    """Whether a record, or that of a further call of its request, was judged by whoever proposed for it."""
    return bool(self_judged(record.rounds)) or any(is_self_judged(further) for further in record.further)
