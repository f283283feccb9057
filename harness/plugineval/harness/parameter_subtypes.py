"""How a wrong argument is wrong (P51); its own module, since a judge's settlement and a graded row both say it."""

from enum import StrEnum


class ParameterSubtype(StrEnum):
    """Subtype of a parameter error (P51), in order of precedence (D4)."""

    MISSING_ARGUMENT = "missing_argument"
    TEMPORAL = "temporal"
    INCORRECT_VALUE = "incorrect_value"
