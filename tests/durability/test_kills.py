"""Commands are killed at random moments: every case is graded once, next to nothing is paid twice, nothing is changed.

Twenty kills are in every run of the tests; `pytest -m durability` kills two hundred times, at other moments.
"""

import json
import os
import random
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from doubles.cli import endpoint
from doubles.doomed import CELLS, IN_FLIGHT, Doom, Evaluation, assert_whole
from doubles.forks import Ended, Fork, Forks
from doubles.old_database import ROWS, fill, old_database
from durability.conftest import BUILT, Reference, content_of

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX"),
    pytest.mark.requirement("X3"),
]

PLUGIN_CALLS_IN_FLIGHT = 8


def seeds(few: Iterable[int], many: Iterable[int]) -> pytest.MarkDecorator:
    """Moments: few that are tried always, and many outside of it."""
    more = [pytest.param(seed, marks=pytest.mark.durability) for seed in many]
    return pytest.mark.parametrize("seed", [*few, *more])


@seeds(range(8), range(100, 180))
def test_an_evaluation_that_is_killed_and_resumed_is_whole(
    seed: int, forks: Forks, asked: tuple[str, ...], tmp_path: Path
) -> None:
    chance = random.Random(seed)
    doom, kills = Doom(chance), 0
    with endpoint(doom) as server:
        work = Evaluation.of(forks, tmp_path, server.base_url)
        victim, ended = work.start(), Ended(0, "", "")
        for _ in range(chance.choice([1, 1, 2, 3])):
            doom.threaten(victim, CELLS)
            ended = forks.wait(victim)
            if ended.code >= 0:
                break
            kills, victim = kills + 1, work.resume()
        else:
            ended = forks.wait(victim)
        if ended.code:
            ended = work.finish()
        assert_whole(ended, work.home, asked)
    assert CELLS <= doom.asked <= CELLS + kills * IN_FLIGHT


@seeds(range(3), range(200, 230))
def test_of_two_evaluations_on_one_file_one_is_killed_and_both_are_whole(
    seed: int, forks: Forks, asked: tuple[str, ...], tmp_path: Path
) -> None:
    doom = Doom(random.Random(seed))
    with endpoint(doom) as server:
        work = Evaluation.of(forks, tmp_path, server.base_url)
        survivor, victim = work.start(), work.start()
        doom.threaten(victim, 2 * CELLS)
        killed = forks.wait(victim)
        assert_whole(forks.wait(survivor), work.home, asked)
        assert_whole(work.finish() if killed.code else killed, work.home, asked)
    assert doom.asked <= 2 * CELLS + IN_FLIGHT


def killed_within(forks: Forks, victim: Fork, seconds: float, chance: random.Random) -> Ended:
    """Its end, which comes within `seconds`."""
    timer = threading.Timer(chance.uniform(0, seconds), victim.kill)
    timer.start()
    ended = forks.wait(victim)
    timer.cancel()
    timer.join()
    return ended


@seeds(range(5), range(300, 350))
def test_a_build_that_is_killed_and_resumed_makes_the_same_benchmark(
    seed: int, forks: Forks, reference: Reference, counting_home: Callable[[Path], Path], tmp_path: Path
) -> None:
    chance, kills = random.Random(seed), 0
    home = counting_home(tmp_path / "home")
    build, resume = ("build", *BUILT, "--home", home), ("resume", "--last", "--home", home, "--json")
    words: tuple[object, ...] = build
    for _ in range(chance.choice([1, 1, 2])):
        ended = killed_within(forks, forks.start(*words), 1.1 * reference.seconds, chance)
        if ended.code >= 0:
            break
        kills, words = kills + 1, resume
    else:
        ended = forks.run(*words)
    if ended.code == 2:
        ended = forks.run(*build)
    assert ended.code == 0, ended
    assert content_of(home, json.loads(ended.out)["benchmark_id"]) == reference.content
    calls = len((home / "calls.txt").read_text().splitlines())
    assert reference.calls <= calls <= reference.calls + kills * PLUGIN_CALLS_IN_FLIGHT


@seeds(range(4), range(400, 440))
def test_a_migration_that_is_killed_has_happened_or_not(seed: int, forks: Forks, tmp_path: Path) -> None:
    home = tmp_path / "home"
    old_database(str(home / "plugineval.db"), "0001")
    fill(str(home / "plugineval.db"))
    chance = random.Random(seed)
    killed_within(forks, forks.start("runs", "--home", home, "--json"), 0.5, chance)
    ended = forks.run("runs", "--home", home, "--json")
    assert ended.code == 0, ended
    assert {run["id"]: run["rows"] for run in json.loads(ended.out)["runs"]} == {"run-a": ROWS, "run-b": 0}
