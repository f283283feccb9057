"""A conversation from the first question to the decision, led by a host that has only what a host has: descriptions,
schemas, results, prompts. It builds on two real servers, closes a gap by its own work, measures two models, and reads.
"""

import json
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from doubles.cli import asked_for, endpoint
from doubles.conversant import Conversant
from doubles.conversation import Document, Host
from doubles.mcp_client import MODES, Home, Mode, over_stdio
from doubles.openai_server import Document as Asked
from doubles.openai_server import Reply, calling, message
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

MOST_CALLS = 40


def first_offered(request: Asked) -> Reply:
    """A model that calls the first tool it is offered, with the words of the user wherever text is wanted."""
    tools = cast("list[dict[str, Asked]]", request.get("tools", []))
    if not tools:
        return message("I cannot help.")
    schema = cast("Asked", tools[0]["function"]["parameters"])
    required = cast("list[str]", schema.get("required", []))
    return calling((str(tools[0]["function"]["name"]), dict.fromkeys(required, asked_for(request))))


def beside(command: str) -> str:
    """A server that is installed with the tests, as TOML."""
    return json.dumps(str(Path(sys.executable).with_name(command)))


@pytest.fixture
def home(tmp_path: Path) -> Generator[Home]:
    """Two real servers and a scripted model, as a person registers them."""
    with endpoint(first_offered) as server:
        tables = "\n".join(
            [
                f"[plugins.time]\ncommand = {beside('mcp-server-time')}",
                f'[plugins.math]\ncommand = {beside("mcp-mathematics")}\npolicy = "sandboxed"',
                f'[models.hasty]\nbase_url = "{server.base_url}"\nmodel = "hasty-1"\napi_key_env = "HASTY_KEY"',
            ]
        )
        yield Home.at(tmp_path / "home", tables + "\n", HASTY_KEY="none-needed")


def given_to_the_agent(home: Home) -> None:
    """The person lets the connected agent write and propose, and starts the server again."""
    settings = home.path / "plugineval.toml"
    roles = '[roles]\nwriter = "agent"\ngenerators = ["agent"]\n'
    settings.write_text(settings.read_text(encoding="utf-8") + roles, encoding="utf-8")


@asynccontextmanager
async def talking(home: Home, mode: Mode, mind: Conversant) -> AsyncGenerator[Host]:
    """A host on `plugineval serve`."""
    async with over_stdio(home, mode) as client:
        yield await Host.of(client, mind.answers)


@pytest.mark.parametrize("mode", MODES)
async def test_a_host_that_only_reads_builds_closes_a_gap_measures_and_decides(mode: Mode, home: Home) -> None:
    mind = Conversant()
    async with talking(home, mode, mind) as host:
        covered = await _built(host)
        missing = await _missing(host, covered)
    given_to_the_agent(home)
    first_calls = host.met
    async with talking(home, mode, mind) as host:
        await _closed(host, missing)
        await _measured(host)
    calls = [*first_calls, *host.met]
    print(f"{mode}: {len(calls)} tool calls: {', '.join(calls)}")  # noqa: T201 - the figure is what this is for
    assert len(calls) <= MOST_CALLS
    assert not host.refusals
    assert {"write_query", "propose_invocation"} <= set(mind.answered)


async def _built(host: Host) -> list[Document]:
    """Twelve cases on whatever is registered; what they cover."""
    registered = await host.wish("which plugins and models are registered")
    plugins = [each["name"] for each in cast("list[Document]", registered["plugins"])]
    planned = await host.finished(await host.wish("derive what a benchmark would cover, to look at", plugins=plugins))
    built = await host.finished(
        await host.wish(
            "construct a benchmark: write requests, prove each by executing its gold call",
            plugins=plugins,
            name="first",
            size=12,
            scenarios_job=planned["job_id"],
        )
    )
    assert cast("Document", built["result"])["examples"] == 12
    looked = await host.wish("look into a benchmark: what it covers and lacks", benchmark_id="first", view="coverage")
    host.known["scenarios_job"] = planned["job_id"]
    return cast("list[Document]", looked["items"])


async def _missing(host: Host, covered: list[Document]) -> Document:
    """What the user wants more of: all that is short, and every kind of request about clocks that is not there."""
    listed = await host.wish("derive what a benchmark would cover, to look at", job_id=host.known["scenarios_job"])
    short = [unit["scenario"] for unit in covered if unit["deficit"]]
    assert short
    scenarios = cast("list[Document]", cast("Document", listed["result"])["scenarios"])
    clocks = [each["id"] for each in scenarios if each["target"] == "convert_time"]
    assert len(clocks) > 3
    return {"scenarios_job": host.known["scenarios_job"], "keep": [*short, *clocks], "size": len(short) + len(clocks)}


async def _closed(host: Host, missing: Document) -> None:
    registered = await host.wish("which plugins and models are registered")
    plugins = [each["name"] for each in cast("list[Document]", registered["plugins"])]
    begun = await host.wish(
        "construct a benchmark: write requests, prove each by executing its gold call",
        plugins=plugins,
        name="clocks",
        **missing,
    )
    built = cast("Document", (await host.finished(begun))["result"])
    assert cast("int", built["positives"]) > 0
    looked = await host.wish("look into a benchmark: what it covers and lacks", benchmark_id="clocks", view="coverage")
    filled = [unit["scenario"] for unit in cast("list[Document]", looked["items"]) if unit["verified"]]
    assert set(filled) & set(cast("list[str]", missing["keep"]))
    host.known["benchmark_id"] = built["benchmark_id"]


async def _measured(host: Host) -> None:
    """Two models, the report as a resource, and the decision."""
    models: list[Json] = ["baseline:lexical", "hasty"]
    begun = await host.wish("measure registered models on a benchmark", models=models, repeats=2)
    result = cast("Document", (await host.finished(begun))["result"])
    report = await host.read(next(uri for uri in cast("list[str]", host.known["links"]) if "/reports/" in uri))
    assert "hasty" in report
    assert "baseline:lexical" in report
    decided = await host.wish("the decision: what to fix first", run_id=result["run_id"], view="decision")
    assert decided["decision"]
    assert decided["verdict"]
