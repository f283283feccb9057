"""From findings to the paper's parameter subtypes (P51): missing argument > temporal > incorrect value (D4).

A judge or a check may say the subtype itself, and a rule may say that time differs. Without either the subtype follows
from what differs: the argument's format, its name, and the look of its gold value.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from plugineval.harness.equivalence.expected import is_blank
from plugineval.harness.equivalence.findings import Finding, FindingKind
from plugineval.harness.equivalence.wording import words_of
from plugineval.harness.outcomes import Mismatch, ParameterSubtype
from plugineval.pccf.values import Json

_TEMPORAL_FORMATS = frozenset({"date", "time", "date-time", "duration"})
_TEMPORAL_WORDS = frozenset(
    {"date", "time", "datetime", "timestamp", "day", "weekday", "month", "year", "hour", "minute", "duration"}
    | {"deadline", "due", "when", "until", "since", "departure", "arrival", "birthday", "schedule", "timezone", "tz"}
)
_TEMPORAL_VALUE = re.compile(
    r"""\s* (?: \d{4}-\d{2} (?:-\d{2})? (?: [T ]\d{2}:?\d{2}.* )?    # 2026-03, 2026-03-14, 2026-03-14T09:30Z
          | \d{1,2}[/.]\d{1,2}[/.]\d{2,4}                           # 14/3/2026, 14.03.26
          | \d{1,2}:\d{2} (?: :\d{2} )? \s* (?: [ap]\.?m\.? )?       # 9:30, 09:30:00, 9:30 pm
        ) \s*""",
    re.VERBOSE | re.IGNORECASE,
)


def mismatch_of(tool: str, finding: Finding) -> Mismatch:
    """The finding as it is kept on the row, with the rule that decided."""
    return Mismatch.trusted(
        {
            "tool": tool,
            "argument": finding.path,
            "gold": finding.gold,
            "predicted": finding.predicted,
            "subtype": subtype_of(finding),
            "rule": finding.rule,
            "reason": finding.reason,
        }
    )


def subtype_of(finding: Finding) -> ParameterSubtype:
    """The subtype of one difference; a blank where gold has a value is a missing argument."""
    if finding.subtype is not None:
        return finding.subtype
    if finding.kind is FindingKind.ABSENT or _blanked(finding):
        return ParameterSubtype.MISSING_ARGUMENT
    if finding.temporal or (finding.kind is FindingKind.VALUE and is_temporal(finding)):
        return ParameterSubtype.TEMPORAL
    # D13: a further argument is an incorrect value, whatever it is about.
    return ParameterSubtype.INCORRECT_VALUE


def is_temporal(finding: Finding) -> bool:
    """Whether the argument is about time: by format, by name, or by the look of its gold value."""
    return _of_time(finding.path, finding.format) or (
        isinstance(finding.gold, str) and _TEMPORAL_VALUE.fullmatch(finding.gold) is not None
    )


@lru_cache(maxsize=4096)
def _of_time(path: str, format_: str) -> bool:
    return format_ in _TEMPORAL_FORMATS or not _TEMPORAL_WORDS.isdisjoint(words_of(path))


def leading_subtype(mismatches: Sequence[Mismatch]) -> ParameterSubtype | None:
    """The one subtype that counts (D4); None where nothing differs."""
    if len(mismatches) == 1:
        return mismatches[0].subtype
    return min((mismatch.subtype for mismatch in mismatches), key=_PRECEDENCE.__getitem__, default=None)


_PRECEDENCE = {subtype: place for place, subtype in enumerate(ParameterSubtype)}


def _blanked(finding: Finding) -> bool:
    return finding.kind is FindingKind.VALUE and _holds_nothing(finding.predicted) and not _holds_nothing(finding.gold)


def _holds_nothing(value: Json) -> bool:
    return is_blank(value) or (isinstance(value, (list, dict)) and not value)
