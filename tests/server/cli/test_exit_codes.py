import io
import json

import pytest
import typer
from rich.console import Console

from plugineval.pccf.errors import (
    ConfigurationError,
    IncompleteError,
    InvalidRecordError,
    InvalidSchemaError,
    PluginEvalError,
    PluginUnavailableError,
    StoreError,
    UnknownNameError,
)
from plugineval.server.cli.exit_codes import ExitCode, exit_code_of, reported


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigurationError("x"), 2),
        (UnknownNameError("plugin", "a", ["b"]), 2),
        (InvalidSchemaError("x"), 2),
        (InvalidRecordError("x"), 2),
        (PluginUnavailableError("x"), 2),
        (StoreError("x"), 2),
        (IncompleteError("x"), 3),
    ],
)
def test_every_error_has_its_exit_code(error: PluginEvalError, code: int) -> None:
    assert exit_code_of(error) == code


def test_an_error_becomes_one_sentence_on_stderr_whatever_it_holds() -> None:
    console = Console(file=io.StringIO(), width=20)
    with pytest.raises(typer.Exit) as raised, reported(console):
        raise ConfigurationError("is [red]wrong[/red] \x1b[2J" + "and long " * 9, field="[plugins.math]")
    assert raised.value.exit_code == ExitCode.USAGE
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert text.count("\n") == 1
    assert "[plugins.math]: is [red]wrong[/red] ?[2J" in text


def test_scripts_read_the_error_from_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), reported(Console(stderr=True), as_json=True):
        raise IncompleteError("stopped", field="job", allowed=["a"], next_step="run it again")
    printed = json.loads(capsys.readouterr().out)["error"]
    assert printed == {
        "kind": "IncompleteError",
        "problem": "stopped",
        "field": "job",
        "allowed": ["a"],
        "next_step": "run it again",
        "exit_code": 3,
        "job_id": None,
    }


def test_an_error_inside_a_task_group_is_reported_like_any_other() -> None:
    with pytest.raises(typer.Exit) as raised, reported(Console(file=io.StringIO())):
        raise ExceptionGroup("tasks", [ExceptionGroup("more", [IncompleteError("stopped")])])
    assert raised.value.exit_code == 3


def test_a_bug_is_not_dressed_up_as_a_persons_mistake() -> None:
    with pytest.raises(KeyError), reported(Console(file=io.StringIO())):
        raise KeyError("x")
    with pytest.raises(ExceptionGroup), reported(Console(file=io.StringIO())):
        raise ExceptionGroup("tasks", [ConfigurationError("x"), KeyError("x")])


def test_no_error_is_no_exit() -> None:
    with reported(Console(file=io.StringIO())):
        done = True
    assert done
