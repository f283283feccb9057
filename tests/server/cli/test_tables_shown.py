"""On a narrow terminal ids, names and commands are whole, so that they can be copied, and sentences are wrapped."""

import io

import pytest
from rich.console import Console

from plugineval.harness.rendering.tables import data, table_of, text
from plugineval.server.cli.showing import show_indented, show_sentence, show_tables

ID, TOOL = "example-6e1de6f9b8da08f61926", "get_current_time"
WHY = "differs at /datetime, as two executions today do"


def shown(width: int) -> str:
    out = io.StringIO()
    columns = (data("Case"), data("Tool"), text("Why"))
    show_tables([table_of("t", "", columns, [(ID, TOOL, WHY)])], Console(file=out, width=width))
    return out.getvalue()


def test_an_id_stays_whole_and_the_sentence_beside_it_is_wrapped() -> None:
    lines = shown(70).splitlines()
    assert any(ID in line and TOOL in line for line in lines)
    assert max(map(len, lines)) <= 70
    assert " ".join(WHY.split()) in " ".join(" ".join(line[46:].strip() for line in lines).split())


def test_where_there_is_no_room_nothing_is_lost() -> None:
    assert max(map(len, shown(40).splitlines())) <= 40
    wide, narrow = (sorted("".join(shown(width).replace("─", "").split())) for width in (200, 40))
    assert narrow == wide


def test_long_lines_go_on_below_their_indent_on_a_terminal_and_stay_one_line_elsewhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = f"head\n  candidates: {WHY}, {WHY}"
    show_indented(text, Console(width=40, force_terminal=True))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["head", "  candidates: differs at /datetime, as"]
    assert all(line.startswith("      ") and len(line) <= 40 for line in lines[2:])
    show_indented(text, Console(width=40))
    assert capsys.readouterr().out == f"{text}\n"


def test_a_line_with_a_command_is_never_broken() -> None:
    out, command = io.StringIO(), "plugineval report run-20261130-fxa0x812 --markdown"
    show_sentence(f"The rest: {command}", Console(file=out, width=30, force_terminal=True), whole=True)
    assert command in out.getvalue()
