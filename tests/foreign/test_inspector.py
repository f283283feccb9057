"""The Inspector's command line, which most people look at a server with first: what it lists, lints, calls and reads.

It declares the tasks extension in the modern era, and follows what is a task to its end.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Literal, TypeAlias, cast

import pytest

from doubles.mcp_client import Home
from foreign.conftest import Transport
from foreign.nodejs import INSPECTOR, Node
from plugineval.pccf.values import Json

pytestmark = pytest.mark.foreign

Era: TypeAlias = Literal["legacy", "modern"]
Inspecting: TypeAlias = Callable[..., CompletedProcess[str]]
TOOL_FAILED = 5


@pytest.fixture
def inspect(
    transport: Transport, era: Era, node: Node, slow: Home, reach: Callable[[Transport], dict[str, Json]]
) -> Inspecting:
    """Run the Inspector with these options on a server of the home."""
    way = reach(transport)
    if transport == "http":
        headers = cast("dict[str, str]", way["headers"])
        there = ["--server-url", str(way["url"]), "--transport", "http"]
        there += [part for name, value in headers.items() for part in ("--header", f"{name}: {value}")]
    else:
        settings = [part for each in slow.surroundings.items() for part in ("-e", "=".join(each))]
        there = [*settings, "--cwd", str(slow.path), str(Path(sys.executable).with_name("plugineval")), "serve"]

    def run(*options: str) -> CompletedProcess[str]:
        fixed = ("--cli", "--protocol-era", era, "--format", "json")
        return node.run(INSPECTOR, *fixed, *options, *there, home=slow.path)

    return run


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_lists_are_clean(inspect: Inspecting) -> None:
    linted = inspect("--method", "tools/list", "--strict")
    assert linted.returncode == 0, linted.stderr
    assert "Warning" not in linted.stderr, linted.stderr
    assert len(_list(_told(linted)["tools"])) >= 15
    for method, key in (("resources/templates/list", "resourceTemplates"), ("prompts/list", "prompts")):
        assert _list(_told(inspect("--method", method))[key])
    assert _told(inspect("--method", "resources/list"))["resources"] == []


@pytest.mark.parametrize(("transport", "era"), [("stdio", "legacy"), ("http", "modern")])
def test_every_main_journey_can_be_called(inspect: Inspecting) -> None:
    plugins = _called(inspect, "plugin_list")["plugins"]
    assert [_object(plugin)["name"] for plugin in _list(plugins)] == ["counting"]
    built = _called(inspect, "benchmark_build", plugins=["counting"], name="inspected", size=6, wait_s=45)
    built = _called(inspect, "job_get", job_id=built["job_id"], wait_s=45)
    assert (built["kind"], built["state"]) == ("build", "completed")
    benchmark = _object(built["result"])["benchmark_id"]
    models: Json = ["degenerate:never-call", "baseline:lexical"]
    run = _called(inspect, "evaluation_run", benchmark_id=benchmark, models=models, repeats=1, wait_s=45)
    assert run["state"] == "completed"
    run_id = str(_object(run["result"])["run_id"])
    assert _called(inspect, "report_get", run_id=run_id)["run_id"] == run_id

    listed = {str(_object(each)["uri"]) for each in _list(_told(inspect("--method", "resources/list"))["resources"])}
    assert {f"plugineval://reports/{run_id}", f"plugineval://benchmarks/{benchmark}"} <= listed
    read = _told(inspect("--method", "resources/read", "--uri", f"plugineval://reports/{run_id}"))
    assert str(_object(_list(read["contents"])[0])["text"]).startswith("**Scope: inspected")
    failed = _call(inspect, "report_get", run_id="no-such-run")
    assert failed.returncode == TOOL_FAILED
    assert "Next: call report_get" in failed.stdout


def _call(inspect: Inspecting, tool: str, **arguments: Json) -> CompletedProcess[str]:
    return inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))


def _called(inspect: Inspecting, tool: str, **arguments: Json) -> dict[str, Json]:
    return _object(_told(_call(inspect, tool, **arguments))["structuredContent"])


def _told(ended: CompletedProcess[str]) -> dict[str, Json]:
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return _object(_object(json.loads(ended.stdout))["result"])


def _object(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value
