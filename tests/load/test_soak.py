"""A minute of what `python -m tests.benchmarks soak --minutes 30` does: builds, runs and twenty clients of one server.

A minute shows errors, processes that are left over and files that are not closed; whether memory is flat takes longer.
"""

import io
import json
from pathlib import Path

import pytest

from benchmarks.soak import Soak
from benchmarks.soak_model import soak_model
from doubles.mcp_client import PROTOCOLS

pytestmark = [pytest.mark.anyio, pytest.mark.load]

MINUTES = 1.0


async def test_a_soaked_server_meets_no_error_and_leaves_no_process(tmp_path: Path) -> None:
    out = io.StringIO()
    with soak_model() as url:
        soak = Soak(tmp_path / "home", url)
        clients = await soak.run(MINUTES, out)
    figures = {figure.name: figure for figure in soak.figures(clients)}
    assert clients.met.wrong == []
    assert soak.census == {"at rest": [], "ended by itself": [], "stopped": []}
    assert {"build completed", "evaluate completed", "evaluate cancelled"} <= clients.met.ended.keys()
    assert clients.met.tally.calls["work_submit"] > len(PROTOCOLS)
    assert figures["write-ahead log, most"].met
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert max(line["files"] for line in lines[len(lines) // 2 :]) < 150, lines
    assert lines[-1]["uss"] < 1.3 * lines[len(lines) // 2]["uss"], lines
