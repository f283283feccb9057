"""`[plugins.NAME.sandbox]` in a settings file: paths relative to it, commands of two shapes, mistakes named by line."""

from pathlib import Path

import pytest

from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings

HEAD = "[plugins.notes]\ncommand = 'x'\nargs = ['{sandbox}']\n"


def loaded(folder: Path, text: str) -> PluginRegistration:
    file = folder / "plugineval.toml"
    file.write_text(text)
    return load_settings(config=file, home=folder, environ={}, cwd=folder).plugin("notes")


def test_paths_are_relative_to_the_file_and_a_command_may_stand_alone(tmp_path: Path) -> None:
    table = "[plugins.notes.sandbox]\ncopy = 'data/notes'\nreset = ['./seed', 'a']\ncleanup = [['./x'], ['rm', 'y']]\n"
    registration = loaded(tmp_path, HEAD + "cwd = '{sandbox}/inner'\nmoving = ['now']\n" + table)
    sandbox = registration.sandbox
    assert sandbox is not None
    assert sandbox.fixture == tmp_path / "data" / "notes"
    assert sandbox.reset == ((str(tmp_path / "seed"), "a"),)
    assert sandbox.cleanup == ((str(tmp_path / "x"),), ("rm", "y"))
    assert sandbox.per == "execution"
    assert registration.cwd == Path("{sandbox}/inner")
    assert registration.moving == ("now",)


@pytest.mark.parametrize(
    ("lines", "where", "said"),
    [
        ("per = 'session'", "plugins.notes.sandbox.copy", "is missing"),
        ("copy = 'a'\nper = 'call'", "line 6: plugins.notes.sandbox.per", "execution, session"),
        ("copy = 'a'\nrest = ['x']", "line 6: plugins.notes.sandbox.rest", "cleanup, copies, copy, limit_mb"),
        ("copy = 'a'\nreset = 'seed.sh'", "line 6: plugins.notes.sandbox.reset", "must be a list"),
        ("copy = 'a'\nreset = [['x', 1]]", "line 6: plugins.notes.sandbox.reset", "must be a text in quotes"),
        ("copy = 3", "line 5: plugins.notes.sandbox.copy", "must be a text in quotes"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_is_allowed(
    tmp_path: Path, lines: str, where: str, said: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        loaded(tmp_path, f"{HEAD}[plugins.notes.sandbox]\n{lines}\n")
    assert where in str(caught.value.field)
    assert said in str(caught.value)


def test_the_placeholder_without_a_sandbox_names_the_line_and_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        loaded(tmp_path, HEAD)
    assert "line 3: plugins.notes.args" in str(caught.value.field)
    assert "[plugins.notes.sandbox]" in str(caught.value.next_step)
