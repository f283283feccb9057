"""Connected agents review gold through work items alone, in both eras: no second seat, no sight of other answers."""

import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import anyio
import pytest

from doubles.audited import an_audited_benchmark, stored
from doubles.cli import started
from doubles.mcp_client import MODES, Agent, Home, Mode, over_http, served
from plugineval.pccf.values import Json
from plugineval.server.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P60", "X2")]


@asynccontextmanager
async def audited(home: Home, *options: str) -> AsyncGenerator[list[str]]:
    """An audit that waits for agents beside this block; what it printed is there when the block has ended."""
    async with Store.open(home.path / "plugineval.db") as store:
        await stored(store, an_audited_benchmark(3, 1))
    running = started("audit", "reference", "weather", *options, "--home", str(home.path), "--json")
    overdue = threading.Timer(90, running.kill)
    overdue.start()
    printed: list[str] = []
    try:
        assert running.stderr is not None
        lines = iter(running.stderr.readline, "")
        assert any("waiting for work" in line for line in lines)
        yield printed
        out, _ = await anyio.to_thread.run_sync(running.communicate)
        printed.append(out)
    finally:
        running.kill()
        overdue.cancel()


async def review(agent: Agent, who: str, shown: list[str], **said: str) -> int:
    """Take and answer what one identity gets, until it gets nothing."""
    done = 0
    while True:
        batch = await agent.call("work_next", model=who, limit=8, kinds=["review"])
        groups = cast("list[dict[str, Json]]", batch["groups"])
        answers: list[dict[str, Json]] = []
        for group in groups:
            schema = cast("dict[str, list[str]]", group["answer_schema"])
            answer: Json = {name: said.get(name, "yes") for name in schema["required"]}
            items = cast("list[dict[str, str]]", group["items"])
            shown += [f"{group['instructions']}\n{item['evidence']}" for item in items]
            answers.extend({"item_id": item["item_id"], "answer": answer} for item in items)
        if not answers:
            return done
        receipt = await agent.call("work_submit", lease_id=batch["lease_id"], answers=answers)
        assert receipt["refused"] == 0, receipt
        done += len(answers)


@pytest.mark.parametrize("mode", MODES)
async def test_two_agents_review_every_case_once_each(mode: Mode, tmp_path: Path) -> None:
    home, shown = Home.at(tmp_path / "home"), list[str]()
    with served(home) as server:
        async with audited(home, "--reviewers", "2") as printed, over_http(server.url, mode) as client:
            agent = Agent(client)
            assert await review(agent, "one", shown, args="no", reason="a secret of one") == 4
            batch = await agent.call("work_next", model="one", kinds=["review"])
            assert "has reviewed them" in str(batch["next_step"])
            assert await review(agent, "two", shown, reason="fine") == 4
    found = json.loads(printed[0])
    assert [each["valid"]["numerator"] for each in found["reviewers"]] == [1, 4]
    assert found["reviewed"] == 8
    assert not any("a secret of one" in text for text in shown)
    assert not any("maker" in text or "checker" in text for text in shown)
