"""A file of reviews, one JSON object a line: the reviewer, what it is about, and what is said of it.

    {"reviewer": "ada", "case": "example-1f…", "need": "yes", "target": "yes", "args": "no", "reason": "it is UTC"}

A sheet that was written to be filled in is such a file too: what it shows beside the questions is not read again, and
a line in which nothing is filled in says nothing. One line that cannot be used refuses the file.
"""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from plugineval.clients.formats.fields import Refused, mapping, text
from plugineval.clients.formats.lines import lines_of, parsed, without_mark
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json, Value


class ReviewFields(NamedTuple):
    """The fields of a line, beside `reviewer`."""

    subject: str
    """`case` or `row`."""
    said: Collection[str]
    shown: Collection[str] = ()
    """What a sheet shows."""


class ReviewLine(Value):
    """One line with something filled in."""

    line: int
    reviewer: str
    subject: str
    said: dict[str, Json]


def read_reviews(path: Path, fields: ReviewFields) -> tuple[ReviewLine, ...]:
    """The reviews of the file; `InvalidRecordError` names the line and the field that cannot be used."""
    found: dict[tuple[str, str], ReviewLine] = {}
    for number, raw in enumerate(lines_of(path), start=1):
        line = without_mark(raw) if number == 1 else raw
        if not line.strip():
            continue
        try:
            review = _review(number, mapping(parsed(line), "line"), fields)
            if review is not None:
                _add(found, review, fields.subject)
        except Refused as refused:
            raise refusal(path, number, refused.field, refused.problem) from refused
    if not found:
        problem, step = "holds no reviews", "fill in reviewer and answers, one object a line"
        raise InvalidRecordError(problem, field=str(path), next_step=step)
    return tuple(found.values())


def refusal(path: Path, line: int, field: str, problem: str) -> InvalidRecordError:
    """What is raised for a line that cannot be used."""
    return InvalidRecordError(f"line {line}, {field}: {problem}", field=str(path), next_step="correct the line")


def _review(number: int, record: dict[str, Json], fields: ReviewFields) -> ReviewLine | None:
    if unknown := sorted(record.keys() - {"reviewer", fields.subject, *fields.said, *fields.shown}):
        known = ", ".join(["reviewer", fields.subject, *fields.said])
        raise Refused(unknown[0], f"is not a field of a review: {known}")
    said = {name: record[name] for name in fields.said if record.get(name) not in (None, "")}
    if not said:
        return None
    reviewer = text(record.get("reviewer"), "reviewer").strip()
    if not reviewer:
        raise Refused("reviewer", "is empty; write who reviewed")
    subject = text(record.get(fields.subject), fields.subject).strip()
    return ReviewLine(line=number, reviewer=reviewer, subject=subject, said={"reason": "", **said})


def _add(found: dict[tuple[str, str], ReviewLine], review: ReviewLine, subject: str) -> None:
    key = review.reviewer, review.subject
    before = found.setdefault(key, review)
    if before.said != review.said:
        raise Refused(subject, f"{review.reviewer} says something else of {review.subject} in line {before.line}")
