"""The three answers a domain rule gives, and how sets of possible readings settle into one of them.

A value may have several readings ("$" is many currencies). Only readings that leave no choice are equal, and only
readings that share nothing are different.
"""

from collections.abc import Set as AbstractSet
from typing import TypeVar

from plugineval.harness.equivalence.verdicts import Agreement, Ruling

Reading = TypeVar("Reading")


def equal(rule: str, reason: str, *, semantic: bool = False, coerced: bool = False) -> Ruling:
    """The two values mean the same; `semantic` where that rests on meaning rather than on notation."""
    return Ruling(Agreement.EQUAL, rule, reason, semantic=semantic, coerced=coerced)


def different(rule: str, reason: str, *, semantic: bool = False) -> Ruling:
    """The two values cannot mean the same."""
    return Ruling(Agreement.DIFFERENT, rule, reason, semantic=semantic)


def unsure(rule: str, reason: str) -> Ruling:
    """The kind is recognised and its meaning is not settled: nobody after this rule may guess."""
    return Ruling(Agreement.UNSURE, rule, reason, semantic=True)


def overlap(gold: AbstractSet[Reading], predicted: AbstractSet[Reading]) -> Agreement:
    """Equal for one and the same single reading, different where no reading is shared, else unsure."""
    if not gold & predicted:
        return Agreement.DIFFERENT
    return Agreement.EQUAL if gold == predicted and len(gold) == 1 else Agreement.UNSURE
