"""From differences to the paper's parameter subtypes (P51): missing argument > temporal > incorrect value (D4).

Without a judge the subtype follows from what differs: the argument's format, its name, and the look of its gold value.
"""

import re
from collections.abc import Iterable, Sequence

from plugineval.harness.equivalence.differences import Difference, DifferenceKind
from plugineval.harness.outcomes import Mismatch, ParameterSubtype
from plugineval.pccf.values import Json

_TEMPORAL_FORMATS = frozenset({"date", "time", "date-time", "duration"})
_TEMPORAL_WORDS = frozenset(
    {"date", "time", "datetime", "timestamp", "day", "weekday", "month", "year", "hour", "minute", "duration"}
    | {"deadline", "due", "when", "until", "since", "departure", "arrival", "birthday", "schedule", "timezone", "tz"}
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_TEMPORAL_VALUE = re.compile(
    r"""\s* (?: \d{4}-\d{2} (?:-\d{2})? (?: [T ]\d{2}:?\d{2}.* )?    # 2026-03, 2026-03-14, 2026-03-14T09:30Z
          | \d{1,2}[/.]\d{1,2}[/.]\d{2,4}                           # 14/3/2026, 14.03.26
          | \d{1,2}:\d{2} (?: :\d{2} )? \s* (?: [ap]\.?m\.? )?       # 9:30, 09:30:00, 9:30 pm
        ) \s*""",
    re.VERBOSE | re.IGNORECASE,
)
_RULES = {
    DifferenceKind.ABSENT: "gold argument absent",
    DifferenceKind.SURPLUS: "argument beyond gold that is not its default",
    DifferenceKind.VALUE: "value differs after normalisation",
    DifferenceKind.UNREADABLE: "arguments are not a JSON object",
}


def mismatch_of(tool: str, difference: Difference) -> Mismatch:
    """The difference as it is kept on the row, with the rule that decided."""
    return Mismatch(
        tool=tool,
        argument=difference.path,
        gold=difference.gold,
        predicted=difference.predicted,
        subtype=subtype_of(difference),
        rule=_RULES[difference.kind],
    )


def subtype_of(difference: Difference) -> ParameterSubtype:
    """The subtype of one difference; a blank where gold has a value is a missing argument."""
    if difference.kind is DifferenceKind.ABSENT or _blanked(difference):
        return ParameterSubtype.MISSING_ARGUMENT
    if difference.kind is DifferenceKind.VALUE and is_temporal(difference):
        return ParameterSubtype.TEMPORAL
    # D13: a further argument is an incorrect value, whatever it is about.
    return ParameterSubtype.INCORRECT_VALUE


def is_temporal(difference: Difference) -> bool:
    """Whether the argument is about time: by format, by name, or by the look of its gold value."""
    words = {word.lower() for word in _WORDS.findall(difference.path)}
    return (
        difference.format in _TEMPORAL_FORMATS
        or bool(words & _TEMPORAL_WORDS)
        or (isinstance(difference.gold, str) and _TEMPORAL_VALUE.fullmatch(difference.gold) is not None)
    )


def leading_subtype(mismatches: Sequence[Mismatch]) -> ParameterSubtype | None:
    """The one subtype that counts (D4); None where nothing differs."""
    return _first(mismatch.subtype for mismatch in mismatches)


def _first(found: Iterable[ParameterSubtype]) -> ParameterSubtype | None:
    return min(found, key=list(ParameterSubtype).index, default=None)


def _blanked(difference: Difference) -> bool:
    return (
        difference.kind is DifferenceKind.VALUE and _is_blank(difference.predicted) and not _is_blank(difference.gold)
    )


def _is_blank(value: Json) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
