"""Rows of every kind of equivalence, with the verdict of a careful reader (`rows.jsonl`, one query and gold a line).

`C` correct; `I` incorrect, with its subtype: `t` temporal, `m` missing argument, `v` value (`It|v`: a reader may say
either); `R` miss recall; `O` over recall; `X` incorrect without saying in which way; `U` open. `!` after it: the schema
refuses the call (`C!`: in the strict view only). `S` before it: it hangs on meaning, so that rules leave it open, or
have it right.

A row is the arguments that differ from gold, and the names that are left out; in `calls` it is a list of calls.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.row_grading import RowVerdict
from plugineval.pccf.values import Json
from plugineval.server.jobs.judge_file import RowGrading, line_of_row

FILE = Path(__file__).parent / "rows.jsonl"
SUBTYPES = {"t": "temporal", "m": "missing_argument", "v": "incorrect_value"}
CATEGORIES = {"I": "parameter_error", "R": "miss_recall", "O": "over_recall"}
VERDICTS = {"C": "correct", "U": "unsure"}


class Written(NamedTuple):
    """One row: what the author says of it, and the line that the command would read."""

    kind: str
    said: str
    line: dict[str, Any]

    @property
    def semantic(self) -> bool:
        return self.said.startswith("S")

    @property
    def word(self) -> str:
        return self.said.lstrip("S").replace("!", "")

    @property
    def refused(self) -> bool:
        return "!" in self.said

    @property
    def verdict(self) -> str:
        return VERDICTS.get(self.word, "incorrect")


def written() -> Iterator[Written]:
    for text in FILE.read_text(encoding="utf-8").splitlines():
        group = json.loads(text)
        gold = [{"name": name, "arguments": arguments} for name, arguments in group["gold"]]
        shared = {key: value for key, value in group.items() if key not in {"kind", "rows", "calls"}}
        for said, *row in group.get("rows", ()):
            one = {"name": gold[0]["name"], "arguments": _patched(gold[0]["arguments"], *row)}
            yield Written(group["kind"], said, {**shared, "gold": gold, "predicted": [one]})
        for said, calls in group.get("calls", ()):
            predicted = [{"name": name, "arguments": arguments} for name, arguments in calls]
            yield Written(group["kind"], said, {**shared, "gold": gold, "predicted": predicted})


def _patched(gold: dict[str, Json], patch: Json, gone: list[str] | None = None) -> Json:
    if not isinstance(patch, dict):
        return patch
    return {**{name: value for name, value in gold.items() if name not in (gone or ())}, **patch}


def verdict(row: Written, policy: GradingPolicy) -> RowVerdict:
    (read,) = JudgeRowReader().read([json.dumps(row.line).encode()])
    assert isinstance(read, JudgeRow), read
    return line_of_row(RowGrading(policy=policy).grade(read, {})).verdict


ROWS = tuple(written())
KINDS = sorted({row.kind for row in ROWS})
ASK, SETTLE = GradingPolicy(meaning="ask"), GradingPolicy(meaning="settle")


@pytest.mark.requirement("P41", "P42", "P51", "D13", "D14")
@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_rules_can_decide_have_the_verdict_of_a_careful_reader(kind: str) -> None:
    for row in (row for row in ROWS if row.kind == kind and not row.semantic):
        found = verdict(row, ASK)
        assert found.verdict == row.verdict, row
        category = CATEGORIES.get(row.word[0])
        assert row.word == "X" or found.category == category, row
        if category == "parameter_error":
            assert found.subtype in {SUBTYPES[letter] for letter in row.word[1:].split("|")}, row


@pytest.mark.requirement("D14", "B3")
@pytest.mark.parametrize("kind", KINDS)
def test_rows_have_the_outcomes_of_a_careful_reader(kind: str) -> None:
    for row in (row for row in ROWS if row.kind == kind and row.said[0] in "CI"):
        found = verdict(row, ASK)
        if row.word == "C" and row.line["gold"]:
            assert (found.outcome, found.outcome_strict) == (
                "correct",
                "invalid_args" if row.refused else "correct",
            ), row
        elif row.word != "C":
            assert found.outcome == ("invalid_args" if row.refused else "valid_but_wrong"), row


@pytest.mark.requirement("P41")
@pytest.mark.parametrize("policy", [ASK, SETTLE], ids=["ask", "settle"])
def test_what_hangs_on_meaning_is_never_decided_the_wrong_way(policy: GradingPolicy) -> None:
    for row in (row for row in ROWS if row.semantic):
        assert verdict(row, policy).verdict in {row.verdict, "unsure"}, row


@pytest.mark.requirement("P41")
def test_what_hangs_on_meaning_is_left_to_a_judge_in_nine_of_ten_rows() -> None:
    counts = Counter(verdict(row, ASK).verdict for row in ROWS if row.semantic)
    assert counts["unsure"] >= 0.9 * counts.total()


def test_every_kind_has_a_dozen_rows() -> None:
    assert len(KINDS) == 26
    assert min(Counter(row.kind for row in ROWS).values()) >= 12
