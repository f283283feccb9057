"""A model in a role: text for text, an answer schema asked for natively or, where that is refused, in words."""

import pytest

from doubles.openai_server import Document, Reply, message, openai_server, refusal
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.pccf.chat import ChatRequest, ChatTurn
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

SCHEMA: dict[str, Json] = {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]}
ASK = ChatRequest(turns=(ChatTurn(role="system", content="s"), ChatTurn(role="user", content="u")), seed=5)


def _model(base_url: str) -> OpenAIModel:
    return OpenAIModel(ModelConfig(id="judge", model="x", base_url=base_url, max_retries=0), {})


async def test_a_request_without_a_schema_is_sent_as_it_stands() -> None:
    async with openai_server(message('{"name": "f", "arguments": {}}')) as server, _model(server.base_url) as model:
        reply = await model.complete(ASK)
    assert server.requests[0]["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    assert {"tools", "response_format"}.isdisjoint(server.requests[0])
    assert (reply.text, reply.failure) == ('{"name": "f", "arguments": {}}', None)
    assert reply.usage


async def test_a_schema_is_sent_as_the_response_format_unchanged() -> None:
    async with openai_server(message('{"score": 1}')) as server, _model(server.base_url) as model:
        await model.complete(ASK.model_copy(update={"answer_schema": SCHEMA}))
    assert server.requests[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA},
    }


async def test_a_server_without_response_format_is_asked_in_words_and_remembered() -> None:
    def old_server(request: Document) -> Reply:
        return refusal(400, "unknown field") if "response_format" in request else message('{"score": 1}')

    asked = ASK.model_copy(update={"answer_schema": SCHEMA})
    async with openai_server(answer=old_server) as server, _model(server.base_url) as model:
        replies = [await model.complete(asked) for _ in range(2)]
    assert [reply.text for reply in replies] == ['{"score": 1}'] * 2
    assert len(server.requests) == 3
    assert '"score"' in str(server.requests[1]["messages"])


async def test_a_provider_that_ignores_answer_schemas_is_asked_in_words_at_once() -> None:
    async with openai_server(message('{"score": 1}')) as server:
        config = ModelConfig(id="judge", model="x", base_url=server.base_url, dialect="anthropic")
        async with OpenAIModel(config, {}) as model:
            await model.complete(ASK.model_copy(update={"answer_schema": SCHEMA}))
        assert "response_format" not in server.requests[0]
    assert '"score"' in str(server.requests[0]["messages"])


async def test_a_prompt_that_is_refused_either_way_says_nothing_about_schemas() -> None:
    asked = ASK.model_copy(update={"answer_schema": SCHEMA})
    twice = (refusal(400, "too long"), refusal(400, "too long"))
    async with openai_server(*twice) as server, _model(server.base_url) as model:
        failed = await model.complete(asked)
        await model.complete(asked)
    assert failed.failure is not None
    assert (failed.failure.kind, "too long" in failed.failure.detail) == (FailureKind.REQUEST_REFUSED, True)
    assert "response_format" in server.requests[2]


@pytest.mark.requirement("E3")
async def test_a_cut_answer_keeps_its_text_and_is_a_failure() -> None:
    async with (
        openai_server(message("half an ans", finish_reason="length")) as server,
        _model(server.base_url) as model,
    ):
        reply = await model.complete(ASK)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.text) == (FailureKind.TRUNCATED, "half an ans")
