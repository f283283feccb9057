"""What is handed in to be graded, and what comes of it."""

from plugineval.pccf.values import Json, Value

ROWS_AT_ONCE = 50
"""Rows of one call; a longer file is graded by the command line."""


class Submission(Value):
    """Rows as they were handed in, and by whom."""

    rows: tuple[dict[str, Json], ...]
    model: str = ""
    benchmark_id: str | None = None
    run_id: str | None = None
    by: str


class RowTold(Value):
    """The verdict on one row, as a line of `plugineval judge` says it."""

    id: str
    verdict: str
    category: str | None = None
    subtype: str | None = None
    outcome: str | None = None
    outcome_strict: str | None = None
    reason: str = ""
    exclusion: str | None = None


class RefusedRow(Value):
    """A row that was not graded."""

    row: int
    """From 1."""
    reason: str


class Submitted(Value):
    """What came of a submission."""

    run_id: str | None = None
    verdicts: tuple[RowTold, ...] = ()
    refused: tuple[RefusedRow, ...] = ()
    unanswered: int = 0
    """Cases of the benchmark that the run holds no answer to."""
    next_step: str
