"""A server is killed while it runs a job for a client: the job goes on elsewhere, once, and nothing is paid twice."""

import json
import os
import random
import shutil
from pathlib import Path

import anyio
import pytest

from doubles.cli import endpoint
from doubles.doomed import CELLS, IN_FLIGHT, Doom, Kept
from doubles.forks import Fork, Forks
from doubles.mcp_client import Agent, over_http
from durability.conftest import Reference
from plugineval.pccf.values import Json

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX"),
    pytest.mark.requirement("X3"),
]

SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.durability) for seed in range(500, 520))]
SIZE = 6


def address(server: Fork) -> str:
    """Where it serves, as soon as it says so."""
    while " at http://" not in (said := server.err.read_text(encoding="utf-8")):
        os.sched_yield()
    return said.partition(" at ")[2].split()[0]


async def begin(url: str, benchmark_id: str, token: str) -> str:
    """Start a run and do not wait for it."""
    async with over_http(url, "auto", token=token) as client:
        wishes: dict[str, Json] = {"benchmark_id": benchmark_id, "models": ["m"], "repeats": CELLS // SIZE}
        return str((await Agent(client).call("evaluation_run", **wishes, wait_s=0))["job_id"])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_run_of_a_killed_server_is_whole(seed: int, forks: Forks, reference: Reference, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(reference.home, home)
    chance = random.Random(seed)
    doom = Doom(chance)
    with endpoint(doom) as model, (home / "plugineval.toml").open("a") as settings:
        settings.write(f'[models.m]\nmodel = "m"\nbase_url = "{model.base_url}"\n[run]\nconcurrency = {IN_FLIGHT}\n')
        settings.flush()
        server = forks.start("serve", "--http", "--port", 0, "--home", home)
        url = address(server)
        doom.may_answer.clear()
        job_id = anyio.run(begin, url, reference.benchmark_id, forks.token)
        doom.threaten(server, CELLS - IN_FLIGHT)
        doom.may_answer.set()
        assert forks.wait(server).code < 0
        ended = forks.run("resume", job_id, "--home", home, "--json")
    assert ended.code == 0, ended
    kept = Kept.of(home, json.loads(ended.out)["run_id"], "m")
    assert (kept.state, kept.rows, len(kept.cases), kept.attempts) == ("completed", CELLS, SIZE, CELLS)
    assert CELLS <= doom.asked <= CELLS + IN_FLIGHT
