"""An endpoint that says back what it was sent, wherever an endpoint can say anything: none of it reaches a record."""

import base64
import json
from collections.abc import Callable
from typing import Literal

import pytest
from pydantic import SecretStr

from doubles.canaries import (
    BODY_TOKEN,
    MODEL_HEADER,
    MODEL_KEY,
    MODEL_PASSWORD,
    MODEL_QUERY_KEY,
    SHELL_SECRET,
    leaks_in,
    spellings,
)
from doubles.openai_server import OpenAIServer, Reply, calling, document, message, openai_server, refusal
from plugineval.clients.models.access import access_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.pccf.chat import ChatRequest, ChatTurn
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

SENT = (MODEL_KEY, MODEL_HEADER, MODEL_PASSWORD, MODEL_QUERY_KEY, BODY_TOKEN)
EVERYTHING = " ".join((*SENT, SHELL_SECRET))
TOOLS = Toolset(
    tools=(ToolSpec(plugin="p", name="say", description="Say.", input_schema={"type": "object", "properties": {}}),)
)


def _config(base_url: str, **values: object) -> ModelConfig:
    address = base_url.replace("http://", f"http://user:{MODEL_PASSWORD}@") + f"?api_key={MODEL_QUERY_KEY}"
    fields = {
        "headers": {"X-Gate": f"Bearer {MODEL_HEADER}"},
        "extra_body": {"gate": {"token": BODY_TOKEN}},
        "api_key_env": "FAST_API_KEY",
        "max_retries": 0,
    }
    return ModelConfig.model_validate({"id": "m", "model": "x", "base_url": address, **fields, **values})


def _model(base_url: str, **values: object) -> OpenAIModel:
    return OpenAIModel(_config(base_url, **values), {"FAST_API_KEY": MODEL_KEY}, secrets=[SecretStr(SHELL_SECRET)])


def _stream(*contents: str, end: str = "data: [DONE]\n\n", field: Literal["content", "arguments"] = "content") -> Reply:
    def delta(piece: str) -> Json:
        if field == "content":
            return {"content": piece}
        call: Json = {"index": 0, "id": "c", "type": "function", "function": {"name": "say", "arguments": piece}}
        return {"tool_calls": [call]}

    chunks: list[Json] = [
        {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta(piece)}]}
        for piece in contents
    ]
    stop: Json = {
        "id": "c",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    }
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in (*chunks, stop)) + end
    return Reply(body=body.encode(), headers=(("content-type", "text/event-stream"),))


async def _said(reply: Reply, **values: object) -> bytes:
    """All that comes out of one answer, as a model under test and in a role."""
    async with openai_server(answer=lambda _: reply) as server, _model(server.base_url, **values) as model:
        routed = await model.route(Query.of_text("q"), TOOLS)
        chatted = await model.complete(ChatRequest(turns=(ChatTurn(role="user", content="q"),)))
        stamp = model.stamp([TOOLS])
        _were_sent(server)
    return "\n".join(each.model_dump_json() for each in (routed, chatted, stamp)).encode() + repr(routed).encode()


def _were_sent(server: OpenAIServer) -> None:
    """That the endpoint knew the secrets which it was to say back."""
    head = server.heads[0]
    assert head["x-gate"] == f"Bearer {MODEL_HEADER}"
    assert MODEL_QUERY_KEY in server.paths[0]
    assert server.requests[0]["gate"] == {"token": BODY_TOKEN}
    assert MODEL_KEY in head["authorization"] or MODEL_PASSWORD in base64.b64decode(
        head["authorization"].removeprefix("Basic ")
    ).decode(errors="replace")


_CHANNELS: dict[str, Callable[[str], Reply]] = {
    "text": lambda said: message(f"your key is {said}!"),
    "arguments": lambda said: calling(("say", {"key": said, said: [{"deep": said}]})),
    "arguments that cannot be read": lambda said: calling(("say", "{" * 65 + said)),
    "stray arguments": lambda said: calling(("say", '{"a": 1}' + "}" * 57 + said)),
    "name of a tool": lambda said: calling((said[:60], {})),
    "usage and finish reason": lambda said: document(
        {
            "choices": [{"message": {"content": "x"}, "finish_reason": said}],
            "usage": {"prompt_tokens": 1, said: {"note": said}},
            "model": said,
            "system_fingerprint": said,
        }
    ),
    "refusal": lambda said: message(refusal=said, reasoning_content=said),
    "attempted call": lambda said: message(f'<tool_call>{{"name": "say", "arguments": {{"k": "{said}"}}}}</tool_call>'),
    "400": lambda said: refusal(400, "x" * 285 + said, code=said),
    "401": lambda said: refusal(401, f"Incorrect API key provided: {said}"),
    "429": lambda said: refusal(429, said, headers=[("retry-after", "0"), ("x-echo", said.encode().hex())]),
    "500": lambda said: Reply(status=500, body=f"<html>{said}</html>".encode()),
    "error in a 200": lambda said: document({"error": {"message": "x" * 285 + said}}),
    "no choice": lambda said: document({"choices": [], "note": said}),
    "not JSON": lambda said: Reply(body=b"x" * 285 + said.encode()),
    "no object": lambda said: document([said]),
    "nested deeply": lambda said: Reply(body=f'{{"k": "{said}", "deep": {"[" * 400}{"]" * 400}}}'.encode()),
    "cut short": lambda said: Reply(body=(f'{{"a": "{said}"' * 9).encode(), manner="cut"),
    "broken header": lambda said: Reply(headers=(("x y", said),)),
}


