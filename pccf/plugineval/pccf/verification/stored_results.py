"""What the record of an example holds of one of its gold calls: the result that was judged, and what of it moves."""

from collections.abc import Iterator

from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Value, canonical_json


class Stored(Value):
    """The evidence of one gold call; without an observation there is nothing to compare with."""

    observation: Observation | None = None
    moving: tuple[str, ...] = ()
    declared: bool = False


def stored_result(record: VerificationRecord, gold: Invocation, served_name: str) -> Stored:
    """The evidence of the call `gold` of the tool that its server calls `served_name`.

    Found by tool and arguments, because the later calls of a request have records of their own, and the record of a
    gold that a person revised holds all of its calls.
    """
    for each in (record, *record.further):
        shown = [seen for seen in _observations(each) if _is_of(seen, gold, served_name)]
        if shown:
            again = each.repetition
            # A repetition is of the record's own call; the other calls of a revised gold were not repeated.
            known = again if again is not None and _is_of(again.observation, gold, served_name) else None
            return Stored(
                observation=shown[-1],
                moving=known.moving if known else (),
                declared=known.declared if known else False,
            )
    return Stored()


def _observations(record: VerificationRecord) -> Iterator[Observation]:
    """The accepted one last."""
    for round_ in record.rounds:
        best = None if round_.best is None else round_.traces[round_.best]
        for trace in (*round_.traces, *([best] if best else [])):
            if trace.observation is not None and trace.observation.evaluable:
                yield trace.observation


def _is_of(seen: Observation, gold: Invocation, served_name: str) -> bool:
    return seen.tool == served_name and canonical_json(seen.arguments) == canonical_json(gold.arguments)
