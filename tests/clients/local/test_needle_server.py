"""The server of Needle over an engine that a test scripts: what it takes, what it refuses, and how answers look."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httpx2
import pytest

from plugineval.clients.local.completions import Asked
from plugineval.clients.local.needle import EngineError
from plugineval.clients.local.needle_app import needle_app
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

TOOL: Json = {
    "type": "function",
    "function": {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {"a": {}}}},
}
QUESTION: dict[str, Json] = {"messages": [{"role": "user", "content": "Add 1."}], "tools": [TOOL]}


@dataclass
class ScriptedEngine:
    says: Mapping[str, Json] = field(default_factory=dict[str, Json])
    fails: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])
    version: str = "engine 1"

    async def answer(self, asked: Asked) -> Mapping[str, Json]:
        self.asked.append(asked)
        if self.fails:
            raise EngineError(self.fails)
        return self.says


@asynccontextmanager
async def client_of(engine: ScriptedEngine) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=needle_app(engine))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def completed(engine: ScriptedEngine, **fields: Json) -> httpx2.Response:
    async with client_of(engine) as client:
        return await client.post("/v1/chat/completions", json=QUESTION | fields)


async def test_calls_come_back_as_tool_calls_with_what_the_engine_says_of_them() -> None:
    calls: Json = [{"name": "add", "arguments": {"a": "ü"}}, {"name": "add", "arguments": {}}]
    engine = ScriptedEngine({"success": True, "function_calls": calls, "confidence": 0.4, "prefill_tps": 9})
    answer = (await completed(engine)).json()
    choice = answer["choices"][0]
    functions = [call["function"] for call in choice["message"]["tool_calls"]]
    assert functions == [{"name": "add", "arguments": '{"a": "ü"}'}, {"name": "add", "arguments": "{}"}]
    assert choice["finish_reason"] == "tool_calls"
    assert answer["needle"] == {"confidence": 0.4}
    assert "usage" not in answer, "the engine counts no tokens, and none are made up"


async def test_what_the_engine_withholds_is_no_call() -> None:
    withheld: Json = [{"name": "add", "arguments": {"a": 1}}]
    engine = ScriptedEngine({"function_calls": [], "suppressed_calls": withheld, "reasoning": "Not sure."})
    answer = (await completed(engine)).json()
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "Not sure."}
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["needle"]["suppressed_calls"] == withheld


async def test_tools_go_in_flat_and_of_a_system_message_the_date_alone() -> None:
    engine = ScriptedEngine()
    system = "You are helpful.\nThe current date and time is Monday, 2026-11-30T11:05:00+00:00."
    messages: Json = [{"role": "system", "content": system}, {"role": "user", "content": "Add 1."}]
    await completed(engine, messages=messages, max_tokens=64)
    (asked,) = engine.asked
    assert (asked.text, asked.facts, asked.max_tokens) == ("Add 1.", "date: 2026-11-30 Mon 11:05", 64)
    (tool,) = asked.tools
    assert tool == {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {"a": {}}}}
    await completed(engine)
    assert engine.asked[1].facts == ""


TURNS: Json = [
    {"role": "user", "content": "a"},
    {"role": "assistant", "content": "b"},
    {"role": "user", "content": "c"},
]


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"tools": []}, "tools"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "add"}}}, "tool_choice"),
        ({"stream": True}, "stream"),
        ({"n": 2}, "n"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"messages": TURNS}, "messages"),
        ({"messages": []}, "messages"),
        ({"tools": [{"type": "custom"}]}, "tools.0.type"),
    ],
)
async def test_what_it_cannot_do_is_refused_by_the_name_of_the_field(fields: dict[str, Json], param: str) -> None:
    engine = ScriptedEngine()
    refused = await completed(engine, **fields)
    assert (refused.status_code, refused.json()["error"]["param"]) == (400, param)
    assert not engine.asked


async def test_a_failing_engine_is_an_error_of_the_server_and_no_answer() -> None:
    failed = await completed(ScriptedEngine(fails="out of memory"))
    assert (failed.status_code, failed.json()["error"]["message"]) == (500, "the engine failed: out of memory")


async def test_a_request_that_the_model_fails_at_is_not_worth_another_try() -> None:
    failed = await completed(ScriptedEngine({"success": False, "error": "too long", "error_code": "context"}))
    assert failed.status_code == 422
    assert "too long" in failed.json()["error"]["message"]


async def test_a_call_that_was_cut_off_is_no_call_but_an_answer_at_its_limit() -> None:
    said: dict[str, Json] = {"success": False, "error_code": "truncated", "function_calls": [], "reasoning": "I was"}
    answer = (await completed(ScriptedEngine(said))).json()["choices"][0]
    assert (answer["finish_reason"], answer["message"]["content"]) == ("length", "I was")


async def test_other_paths_bodies_and_host_names_are_refused() -> None:
    async with client_of(ScriptedEngine()) as client:
        assert (await client.get("/v1/embeddings")).json()["error"][
            "message"
        ] == "GET /v1/embeddings is not served here"
        assert (await client.post("/v1/chat/completions", content=b"{")).status_code == 400
        assert (await client.get("/v1/models", headers={"host": "pages.example"})).status_code == 400
        assert [model["id"] for model in (await client.get("/v1/models")).json()["data"]] == ["needle3"]


async def test_an_answer_under_way_does_not_hold_up_who_asks_whether_it_is_there() -> None:
    begun, go_on = anyio.Event(), anyio.Event()

    class SlowEngine(ScriptedEngine):
        async def answer(self, asked: Asked) -> Mapping[str, Json]:
            begun.set()
            await go_on.wait()
            return {}

    async with client_of(SlowEngine()) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: client.post("/v1/chat/completions", json=QUESTION))
        await begun.wait()
        assert (await client.get("/v1/models")).status_code == 200
        go_on.set()
