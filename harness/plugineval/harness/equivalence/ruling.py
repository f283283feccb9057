"""The dispatcher: one ordered list of rules; the first that recognises the pair decides, equal, different or unsure.

The order is part of the meaning. What a schema fixes comes first: enum members, then types. Identifiers come before
dates, because a name like `order_id` says more than digits do; whatever is about time comes before numbers and units,
because 90 min is a duration first; names that only case, width or white space tells apart come before the kinds that
know aliases; codes known only by their look and plain words come last, and words that are merely alike stay unsure.
"""

from functools import lru_cache

from plugineval.harness.equivalence.verdicts import Agreement, Place, Rule, Ruling
from plugineval.pccf.values import Json


def ruling(gold: Json, predicted: Json, place: Place) -> Ruling:
    """What is proven about two scalars (and about two containers of another kind each) at one place of a schema."""
    for rule in rules():
        found = rule(gold, predicted, place)
        if found is not None:
            return found
    return Ruling(Agreement.UNSURE, "none", "no rule knows values like these")


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """The rules in the order in which they are asked; loaded when the first values differ."""
    from plugineval.harness.equivalence.rules import (
        domain,
        fixed,
        identifiers,
        numbers,
        temporal,
        texts,
        tokens,
        typed,
        zone_cities,
    )

    return (
        fixed.decide,
        typed.decide_types,
        identifiers.decide,
        temporal.decide,
        texts.decide_trivial,
        domain.decide,
        typed.decide,
        numbers.decide,
        tokens.decide,
        zone_cities.decide,
        texts.decide,
    )
