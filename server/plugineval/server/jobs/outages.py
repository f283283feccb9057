"""Who could not be reached while a benchmark was built: role, model and what the boundary said, each once."""

from collections.abc import Iterator, Mapping

from plugineval.pccf.construction.examining.positives import NO_DEPTH, NOT_REPEATED
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.observations import OUTAGES
from plugineval.pccf.records import Ineligible, ProposalTrace, VerificationRecord
from plugineval.pccf.routing import Failure

SHOWN = 2
DETAIL_SHOWN = 200


class Outages:
    """Filled as records and rounds come; `roles` says who plays which role."""

    def __init__(self, roles: Mapping[str, str]) -> None:
        self._roles = roles
        self._found: dict[str, None] = {}

    def of_record(self, record: VerificationRecord) -> None:
        """Remember what left `record` undecided."""
        if record.verdict != "undecided":
            return
        if record.router_replies:
            self._note("router", self._roles.get("router", ""), _of_router(record))
        elif record.reason.startswith(NO_DEPTH):
            self._note("depth annotator", self._roles.get("depth", ""), record.reason.removeprefix(NO_DEPTH))
        elif record.reason.startswith(NOT_REPEATED):
            self._note("plugin", "", record.reason.removeprefix(NOT_REPEATED))
        elif record.rounds:
            self._found.update(dict.fromkeys(self._in_traces(record)))
        else:
            self._note("annotator", self._roles.get("annotator", ""), record.reason.removeprefix("no vote, "))

    def of_round(self, done: ConstructionRound) -> None:
        """Remember what kept the writer from writing."""
        for failure in done.failures:
            self._note("writer", self._roles.get("writer", ""), _words(failure))

    @property
    def sentence(self) -> str:
        """The first ones; empty where there was none."""
        listed = list(self._found)
        more = f"; and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
        return "; ".join(listed[:SHOWN]) + more

    def _in_traces(self, record: VerificationRecord) -> Iterator[str]:
        for round_ in record.rounds:
            for trace in round_.traces:
                if trace.ineligible is Ineligible.OUTAGE and trace.failure is not None:
                    role = _role(trace)
                    yield _told(role, self._player(role, trace), _words(trace.failure))

    def _player(self, role: str, trace: ProposalTrace) -> str:
        return trace.generator if role == "generator" else self._roles.get(role, "")

    def _note(self, role: str, model: str, words: str) -> None:
        self._found[_told(role, model, words)] = None


def _of_router(record: VerificationRecord) -> str:
    """The first failure of its calibration runs."""
    failures = (reply.get("failure") for reply in record.router_replies if isinstance(reply, dict))
    found = next((failure for failure in failures if failure is not None), None)
    return record.reason if found is None else _words(Failure.model_validate(found))


def _role(trace: ProposalTrace) -> str:
    """Whose answer was missing, by what the trace still holds."""
    if trace.proposal is None:
        return "generator"
    if trace.argument_assessment is None:
        return "argument_evaluator"
    shown = trace.observation
    return "plugin" if trace.failure is None or (shown is not None and shown.kind in OUTAGES) else "result_evaluator"


def _told(role: str, model: str, words: str) -> str:
    who = f"{role} {model}" if model else role
    return f"{who.replace('_', ' ', 1)}: {words}"


def _words(failure: Failure) -> str:
    return f"{failure.kind.value}: {failure.detail}"[:DETAIL_SHOWN]
