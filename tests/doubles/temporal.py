"""Places that take a time, and one value decided against another both ways round."""

from datetime import datetime

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.temporal import decide
from plugineval.harness.equivalence.verdicts import CallContext, Place, Ruling
from plugineval.pccf.values import Json

WEDNESDAY = datetime.fromisoformat("2026-03-11T09:00:00+01:00")
A_DAY: dict[str, Json] = {"type": "string", "description": "Date of the reservation."}
AN_INSTANT: dict[str, Json] = {"type": "string", "description": "ISO 8601 date-time."}
A_TIME: dict[str, Json] = {"type": "string", "description": "Time of day."}
A_ZONE: dict[str, Json] = {"type": "string", "description": "IANA time zone."}
A_LENGTH: dict[str, Json] = {"type": "string", "description": "Length of the countdown, for example 10m or PT10M."}


def described(text: str, **keywords: Json) -> dict[str, Json]:
    """The schema of a string argument."""
    return {"type": "string", "description": text, **keywords}


def place(
    name: str = "date", schema: dict[str, Json] | None = None, *, query: str = "", now: datetime | None = None
) -> Place:
    """An argument's place; by default one that takes a day."""
    found = A_DAY if schema is None else schema
    return Place(Node(found, found), name, CallContext(query=query, now=now, tool="book"))


def ruled(gold: Json, predicted: Json, where: Place) -> Ruling | None:
    """The ruling, after making sure that it is the same the other way round."""
    found, swapped = decide(gold, predicted, where), decide(predicted, gold, where)
    assert (found and found.agreement) == (swapped and swapped.agreement), (found, swapped)
    return found


def said(gold: Json, predicted: Json, where: Place) -> str:
    """`equal`, `different`, `unsure`, or `nothing`; a difference and a doubt are always temporal and explained."""
    found = ruled(gold, predicted, where)
    if found is None:
        return "nothing"
    assert found.temporal is (found.agreement != "equal")
    assert "." in found.rule
    assert found.reason
    return found.agreement.value
