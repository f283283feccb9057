"""An answer over HTTP is on its way when it is there: nothing holds its end back."""

import time
from pathlib import Path

import httpx2

from doubles.mcp_client import Home, served

HELD_BACK_S = 0.03
"""The kernel would hold a second small packet back for 40 ms."""


def test_the_second_part_of_an_answer_does_not_wait_for_the_first_to_be_acknowledged(tmp_path: Path) -> None:
    with served(Home.at(tmp_path)) as server, httpx2.Client() as http:
        waited: list[float] = []
        for _ in range(40):
            started = time.perf_counter()
            http.get(server.url.replace("/mcp", "/health"), timeout=30).raise_for_status()
            waited.append(time.perf_counter() - started)
    assert min(waited) < HELD_BACK_S
