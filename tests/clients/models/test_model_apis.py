"""The two APIs of an endpoint, whole and streamed, native and constrained: one answer gives the same calls."""

from collections.abc import Mapping
from itertools import product

import anyio
import pytest

from doubles.model_answers import CallMode, Clothes, answering, chunks, events, response, response_events
from doubles.openai_server import Document, Reply, document, openai_server
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.clients.models.paths import Api
from plugineval.clients.models.patience import Patience
from plugineval.clients.models.prices import Prices
from plugineval.pccf.chat import ChatRequest, ChatTurn
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import FailureKind, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
TOOLS = Toolset(tools=(ToolSpec(name="geo.forecast", description="the weather", input_schema=SCHEMA),))
QUERY = Query.of_text("weather in Oslo")
APIS: tuple[Api, ...] = ("chat", "responses")
MODES: tuple[CallMode, ...] = ("native", "json_schema")
CLOTHES = [Clothes(*found) for found in product(APIS, (False, True), MODES)]


async def _no_wait(seconds: float) -> None:
    await anyio.lowlevel.checkpoint()


def model(base_url: str, clothes: Clothes | None = None, **values: object) -> OpenAIModel:
    fields: Mapping[str, object] = {"id": "m", "model": "name", "base_url": base_url, "max_retries": 1}
    config = ModelConfig.model_validate({**fields, **(clothes._asdict() if clothes else {}), **values})
    return OpenAIModel(config, {}, patience=Patience(sleep=_no_wait, chance=lambda: 0.0))


async def route(clothes: Clothes, reply: Reply, **values: object) -> tuple[RouterReply, Document]:
    async with openai_server(answer=lambda _: reply) as server, model(server.base_url, clothes, **values) as found:
        return await found.route(QUERY, TOOLS, seed=3), server.requests[0]


def wire_name(clothes: Clothes) -> str:
    return "geo_forecast" if clothes.call_mode == "native" else "geo.forecast"


@pytest.mark.requirement("P37", "E8")
@pytest.mark.parametrize("clothes", CLOTHES, ids=str)
async def test_one_answer_gives_the_same_calls_whatever_it_is_dressed_in(clothes: Clothes) -> None:
    arguments: Json = {"city": "Oslo “north”\u2028x", "days": 3}
    reply, _ = await route(clothes, answering(clothes, (wire_name(clothes), arguments)))
    assert [(call.name, call.arguments, call.problem) for call in reply.calls] == [("geo.forecast", arguments, None)]
    assert reply.failure is None
    assert isinstance(reply.raw, dict)
    assert reply.raw["model"] == "m"


@pytest.mark.parametrize("clothes", CLOTHES, ids=str)
async def test_no_call_is_no_call_and_no_failure_whatever_it_is_dressed_in(clothes: Clothes) -> None:
    reply, _ = await route(clothes, answering(clothes, text="Nothing to do."))
    assert (reply.calls, reply.failure) == ((), None)
    assert reply.text


@pytest.mark.requirement("E8")
@pytest.mark.parametrize("clothes", CLOTHES, ids=str)
async def test_usage_is_kept_as_it_came_and_counted_in_tokens_and_money(clothes: Clothes) -> None:
    prices = Prices(input_per_million=1.0, output_per_million=2.0)
    reply, _ = await route(clothes, answering(clothes, text="no"), prices=prices)
    assert reply.usage
    assert reply.usage["total_tokens"] == 10
    assert reply.spent is not None
    assert reply.spent.model_copy(update={"cost": 0.0}) == Spent(calls=1, input_tokens=7, output_tokens=3)
    assert reply.spent.cost == pytest.approx(13e-6)


@pytest.mark.parametrize("stream", [False, True])
async def test_several_native_calls_come_in_their_order(stream: bool) -> None:
    for api in APIS:
        clothes = Clothes(api, stream)
        calls: list[tuple[str, Json]] = [("geo_forecast", {"city": name}) for name in ("Oslo", "Rome")]
        reply, _ = await route(clothes, answering(clothes, *calls))
        assert [call.arguments for call in reply.calls] == [{"city": "Oslo"}, {"city": "Rome"}]


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("clothes", CLOTHES[::2], ids=str)
async def test_arguments_that_are_no_json_stay_verbatim_in_every_api(clothes: Clothes) -> None:
    reply, _ = await route(clothes, answering(clothes, ("geo_forecast", '{"city": "Os')))
    assert [(call.arguments, call.raw_arguments) for call in reply.calls] == [(None, '{"city": "Os')]


async def test_a_response_is_asked_for_with_flat_tools_items_and_nothing_kept_by_the_provider() -> None:
    clothes = Clothes("responses")
    async with openai_server(answering(clothes, text="no")) as server:
        async with model(server.base_url, clothes, max_tokens=9, tool_choice="required") as found:
            await found.route(QUERY, TOOLS, seed=3)
        sent = server.requests[0]
    assert server.paths == ["/v1/responses"]
    assert sent["tools"] == [
        {
            "type": "function",
            "name": "geo_forecast",
            "description": "the weather",
            "parameters": SCHEMA,
            "strict": False,
        }
    ]
    assert {key: sent[key] for key in ("store", "max_output_tokens", "tool_choice", "temperature")} == {
        "store": False, "max_output_tokens": 9, "tool_choice": "required", "temperature": 0.0,
    }  # fmt: skip
    assert {"messages", "seed", "max_tokens", "stream"}.isdisjoint(sent)
    assert isinstance(sent["input"], list)
    assert sent["input"][-1] == {"role": "user", "content": "weather in Oslo"}


