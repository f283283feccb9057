"""One nasty text in every field that a plugin or a model controls: no text over MCP steers a terminal or a browser."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from mcp import Client
from mcp.types import Resource, TextResourceContents

from doubles.cli import endpoint
from doubles.mcp_client import MODES, Home, Mode, in_memory, plugin_table, text_of
from doubles.plugins import registering
from doubles.poison import NASTY, NASTY_NAME, markup, nasty_model, steering
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

SCRIPT = registering.HERE / "poisoned.py"


@asynccontextmanager
async def opened(path: Path, mode: Mode, base_url: str) -> AsyncGenerator[Client]:
    """A client of a home in which everything that can be nasty is."""
    path.mkdir(exist_ok=True)
    (path / "words.txt").write_text(NASTY, newline="")
    files = str(path / "calls.txt"), str(path / "words.txt")
    model = f'[models.rude]\nbase_url = "{base_url}"\nmodel = "rude"\n'
    async with in_memory(Home.at(path, plugin_table("counting", SCRIPT, *files) + model), mode) as client:
        yield client


async def said(client: Client, tool: str, **arguments: Json) -> dict[str, Json]:
    """The structured content of a call whose text is harmless."""
    result = await client.call_tool(tool, arguments)
    assert steering(text_of(result)) == [], tool
    assert_no_markup(text_of(result))
    return result.structured_content or {}


def assert_no_markup(text: str) -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert markup(html) == []
    assert "evil.example/p.png" not in "".join(part.split(">")[0] for part in html.split("<img")[1:])
    assert not [part for part in html.split('href="')[1:] if part.startswith("javascript")]


@pytest.mark.parametrize("mode", MODES)
async def test_no_text_of_a_tool_or_resource_lets_a_plugin_or_a_model_steer_its_reader(
    tmp_path: Path, mode: Mode
) -> None:
    with endpoint(nasty_model) as server:
        async with opened(tmp_path, mode, server.base_url) as client:
            await said(client, "plugin_list")
            await said(client, "plugin_inspect", plugin="counting")
            built = await said(
                client, "benchmark_build", plugins=["counting"], name=f"b{NASTY_NAME}", size=6, wait_s=45
            )
            result = built["result"]
            assert isinstance(result, dict), built
            benchmark = result["benchmark_id"]
            page = await said(client, "benchmark_get", benchmark_id=benchmark)
            items = page["items"]
            assert isinstance(items, list)
            for item in items:
                assert isinstance(item, dict)
                await said(client, "case_get", case_id=item["id"])
            models: list[Json] = ["rude", "baseline:lexical"]
            run = await said(client, "evaluation_run", benchmark_id=benchmark, models=models, repeats=1, wait_s=45)
            measured = run["result"]
            assert isinstance(measured, dict), run
            await said(client, "report_get", run_id=measured["run_id"])
            await said(client, "job_get")
            await said(client, "job_get", job_id=run["job_id"])
            for wrong in ("plugin_inspect", "benchmark_get", "case_get", "report_get", "job_get"):
                (name,) = [
                    each.input_schema["properties"] for each in (await client.list_tools()).tools if each.name == wrong
                ]
                await said(client, wrong, **{next(iter(name)): NASTY})
            await swept_resources(client)


async def swept_resources(client: Client) -> None:
    """Read everything that is listed, and look into it."""
    listed: list[Resource] = []
    cursor: str | None = None
    while cursor is not None or not listed:
        page = await client.list_resources(cursor=cursor)
        listed, cursor = listed + page.resources, page.next_cursor
        if cursor is None:
            break
    assert len(listed) > 3
    for resource in listed:
        assert steering(f"{resource.title}{resource.name}{resource.description}") == []
        for content in (await client.read_resource(resource.uri)).contents:
            assert isinstance(content, TextResourceContents)
            if content.mime_type != "application/json":
                assert steering(content.text) == [], resource.uri
                assert_no_markup(content.text)
