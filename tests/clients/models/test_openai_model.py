"""A model behind an endpoint: what it is sent, and how every kind of answer and fault becomes data."""

from collections.abc import Mapping
from datetime import UTC, datetime

import anyio
import pytest

from doubles.openai_server import Reply, calling, document, message, openai_server, refusal
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.clients.models.patience import Patience
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Message, Query
from plugineval.pccf.routing import FailureKind, RouterReply
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, content_hash

pytestmark = pytest.mark.anyio

TOOLS = Toolset(
    tools=(ToolSpec(name="math.solve", description="d", input_schema={"type": "object", "properties": {}}),)
)
QUERY = Query.of_text("solve it")
NO_ENV: Mapping[str, str] = {}


async def _no_wait(seconds: float) -> None:
    await anyio.lowlevel.checkpoint()


def model(base_url: str, environ: Mapping[str, str] = NO_ENV, **values: object) -> OpenAIModel:
    config = ModelConfig.model_validate({"id": "m", "model": "name", "base_url": base_url, **values})
    return OpenAIModel(config, environ, patience=Patience(sleep=_no_wait, chance=lambda: 0.0))


async def route(*replies: Reply, environ: Mapping[str, str] = NO_ENV, **values: object) -> RouterReply:
    async with openai_server(*replies) as server, model(server.base_url, environ, **values) as found:
        return await found.route(QUERY, TOOLS, seed=3)


async def test_the_request_holds_tools_under_safe_names_and_the_configured_values() -> None:
    async with openai_server(calling(("math_solve", {}))) as server:
        async with model(
            server.base_url, headers={"X-Team": "graders"}, max_tokens=9, extra_body={"top_k": 1}
        ) as found:
            reply = await found.route(QUERY, TOOLS, seed=3)
        request = server.requests[0]
    assert reply.calls[0].name == "math.solve"
    assert {key: request[key] for key in ("model", "temperature", "seed", "max_tokens", "top_k")} == {
        "model": "name", "temperature": 0.0, "seed": 3, "max_tokens": 9, "top_k": 1,
    }  # fmt: skip
    assert request["tools"] == [
        {
            "type": "function",
            "function": {"name": "math_solve", "description": "d", "parameters": TOOLS.tools[0].input_schema},
        }
    ]
    assert server.heads[0]["x-team"] == "graders"
    assert server.heads[0]["authorization"] == "Bearer unused"


