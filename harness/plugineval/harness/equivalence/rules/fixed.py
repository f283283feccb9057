"""Values a schema fixes: an enum's members and a const are exactly themselves, case included (D14)."""

from plugineval.harness.equivalence.rules.typed import coerced, same
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two members are equal only as the same member; what is no member is different from one."""
    members = _members(place)
    if members is None:
        return None
    if same(gold, predicted):
        return Ruling(Agreement.EQUAL, "enum.same_member")
    if isinstance(gold, str) != isinstance(predicted, str) and (found := coerced(gold, predicted, place.node)):
        return found
    if not any(same(predicted, member) for member in members):
        return Ruling(Agreement.DIFFERENT, "enum.outside", "not one of the values the schema allows")
    return Ruling(Agreement.DIFFERENT, "enum.other_member", "another value of the enum")


def _members(place: Place) -> list[Json] | None:
    found = place.node.schema.get("enum")
    if isinstance(found, list):
        return found
    return [place.node.schema["const"]] if "const" in place.node.schema else None
