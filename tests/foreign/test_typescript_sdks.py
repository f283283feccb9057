"""Both versions of the TypeScript SDK go the whole way, on both transports, in every era that they speak.

The SDK holds every answer to the tool's output schema itself: what does not fit makes the script fail.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import pytest

from doubles.mcp_client import Home
from foreign.conftest import Transport
from foreign.nodejs import Node
from plugineval.pccf.values import Json

pytestmark = pytest.mark.foreign


class Sdk(NamedTuple):
    """An SDK in one era."""

    script: str
    mode: str
    protocol: str


SDKS = (
    Sdk("sdk_v1.mjs", "legacy", "2025-11-25"),
    Sdk("sdk_v2.mjs", "legacy", "2025-11-25"),
    Sdk("sdk_v2.mjs", "auto", "2026-07-28"),
)


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("sdk", SDKS, ids=lambda sdk: f"{sdk.script}-{sdk.mode}")
def test_a_typescript_client_goes_the_whole_way(
    sdk: Sdk, transport: Transport, node: Node, slow: Home, reach: Callable[[Transport], dict[str, Json]]
) -> None:
    wanted: Json = {"name": "typescript", "mode": sdk.mode, **reach(transport)}
    seen = node.observed(sdk.script, wanted, home=slow.path)
    assert _connected(seen) == ("PluginEval", sdk.protocol, ["counting"])
    assert "benchmark_build" in _list(seen["tools"])
    assert _watched(seen)
    assert _measured(seen)
    assert _stored(seen)
    assert _helped(seen)


def _connected(seen: dict[str, Json]) -> tuple[Json, Json, Json]:
    return _object(seen["server"])["name"], seen["protocol"], seen["plugins"]


def _watched(seen: dict[str, Json]) -> bool:
    """The job was followed to its end by progress and by its resource, and survived a call that was cancelled."""
    assert seen["begun"] == "running"
    assert seen["cancelled"] == {"call": "rejected", "job": "running"}
    steps = [cast("int", _object(step)["progress"]) for step in _list(seen["progress"])]
    assert len(steps) > 1
    assert steps == sorted(set(steps))
    built = _object(seen["built"])
    assert (built["state"], built["error"]) == ("completed", None)
    assert seen["updates"] == [f"plugineval://jobs/{_object(built['result'])['job_id']}"]
    return True


def _measured(seen: dict[str, Json]) -> bool:
    """The run ended, and its report can be read where its answer says."""
    assert seen["run"] == "completed"
    assert f"plugineval://reports/{seen['runId']}" in _list(seen["links"])
    assert str(seen["report"]).startswith("**Scope: typescript")
    refused = _object(seen["refused"])
    assert refused["isError"] is True
    assert "Next: call report_get" in str(refused["text"])
    return True


def _stored(seen: dict[str, Json]) -> bool:
    """What was made is listed."""
    benchmark = _object(_object(seen["built"])["result"])["benchmark_id"]
    made = {f"plugineval://reports/{seen['runId']}", f"plugineval://benchmarks/{benchmark}"}
    assert made <= set(map(str, _list(seen["listed"])))
    assert "plugineval://jobs/{job_id}" in _list(seen["templates"])
    return True


def _helped(seen: dict[str, Json]) -> bool:
    """Ids are completed, and prompts can be had."""
    assert _list(seen["completed"]) == [_object(_object(seen["built"])["result"])["benchmark_id"]]
    assert all(map(str, _object(seen["prompts"]).values()))
    return bool(seen["prompts"])


def _object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value