async def test_the_clock_and_the_own_system_messages_stand_in_one_system_message() -> None:
    query = Query(
        messages=(Message(role="system", content="Answer in French."), Message(role="user", content="hi")),
        now=datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    async with openai_server() as server, model(server.base_url) as found:
        await found.route(query, Toolset())
        sent = server.requests[0]
    assert "tools" not in sent
    assert isinstance(sent["messages"], list)
    system, user = sent["messages"]
    assert isinstance(system, dict)
    assert "Monday, 2026-03-02T09:00:00+00:00" in str(system["content"])
    assert str(system["content"]).endswith("Answer in French.")
    assert user == {"role": "user", "content": "hi"}


@pytest.mark.requirement("E8")
async def test_arguments_stay_verbatim_and_the_trace_is_kept() -> None:
    reply = await route(calling(("math_solve", '{"a": 1.50 }'), ("math_solve", '{"a":')))
    first, second = reply.calls
    assert (first.arguments, first.raw_arguments) == ({"a": 1.5}, '{"a": 1.50 }')
    assert (second.arguments, second.raw_arguments) == (None, '{"a":')
    assert second.problem
    assert reply.failure is None
    assert reply.usage == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    assert reply.latency_ms > 0
    assert reply.finish_reason == "tool_calls"
    assert isinstance(reply.raw, dict)
    assert reply.raw["id"] == "c1"


async def test_a_legacy_function_call_is_a_call() -> None:
    reply = await route(message(function_call={"name": "math_solve", "arguments": "{}"}))
    assert [call.name for call in reply.calls] == ["math.solve"]


@pytest.mark.requirement("E6")
async def test_an_entry_that_is_no_function_call_is_not_dropped() -> None:
    odd: list[Json] = [{"type": "custom", "custom": {"name": "x", "input": "y"}}, "text", {"function": {"name": 5}}]
    reply = await route(message(tool_calls=odd))
    assert [call.arguments for call in reply.calls] == [None, None, None]
    assert all(call.problem and call.raw_arguments for call in reply.calls)


async def test_prose_is_no_call_and_no_failure() -> None:
    reply = await route(message([{"type": "text", "text": "Just "}, {"type": "text", "text": "prose."}]))
    assert (reply.calls, reply.text, reply.failure) == ((), "Just prose.", None)


@pytest.mark.requirement("E6")
async def test_a_call_in_text_is_a_parse_failure_with_the_text_kept() -> None:
    text = '<tool_call name="math.solve" arguments={"a":1}/>'
    reply = await route(message(text))
    assert reply.failure is not None
    assert (reply.failure.kind, reply.text, reply.calls) == (FailureKind.PARSE_FAILURE, text, ())


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(
    ("reply", "kind", "tries"),
    [
        (refusal(429), FailureKind.RATE_LIMITED, 3),
        (refusal(503), FailureKind.PROVIDER_ERROR, 3),
        (refusal(404), FailureKind.UNKNOWN_MODEL, 1),
        (refusal(400), FailureKind.REQUEST_REFUSED, 1),
        (refusal(401), FailureKind.ACCESS_DENIED, 1),
        (refusal(400, code="content_filter"), FailureKind.CONTENT_FILTER, 1),
        (Reply(manner="drop"), FailureKind.DROPPED, 3),
        (Reply(body=b'{"choices": [1, 2, 3]}', manner="cut"), FailureKind.CUT_SHORT, 3),
        (Reply(body=b'{"choices": ['), FailureKind.MALFORMED, 3),
        (Reply(body=b"<html>hello</html>", headers=(("content-type", "text/html"),)), FailureKind.MALFORMED, 3),
        (Reply(body=b"\xff\xfe"), FailureKind.MALFORMED, 3),
        (Reply(), FailureKind.MALFORMED, 3),
        (document({"foo": 1}), FailureKind.NO_CHOICES, 3),
        (document({"choices": None}), FailureKind.NO_CHOICES, 3),
        (document({"choices": []}), FailureKind.NO_CHOICES, 3),
        (document({"choices": [{"index": 0}]}), FailureKind.BAD_RESPONSE, 3),
        (document([1]), FailureKind.BAD_RESPONSE, 3),
        (document({"error": {"message": "overloaded", "code": 502}}), FailureKind.ERROR_IN_ANSWER, 3),
        (message("", finish_reason="error"), FailureKind.ERROR_IN_ANSWER, 3),
        (message("", finish_reason="length"), FailureKind.TRUNCATED, 1),
        (message("", finish_reason="content_filter"), FailureKind.CONTENT_FILTER, 1),
    ],
)
async def test_every_fault_is_a_failure_of_its_own_kind_and_no_verdict(
    reply: Reply, kind: FailureKind, tries: int
) -> None:
    async with openai_server(answer=lambda _: reply) as server, model(server.base_url, max_retries=2) as found:
        got = await found.route(QUERY, TOOLS)
    assert got.failure is not None
    assert (got.failure.kind, got.attempts, got.calls) == (kind, tries, ())
    assert len(server.requests) == tries


@pytest.mark.requirement("E3")
async def test_an_endpoint_where_nobody_is_is_not_waited_for_again_and_again() -> None:
    async with openai_server() as server, model(server.base_url, max_retries=2) as found:
        async with openai_server() as gone:
            nowhere = gone.base_url
        async with model(nowhere, max_retries=2) as dead:
            tries = [(await dead.route(QUERY, TOOLS)).attempts for _ in range(10)]
        dropping = [Reply(manner="drop")] * 3 * 9
        server.scripted.extend(dropping)
        dropped = [(await found.route(QUERY, TOOLS)).attempts for _ in range(9)]
    assert tries == [3] * 8 + [1] * 2
    assert dropped == [3] * 9


@pytest.mark.requirement("E3")
async def test_no_answer_in_time_is_a_timeout() -> None:
    reply = await route(Reply(manner="hang"), timeout_s=0.05, max_retries=0)
    assert reply.failure is not None
    assert reply.failure.kind is FailureKind.TIMEOUT


@pytest.mark.requirement("E3")
async def test_a_server_that_is_not_there_is_unreachable() -> None:
    async with openai_server() as server:
        gone = server.base_url
    async with model(gone, max_retries=1) as found:
        reply = await found.route(QUERY, TOOLS)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.attempts) == (FailureKind.UNREACHABLE, 2)