@pytest.mark.parametrize("channel", _CHANNELS)
async def test_what_is_said_back_reaches_no_record(channel: str) -> None:
    assert leaks_in(await _said(_CHANNELS[channel](EVERYTHING))) == []


@pytest.mark.parametrize("kind", spellings(MODEL_KEY).keys() - {"beginning", "end"})
async def test_however_it_is_spelled_it_reaches_no_record(kind: str) -> None:
    said = " ".join(spellings(secret)[kind].decode() for secret in (*SENT, SHELL_SECRET))
    plain = message(f"say {said}")
    escaped = calling(("say", json.dumps({"k": "KEY"}).replace("KEY", said)))
    written_out = Reply(body=calling(("say", {"k": "KEY"})).body.replace(b"KEY", said.encode()))
    for reply in (plain, escaped, written_out, refusal(401, said)):
        assert leaks_in(await _said(reply)) == []


@pytest.mark.parametrize("field", ["content", "arguments"])
@pytest.mark.parametrize("end", ["data: [DONE]\n\n", "data: {\n\n", 'data: {"error": {"message": "gone"}}\n\n'])
async def test_pieces_of_a_stream_put_together_hold_no_secret(field: Literal["content", "arguments"], end: str) -> None:
    whole = f'{{"k": "{EVERYTHING}"}}' if field == "arguments" else EVERYTHING
    pieces = [whole[start : start + 7] for start in range(0, len(whole), 7)]
    said = await _said(_stream(*pieces, end=end, field=field), stream=True)
    assert leaks_in(said) == []
    assert not [
        piece for piece in pieces if len(piece) == 7 and piece.startswith(("anary", "nary-")) and piece.encode() in said
    ]


async def test_a_redirect_to_another_server_gets_neither_key_nor_header_nor_question() -> None:
    async with openai_server() as stranger:
        elsewhere = f"{stranger.base_url}/chat/completions?{EVERYTHING.replace(' ', '+')}"
        moved = Reply(status=307, headers=(("location", elsewhere),))
        assert leaks_in(await _said(moved)) == []
        assert (stranger.heads, stranger.requests) == ([], [])


async def test_a_redirect_within_the_server_is_followed() -> None:
    moved = Reply(status=307, headers=(("location", "/v1/other?a=b"),))
    async with openai_server(moved, moved, message("there")) as server, _model(server.base_url) as model:
        assert (await model.route(Query.of_text("q"), TOOLS)).text == "there"
        asked = f"/v1/chat/completions?api_key={MODEL_QUERY_KEY}"
        # What redirects is asked once more in the way that follows redirects.
        assert server.paths == [asked, asked, "/v1/other?a=b"]


@pytest.mark.requirement("X11")
async def test_a_call_that_held_a_secret_says_so_and_every_other_one_is_verbatim() -> None:
    other = '{"b":   "\\u00e4 [redacted]"}'
    reply = calling(("say", {"k": f"it is {MODEL_KEY}"}), ("say", other))
    async with openai_server(reply) as server, _model(server.base_url) as model:
        first, _ = (await model.route(Query.of_text("q"), TOOLS)).calls
    assert first.arguments == {"k": "it is [redacted]"}
    assert "secret" in str(first.repair)
    async with openai_server(calling(("say", other))) as server, _model(server.base_url) as model:
        (second,) = (await model.route(Query.of_text("q"), TOOLS)).calls
    assert (second.raw_arguments, second.arguments, second.repair) == (other, {"b": "ä [redacted]"}, None)


async def test_short_and_common_words_are_left_alone() -> None:
    model = {"headers": {"X-Env": "eu"}, "extra_body": {"mode": "production", "user": "team"}}
    text = "the eu production team of the user"
    async with openai_server(message(text)) as server:
        config = ModelConfig.model_validate({"id": "m", "model": "x", "base_url": server.base_url, **model})
        async with OpenAIModel(config, {}) as asked:
            assert (await asked.route(Query.of_text("q"), TOOLS)).text == text


def test_nothing_that_holds_a_secret_shows_it_when_it_is_printed() -> None:
    config = _config("http://h/v1")
    model = _model("http://h/v1")
    access = access_of(config, {"FAST_API_KEY": MODEL_KEY})
    assert leaks_in(f"{config!r} {config} {model!r} {access!r} {access}".encode()) == []
