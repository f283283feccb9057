"""Help texts are shown as they are written: what stands in brackets is the name of a settings table, not a style."""

import re

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from doubles.cli import plugineval
from plugineval.server.cli.app import COMMANDS, create_app

BRACKETED = re.compile(r"\[+[a-z][\w.]*\]+")


def written(name: str) -> set[str]:
    """Every bracketed word of the docstring and of the options of a command."""
    group = get_command(create_app(name))
    assert isinstance(group, TyperGroup)
    command = group.commands[name]
    texts = [command.help, *(getattr(param, "help", None) for param in command.params)]
    return {word for text in texts for word in BRACKETED.findall(text or "")}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_bracketed_word_of_a_help_text_is_lost(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = plugineval(name, "--help")
    assert shown.code == 0
    assert [word for word in sorted(written(name)) if word not in shown.out] == []


def test_there_are_such_words() -> None:
    assert {"[[schedules]]", "[run]", "[store]"} <= set().union(*map(written, COMMANDS))


def test_the_listing_shows_every_summary_whole_and_with_its_brackets() -> None:
    listed = plugineval("--help").out
    assert "[[schedules]]" in listed
    assert listed.count("...\n") == 1, "that of the usage"