@pytest.mark.requirement("E3")
async def test_a_fault_that_passes_leaves_an_answer_and_its_number_of_tries() -> None:
    faults = (refusal(429), Reply(body=b'{"choi'), document({"error": {"message": "x"}}), calling(("math_solve", {})))
    reply = await route(*faults)
    assert (reply.failure, reply.attempts, len(reply.calls)) == (None, 4, 1)


async def test_calls_in_flight_stay_within_the_limit_of_the_endpoint() -> None:
    async with openai_server() as server, model(server.base_url, concurrency=3) as found:
        async with anyio.create_task_group() as tasks:
            for _ in range(12):
                tasks.start_soon(found.route, QUERY, TOOLS)
        assert len(server.requests) == 12
        assert server.most_in_flight <= 3


async def test_cancelling_a_call_ends_it_and_frees_its_place() -> None:
    async with openai_server(Reply(manner="hang")) as server, model(server.base_url, concurrency=1) as found:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(found.route, QUERY, TOOLS)
            await server.asked.wait()
            tasks.cancel_scope.cancel()
        assert (await found.route(QUERY, TOOLS)).text == "prose"


async def test_the_prompt_hash_does_not_depend_on_query_or_tools() -> None:
    one, other = model("http://h/v1"), model("http://h/v1", model="another")
    assert one.prompt_hash == other.prompt_hash
    assert len(one.prompt_hash) == 64


@pytest.mark.requirement("B8")
async def test_the_changes_made_for_the_provider_can_be_listed_without_a_call() -> None:
    assert [rewrite.tool for rewrite in model("http://h/v1").rewrites(TOOLS)] == ["math.solve"]


def test_a_field_that_every_request_needs_cannot_be_overridden() -> None:
    with pytest.raises(ConfigurationError, match=r"extra_body\.tools"):
        model("http://h/v1", extra_body={"tools": []})


async def test_a_reply_can_be_hashed_and_stored() -> None:
    reply = await route(message("half \ud83d a pair"))
    assert "?" in reply.text
    assert content_hash(reply)
    assert RouterReply.model_validate_json(reply.model_dump_json()) == reply


@pytest.mark.requirement("E6", "X11")
async def test_a_call_in_text_is_salvaged_only_where_the_model_is_set_up_so_and_the_prompt_hash_tells() -> None:
    text = '<tool_call>{"name": "math_solve", "arguments": {"a": 1}}</tool_call>'
    kept, salvaged = await route(message(text)), await route(message(text), salvage_text_calls=True)
    assert kept.failure is not None
    assert kept.failure.kind is FailureKind.PARSE_FAILURE
    assert [(call.name, call.arguments) for call in salvaged.calls] == [("math.solve", {"a": 1})]
    assert salvaged.calls[0].repair
    async with model("http://x/v1") as plain, model("http://x/v1", salvage_text_calls=True) as other:
        assert plain.prompt_hash != other.prompt_hash
