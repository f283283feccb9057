"""What goes wrong is said in the answer: the field, what is allowed, the next call; and the server goes on serving."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from mcp import Client

from doubles.mcp_client import MODES, Agent, Home, Mode, in_memory, plugin_table, text_of
from doubles.plugins.registering import HERE
from doubles.store import as_ordinary_user
from journeys.conftest import Built

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", MODES)]

BROKEN = plugin_table("hanging", HERE / "unruly.py", "--hang", start_timeout_s=0.3) + plugin_table(
    "garbled", HERE / "unruly.py", "--bad-schema"
)


@pytest.fixture
async def client(mode: Mode, built: Built) -> AsyncIterator[Client]:
    home = built.home
    settings = (home.path / "plugineval.toml").read_text(encoding="utf-8")
    if "hanging" not in settings:
        (home.path / "plugineval.toml").write_text(settings + BROKEN, encoding="utf-8")
    async with in_memory(home, mode) as opened:
        yield opened


BUILD: dict[str, object] = {"plugins": ["counting"], "name": "n"}


REFUSALS: list[tuple[str, dict[str, object], list[str]]] = [
    ("plugin_inspect", {"plugin": "countin"}, ["plugin: ", "did you mean 'counting'?", "call plugin_list"]),
    ("benchmark_build", BUILD | {"plugins": ["none"]}, ["plugin: ", "Allowed: ", "counting", "call plugin_list"]),
    (
        "benchmark_build",
        BUILD | {"plugins": []},
        ["plugins: ", "Allowed: array of string", "benchmark_build again"],
    ),
    ("benchmark_build", BUILD | {"size": 0}, ["size: ", "not 0", "Allowed: integer from 1 to 10000"]),
    ("benchmark_build", BUILD | {"size": "many"}, ["size: ", 'not "many"', "Allowed: integer from 1"]),
    ("benchmark_build", BUILD | {"sice": 3}, ["'sice'", "did you mean 'size'?", "Allowed: add, drop, estimate_only"]),
    ("benchmark_build", {"plugins": ["counting"]}, ["name: is required", "Allowed: string of length from 1 to 80"]),
    ("benchmark_build", BUILD | {"wait_s": 3600}, ["wait_s: ", "Allowed: integer from 0 to 45"]),
    (
        "benchmark_get",
        {"benchmark_id": "bench-none"},
        ["benchmark: ", "Allowed: bench-", "call benchmark_get without benchmark_id"],
    ),
    ("benchmark_get", {"benchmark_id": "bench-none", "limit": 0}, ["limit: ", "Allowed: integer from 1 to 40"]),
    ("benchmark_get", {"cursor": "elsewhere"}, ["cursor: ", "leave it out"]),
    ("case_get", {"case_id": "none"}, ["there is no example 'none'", "call benchmark_get"]),
    ("evaluation_run", {"benchmark_id": "none", "models": ["baseline:lexical"]}, ["benchmark: ", "benchmark_get"]),
    ("report_get", {"run_id": "run-none"}, ["run: ", "Allowed: run-", "call report_get without run_id"]),
    (
        "report_get",
        {"run_id": "run-none", "detail": "all"},
        ["detail: ", 'not "all"', "Allowed: concise, detailed"],
    ),
    ("report_get", {"against": "run-none"}, ["against: ", "call report_get with run_id"]),
    (
        "judge_run",
        {"run_id": "run-none", "extra_calls": "all"},
        ["extra_calls: ", "Allowed: ignore, read_only, forbid."],
    ),
    (
        "work_submit",
        {"lease_id": "lease", "answers": ["yes"]},
        ["answers.0: input should be an object", 'not "yes"', "Allowed: object {item_id, answer}."],
    ),
    (
        "case_revise",
        {"benchmark_id": "b", "revisions": [{"case_id": "c", "reason": "r", "label": "none"}]},
        ["revisions.0.label: ", "Allowed: tool_unnecessary, target_irrelevant, underspecified."],
    ),
    ("job_get", {"job_id": "none"}, ["job: there is no job 'none'", "call job_get without job_id"]),
    ("job_cancel", {"job_id": "none"}, ["job: there is no job 'none'", "call job_get without job_id"]),
    ("job_resume", {"job_id": "none"}, ["job: there is no job 'none'", "call job_get without job_id"]),
    ("benchmark_make", {}, ["there is no tool 'benchmark_make'", "Allowed: ", "benchmark_build"]),
    (
        "plugin_inspect",
        {"plugin": "garbled"},
        ["'get_echo' cannot be used", '"strin" is not valid', "plugins.garbled.exclude"],
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "words"), REFUSALS)
async def test_a_refusal_says_what_is_allowed_and_what_comes_next(
    tool: str, arguments: dict[str, object], words: list[str], client: Client
) -> None:
    agent = Agent(client)
    text = await agent.refused(tool, **arguments)
    assert [word for word in words if word not in text] == [], text
    assert (await agent.call("plugin_list"))["plugins"]


async def test_a_plugin_that_hangs_on_start_is_given_up_and_said_so(mode: Mode, client: Client) -> None:
    agent = Agent(client)
    if mode == "auto":
        text = await agent.refused("plugin_inspect", plugin="hanging")
    else:
        text = await agent.refused("benchmark_build", plugins=["hanging"], name="n")
        assert "build failed" in text
        assert "call job_resume" in text
    assert "plugins.hanging: did not answer within 0.3 s" in text
    assert "start_timeout_s" in text
    assert (await agent.call("plugin_list"))["plugins"]


async def test_an_unknown_model_is_refused_before_any_run_is_stored(client: Client, built: Built) -> None:
    agent = Agent(client)
    before = await agent.call("report_get")
    arguments: dict[str, object] = {"benchmark_id": built.benchmark_id, "models": ["degenerate:never-cal"]}
    text = await agent.refused("evaluation_run", **arguments)
    assert "did you mean 'degenerate:never-call'?" in text
    assert "baseline:lexical" in text
    assert "call plugin_list" in text
    assert await agent.refused("evaluation_run", **(arguments | {"models": ["fast"]}))
    assert await agent.call("report_get") == before


async def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(
    mode: Mode, new_home: Callable[..., Home]
) -> None:
    home = new_home()
    async with in_memory(home, mode) as client:
        await Agent(client).call("benchmark_get")
    database = home.path / "plugineval.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
        connection.commit()
    kept = database.read_bytes()
    async with in_memory(home, mode) as client:
        agent = Agent(client)
        for tool in ("benchmark_get", "job_get"):
            text = await agent.refused(tool)
            assert "newer version" in text
            assert str(database) in text
        assert await client.list_tools()
    assert database.read_bytes() == kept


async def test_a_home_that_cannot_be_written_is_refused_with_its_place(mode: Mode) -> None:
    # Below pytest's own folder an ordinary user sees nothing.
    with TemporaryDirectory() as name:
        home = Home.at(Path(name))
        home.path.chmod(0o555)
        with as_ordinary_user(home.path):
            async with in_memory(home, mode) as client:
                text = await Agent(client).refused("benchmark_get")
                assert name in text
                assert "--home" in text
                assert await client.list_tools()


async def test_a_bug_is_named_by_its_kind_and_shows_nothing_else(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*arguments: object) -> None:
        raise ZeroDivisionError("/secret/path")

    monkeypatch.setattr("plugineval.server.app.benchmark_tools.store_of", broken)
    text = await Agent(client).refused("benchmark_get")
    assert "benchmark_get met an internal error (ZeroDivisionError)" in text
    assert "/secret" not in text
    assert "/secret/path" in caplog.text


async def test_lists_and_numbers_as_text_are_understood(client: Client) -> None:
    """Some hosts send them so."""
    result = await client.call_tool("benchmark_build", {"plugins": '["none"]', "name": "n", "size": "3"})
    assert "there is no plugin 'none'" in text_of(result)
