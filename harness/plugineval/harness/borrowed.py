"""Numbers that were not measured here: they carry the model and the month they are about, or are not shown (B20)."""

from pydantic import Field

from plugineval.pccf.values import Value


class BorrowedNumber(Value):
    """A figure quoted from elsewhere. It enters no comparison, rank or decision."""

    metric: str = Field(min_length=1)
    value: float
    model: str = Field(min_length=1)
    month: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")
    """`2026-03`: when it was measured."""
    source: str = Field(min_length=1)
    note: str = ""
