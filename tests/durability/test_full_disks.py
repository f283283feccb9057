"""The disk runs full in the middle of a run: it says so, and goes on without a loss when there is room again."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.cli import addition, asked_for, cases_file, endpoint, obedient
from doubles.doomed import IN_FLIGHT, Kept
from doubles.forks import Forks
from doubles.openai_server import Document, Reply

pytestmark = pytest.mark.requirement("X3")

CELLS = 120


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 900 kB."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=900k", "tmpfs", str(place)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("this machine mounts no small disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def wordy(request: Document) -> Reply:
    """Does what is asked and says much."""
    reply = obedient(request)
    said = json.loads(reply.body)
    said["choices"][0]["message"]["content"] = (asked_for(request) * 200)[:8_000]
    return Reply(body=json.dumps(said).encode(), headers=reply.headers)


@pytest.mark.parametrize("killed", [False, True])
def test_a_run_whose_disk_is_full_goes_on_when_there_is_room(
    killed: bool, forks: Forks, small_disk: Path, tmp_path: Path
) -> None:
    path = cases_file(tmp_path, [addition(f"c{number}", number) for number in range(CELLS)])
    home = small_disk / "home"
    asked = 0

    def count(request: Document) -> Reply:
        nonlocal asked
        asked += 1
        return wordy(request)

    with endpoint(count) as server:
        options = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 1, "--concurrency", IN_FLIGHT)
        full = forks.run("evaluate", path, *options, "--home", home, "--json")
        assert full.code != 0
        assert "disk" in full.out
        assert 0 < asked < CELLS
        if killed:
            again = forks.start("resume", "--last", "--home", home, "--json")
            again.kill()
            forks.wait(again)
        subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
        ended = forks.run("resume", "--last", "--home", home, "--json")
        assert ended.code == 0, ended
        kept = Kept.of(home, json.loads(ended.out)["run_id"])
    assert (kept.state, kept.rows, len(kept.cases), kept.attempts) == ("completed", CELLS, CELLS, CELLS)
    assert asked <= CELLS + 2 * IN_FLIGHT
