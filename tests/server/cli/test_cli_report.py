"""Reports on terminals of every width: nothing is broken inside a cell, nothing foreign is obeyed, nothing is lost."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from doubles.cli import addition, case, cases_file, endpoint, obedient, plugineval
from doubles.harness import INTEGER, attempt, call, gold, negative, positive, run_info, schema, tool
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.rendering.tables import ColumnKind, Table, data, numbers, table_of, text
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.pccf.routing import RouterReply
from plugineval.server.cli.fitting import blocks, elided, fitting, turned
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.showing import show_report, terminal_tables

ADD = tool("add", schema("n", n=INTEGER))
EVIL = "\x1b[31m[red]\u202e<b>|\n"
LONG = [f"openai:provider-{number}/a-model-with-a-long-name-2026-01-{number:02}" for number in range(10)]


def report_of(*models: str, cases: int = 12) -> Report:
    """Every model right on half of the positives."""
    asked = (*(positive(gold("add", n=i), tools=(ADD,), case_id=f"c{i}") for i in range(cases)), negative(tools=(ADD,)))
    builder = ReportBuilder(run_info(asked, *models), beside=degenerate_models())
    for each in asked:
        for model in models:
            said = int(each.id[1:]) // 2 * 2
            found = attempt(each, RouterReply(calls=(call("add", n=said),)), model=model)
            builder.add(each, found, grade(each, found, policy=GradingPolicy()))
    return builder.build(now=datetime.now(UTC))


def shown(report: Report, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    show_report(report, console, SharedOptions())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def plain_width(table: Table) -> int:
    """Widest cell of each column, two apart."""
    columns = zip([column.name for column in table.columns], *table.rows, strict=True)
    return sum(max(map(cell_len, cells)) + 2 for cells in columns) - 2


@pytest.mark.requirement("X10")
@pytest.mark.parametrize("width", [80, 100, 120, 200])
@pytest.mark.parametrize("models", [1, 2, 4, 10])
def test_every_cell_is_whole_and_every_line_fits(width: int, models: int) -> None:
    report = report_of(*LONG[:models])
    lines = shown(report, width)
    assert [line for line in lines if cell_len(line.rstrip()) > width] == []
    together = "\n".join(lines)
    for table in terminal_tables(report):
        # Words may be wrapped; a number that is broken would be another number.
        counts = [index for index, column in enumerate(table.columns) if column.kind is ColumnKind.NUMBER]
        cells = {row[index] for row in table.rows for index in counts}
        assert [cell for cell in cells if cell not in together] == []
    assert all(name in together for name in LONG[:models])


@pytest.mark.requirement("X8")
def test_models_that_know_nothing_are_in_the_first_table_alone_unless_nothing_else_was_measured() -> None:
    first, *others = terminal_tables(report_of("m"))
    assert sum(row[0].startswith("degenerate:") for row in first.rows) == 3
    assert [table.key for table in others if "degenerate:" in str(table.rows)] == []
    alone = terminal_tables(report_of("degenerate:never-call"))
    assert all("degenerate:never-call" in str(table.rows) for table in alone[1:])


def test_what_models_are_called_is_shown_and_never_obeyed() -> None:
    lines = shown(report_of(f"openai:{EVIL}"), 80)
    together = "\n".join(lines)
    assert "\x1b[31m" not in together
    assert "\u202e" not in together
    assert "openai:\\x1b[31m[red]\\u202e<b>|" in together


def test_a_report_that_is_piped_keeps_its_sentences_on_one_line() -> None:
    console = Console(file=io.StringIO(), width=80)
    report = report_of(*LONG[:2])
    show_report(report, console, SharedOptions(home=Path("/a home")))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert report.verdict.sentence in lines
    assert lines[-1].endswith(f"plugineval report {report.run.id} --markdown --home '/a home'")


def table(*names: str, columns: int = 6) -> Table:
    heads = [f"c{number}" if number % 3 else "95 %" for number in range(1, columns + 1)]
    rows = [(name, *(f"{len(name) * 10**number}" for number in range(columns))) for name in names]
    return table_of("t", "T", (data("Model"), *numbers(*heads)), rows, note="n")


@given(st.integers(10, 120), st.lists(st.text("ab", min_size=1, max_size=40), min_size=1, max_size=6, unique=True))
def test_blocks_hold_every_column_once_and_an_interval_stays_with_its_rate(width: int, names: list[str]) -> None:
    whole = table(*names)
    parts = list(blocks(whole, width, plain_width))
    assert [name for part in parts for name in part.columns[1:]] == list(whole.columns[1:])
    for row, *others in zip(whole.rows, *(part.rows for part in parts), strict=True):
        assert row == (row[0], *(cell for other in others for cell in other[1:]))
    assert all(part.columns[1].name != "95 %" for part in parts)
    assert [(part.title, part.note) for part in parts[1:-1]] == [("", "")] * len(parts[1:-1])
    assert (parts[0].title, parts[-1].note) == ("T", "n")


def test_a_table_is_left_turned_or_cut_in_this_order() -> None:
    whole = table("first", "second")
    assert fitting(whole, plain_width(whole), plain_width) == (whole,)
    assert fitting(whole, plain_width(turned(whole)), plain_width) == (turned(whole),)
    assert len(fitting(whole, plain_width(turned(whole)) - 1, plain_width)) > 1


def test_long_names_are_cut_only_while_they_stay_apart() -> None:
    assert [row[0] for row in elided(table(*LONG[:2])).rows] == ["openai:prov…e-2026-01-00", "openai:prov…e-2026-01-01"]
    alike = table("x" * 30 + "1" + "y" * 30, "x" * 30 + "2" + "y" * 30)
    assert elided(alike) == alike


def test_foreign_text_is_data_in_every_form_of_the_report(tmp_path: Path) -> None:
    evil = case(f"{EVIL}1", f"{EVIL} say nothing", {"name": "add", "arguments": {"a": 1, "b": 1}})
    home = tmp_path / "home"
    with endpoint(obedient) as server:
        options = ("--model", f"openai:{EVIL}", "--base-url", server.base_url, "--repeats", 1, "--home", home)
        human = plugineval("evaluate", cases_file(tmp_path, [evil, addition("c", 1)]), *options)
    forms = {
        "evaluate": human.out + human.err,
        "markdown": plugineval("report", "--home", home, "--markdown").out,
        "json": plugineval("report", "--home", home, "--json").out,
    }
    assert [form for form, text in forms.items() if "\x1b" in text or "\u202e" in text] == []
    (sample,) = [each for each in json.loads(forms["json"])["errors"] if each["kind"] == "no_call"]
    assert sample["query"] == f"{EVIL} say nothing"
    rows = [line for line in forms["markdown"].splitlines() if "say nothing" in line]
    assert len(rows) == 1
    assert "\\|" in rows[0]


def test_a_row_that_two_names_tell_apart_keeps_both_in_every_block() -> None:
    rows = [(LONG[0], other, *(str(10**9 + number) for number in range(5)), "not found") for other in LONG[1:3]]
    whole = table_of("t", "T", (data("Model"), data("Other"), *numbers(*"abcde"), text("Difference")), rows)
    parts = fitting(whole, 80, plain_width)
    assert len(parts) > 1
    assert [column.name for part in parts for column in part.columns[2:]] == [*"abcde", "Difference"]
    assert {row[:2] for part in parts for row in part.rows} == {row[:2] for row in elided(whole).rows}
