"""fastmcp's client, with which many Python programs are written, builds, measures and reads, in either era."""

from collections.abc import Callable
from typing import cast

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp_types import TextResourceContents

from doubles.mcp_client import MODES, PROTOCOLS, Mode
from foreign.conftest import Transport
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.foreign, pytest.mark.anyio]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_fastmcp_builds_measures_and_reads(
    transport: Transport, mode: Mode, reach: Callable[[Transport], dict[str, Json]]
) -> None:
    steps: list[float] = []

    async def progressed(done: float, total: float | None, message: str | None) -> None:
        steps.append(done)

    async with Client(_transport(reach(transport)), mode=mode, progress_handler=progressed) as client:
        assert client.protocol_version == PROTOCOLS[mode]
        wish = {"plugins": ["counting"], "name": "fast", "size": 6, "wait_s": 45}
        built = (await client.call_tool("benchmark_build", wish)).structured_content
        assert built is not None
        assert built["state"] == "completed"
        assert len(steps) > 1
        models = ["baseline:lexical", "degenerate:never-call"]
        wish = {"benchmark_id": built["result"]["benchmark_id"], "models": models, "repeats": 1, "wait_s": 45}
        run = (await client.call_tool("evaluation_run", wish)).structured_content
        assert run is not None
        report = await client.call_tool("report_get", {"run_id": run["result"]["run_id"]})
        links = [str(block.uri) for block in report.content if block.type == "resource_link"]
        (told, *_) = await client.read_resource(links[0])
        assert isinstance(told, TextResourceContents)
        assert told.text.startswith("**Scope: fast")
        assert links[0] in {str(resource.uri) for resource in await client.list_resources()}
        with pytest.raises(ToolError, match="Next: call report_get"):
            await client.call_tool("report_get", {"run_id": "no-such-run"})


def _transport(way: dict[str, Json]) -> StdioTransport | StreamableHttpTransport:
    if "url" in way:
        return StreamableHttpTransport(str(way["url"]), headers=cast("dict[str, str]", way["headers"]))
    stdio = cast("dict[str, object]", way["stdio"])
    return StdioTransport(
        command=cast("str", stdio["command"]),
        args=cast("list[str]", stdio["args"]),
        env=cast("dict[str, str]", stdio["env"]),
        cwd=cast("str", stdio["cwd"]),
        keep_alive=False,
    )
