"""Where output goes: a reader that leaves ends a command quietly, a full disk with one sentence; the next command is
spelled as this one was.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from doubles.cli import MAIN, addition, cases_file, plugineval
from plugineval.server.cli.program import command_line


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("output")
    path = cases_file(folder, [addition("c", 1)])
    options = ("--model", "degenerate:never-call", "--repeats", 1, "--home", folder / "home")
    assert plugineval("evaluate", path, *options).code == 0
    return folder / "home"


FORMS = [(), ("--markdown",), ("--json",)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_left_is_no_error(home: Path, form: tuple[str, ...], unbuffered: str) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    command = [sys.executable, "-c", MAIN, "report", *form, "--home", str(home)]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    try:
        done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False, env=environment)
    finally:
        os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_is_one_sentence(home: Path, form: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", MAIN, "report", *form, "--home", str(home)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("The output cannot be written: No space left on device. Next: ")
    assert done.stderr.count("\n") == 1


def test_the_next_command_is_spelled_as_this_one_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "a b" / "plugineval"
    script.parent.mkdir()
    script.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert command_line("report") == f"'{script}' report"
    monkeypatch.setenv("PATH", str(script.parent))
    assert command_line("report") == "plugineval report"
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert command_line("report") == "plugineval report"


def test_a_width_of_nothing_hides_no_result(home: Path) -> None:
    command = [sys.executable, "-c", MAIN, "runs", "--home", str(home)]
    environment = os.environ | {"COLUMNS": "0", "LINES": "0"}
    assert "run-" in subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout


@pytest.mark.skipif(os.name != "posix", reason="descriptors as they are on POSIX")
@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", ">&- 2>&- <&-"])
def test_streams_that_are_closed_are_no_error(home: Path, closed: str) -> None:
    command = shlex.join([sys.executable, "-c", MAIN, "report", "--home", str(home)])
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