async def test_a_streamed_completion_asks_for_its_usage() -> None:
    clothes = Clothes(stream=True)
    _, sent = await route(clothes, answering(clothes, text="no"))
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})


async def test_tool_settings_are_sent_only_where_they_say_something_and_only_with_tools() -> None:
    reply = answering(Clothes(), text="no")
    async with (
        openai_server(answer=lambda _: reply) as server,
        model(server.base_url) as plain,
        model(server.base_url, parallel_tool_calls=False) as single,
    ):
        await plain.route(QUERY, TOOLS)
        await single.route(QUERY, TOOLS)
        await single.route(QUERY, Toolset())
    first, second, third = server.requests
    assert {"tool_choice", "parallel_tool_calls"}.isdisjoint(first)
    assert second["parallel_tool_calls"] is False
    assert "parallel_tool_calls" not in third


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (response(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), FailureKind.TRUNCATED),
        (response(status="incomplete"), FailureKind.TRUNCATED),
        (response(status="incomplete", incomplete_details={"reason": "content_filter"}), FailureKind.CONTENT_FILTER),
        (response(status="cancelled"), FailureKind.PROVIDER_ERROR),
    ],
)
async def test_a_response_that_is_not_whole_is_a_failure_of_its_kind(reply: dict[str, Json], kind: FailureKind) -> None:
    found, _ = await route(Clothes("responses"), document(reply))
    assert found.failure is not None
    assert (found.failure.kind, found.attempts) == (kind, 1)


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(
    "reply",
    [
        response(status="failed", error={"message": "overloaded", "code": "server_error"}),
        response(status="queued"),
        {**response(), "output": []},
        {**response(), "output": None},
        {"foo": 1},
    ],
)
async def test_a_response_without_an_answer_is_tried_again_and_then_a_failure(reply: dict[str, Json]) -> None:
    found, _ = await route(Clothes("responses"), document(reply))
    assert found.failure is not None
    assert (found.attempts, found.calls) == (2, ())


async def test_a_refusal_of_the_model_is_its_words_in_every_api() -> None:
    part: Json = {"type": "refusal", "refusal": "I will not."}
    whole = response() | {"output": [{"type": "message", "role": "assistant", "content": [part]}]}
    said: list[Json] = [
        {"choices": [{"index": 0, "delta": {"refusal": "I will not."}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    streamed = events(said, done=True)
    for clothes, reply in ((Clothes("responses"), document(whole)), (Clothes(stream=True), streamed)):
        found, _ = await route(clothes, reply)
        assert (found.text, found.calls, found.failure) == ("I will not.", (), None)


CALL: tuple[str, Json] = ("geo_forecast", {"city": "Oslo"})
CUT = {
    "chunks without an end": (Clothes(stream=True), events(chunks(CALL, finish_reason=None))),
    "an event that is cut": (Clothes(stream=True), events(chunks(CALL, finish_reason=None), cut='data: {"choi')),
    "a response without its last event": (
        Clothes("responses", stream=True),
        events(response_events(response(CALL))[:-1]),
    ),
}


@pytest.mark.requirement("E3", "E6")
@pytest.mark.parametrize("case", CUT)
async def test_a_stream_that_stops_before_its_end_is_cut_and_never_an_abstention(case: str) -> None:
    clothes, reply = CUT[case]
    found, _ = await route(clothes, reply)
    assert found.failure is not None
    assert (found.failure.kind, found.calls, found.attempts) == (FailureKind.CUT_SHORT, (), 2)


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(
    ("clothes", "reply"),
    [
        (Clothes(stream=True), events([*chunks(finish_reason=None), {"error": {"message": "overloaded"}}])),
        (Clothes("responses", stream=True), events([{"type": "error", "message": "overloaded"}])),
        (Clothes(stream=True), events([{"choices": []}], done=True)),
        (Clothes(stream=True), Reply(body=b"<html>busy</html>")),
        (Clothes(stream=True), Reply(body=b'data: {"choi\n\ndata: {"choices": []}\n\ndata: [DONE]')),
    ],
)
async def test_a_stream_that_holds_an_error_or_no_answer_is_a_failure(clothes: Clothes, reply: Reply) -> None:
    found, _ = await route(clothes, reply)
    assert found.failure is not None
    assert (found.calls, found.attempts) == ((), 2)
    assert found.failure.kind not in {FailureKind.CUT_SHORT, FailureKind.PARSE_FAILURE}


async def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    found, _ = await route(Clothes(stream=True), answering(Clothes(), CALL))
    assert [call.name for call in found.calls] == ["geo.forecast"]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_role_speaks_through_the_responses_api_with_its_answer_schema(stream: bool) -> None:
    clothes = Clothes("responses", stream)
    request = ChatRequest(turns=(ChatTurn(role="user", content="u"),), answer_schema=SCHEMA)
    reply = answering(clothes, text='{"city": "Oslo"}')
    async with openai_server(reply) as server, model(server.base_url, clothes) as found:
        said = await found.complete(request)
    assert (said.text, said.failure) == ('{"city": "Oslo"}', None)
    assert said.spent is not None
    assert said.spent.tokens == 10
    assert server.requests[0]["text"] == {
        "format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": False}
    }
