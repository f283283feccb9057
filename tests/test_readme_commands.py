"""The README's table has every command once, with what its help says it is for, and an example that it takes."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from plugineval.server.cli.app import COMMANDS, create_app

README = Path(__file__).parents[1] / "README.md"
_ROW = re.compile(r"^\| `(?P<name>[a-z-]+)` \| (?P<purpose>.+?) \| `plugineval (?P<example>.+)` \|$", re.MULTILINE)


class Row(NamedTuple):
    name: str
    purpose: str
    example: str


ROWS = [Row(*found.groups()) for found in _ROW.finditer(README.read_text(encoding="utf-8"))]


def test_every_command_has_one_row_in_the_order_of_the_help() -> None:
    assert tuple(row.name for row in ROWS) == COMMANDS


def parsed(name: str, words: list[str]) -> tuple[str, list[str]]:
    """What the help says the command is for, and which words it has no place for; raises for an unknown option."""
    group = get_command(create_app(name))
    assert isinstance(group, TyperGroup)
    command = group.commands[name]
    context = command.make_context(name, [], resilient_parsing=True)
    context.resilient_parsing = False
    _, left, _ = command.make_parser(context).parse_args(words)
    return (command.short_help or "").split(". ")[0].rstrip("."), left


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_row_says_what_the_help_says_and_shows_words_that_the_command_takes(row: Row) -> None:
    name, *words = shlex.split(row.example)
    assert (name, *parsed(name, words)) == (row.name, row.purpose, [])


def test_a_word_that_a_command_does_not_take_would_be_seen() -> None:
    assert parsed("runs", ["mine"])[1] == ["mine"]
    with pytest.raises(Exception, match="--nothing"):
        parsed("runs", ["--nothing"])
