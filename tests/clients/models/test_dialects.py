"""What providers take differently: recognised by their host or by name, put into the request, refused where ignored."""

import pytest

from doubles.openai_server import Document, message, openai_server
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.clients.models.quirks import DIALECTS, PLAIN, dialect_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json


def _config(**values: object) -> ModelConfig:
    return ModelConfig.model_validate({"id": "m", "model": "x", "base_url": "http://h/v1", **values})


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://team.openai.azure.com/openai/v1", "openai"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"),
        ("https://europe-west1-aiplatform.googleapis.com/v1", "gemini"),
        ("https://api.anthropic.com/v1/", "anthropic"),
        ("https://API.Mistral.AI/v1", "mistral"),
        ("https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1", "bedrock"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://localhost:8000/v1", "plain"),
        ("https://api.openai.com.evil.example/v1", "plain"),
        ("https://notapi.openai.com/v1", "plain"),
    ],
)
def test_a_dialect_is_recognised_by_the_host(url: str, name: str) -> None:
    assert dialect_of(None, url).name == name


def test_a_named_dialect_wins_over_the_host() -> None:
    assert dialect_of("plain", "https://api.openai.com/v1") is PLAIN


def test_an_unknown_dialect_is_told_which_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"dialect.*Allowed: plain, openai, gemini"):
        _config(dialect="klingon")


def test_every_dialect_says_in_words_what_is_special() -> None:
    assert PLAIN.ways == "nothing special"
    assert DIALECTS["mistral"].ways == "seed as random_seed"
    assert DIALECTS["openai"].ways == "max_tokens as max_completion_tokens; schemas rewritten where they must be"
    assert "no seed" in DIALECTS["gemini"].ways
    assert "no parallel_tool_calls" in DIALECTS["ollama"].ways


async def _sent(**values: object) -> Document:
    async with openai_server(message("no")) as server:
        async with OpenAIModel(_config(base_url=server.base_url, max_tokens=9, **values), {}) as model:
            await model.route(Query.of_text("q"), Toolset(), seed=3)
        return server.requests[0]


@pytest.mark.anyio
async def test_a_request_uses_the_provider_s_own_fields() -> None:
    plain, openai, gemini, mistral = [await _sent(dialect=name) for name in ("plain", "openai", "gemini", "mistral")]
    assert (plain["max_tokens"], plain["seed"]) == (9, 3)
    assert (openai["max_completion_tokens"], "max_tokens" in openai) == (9, False)
    assert "seed" not in gemini
    assert (mistral["random_seed"], "seed" in mistral) == (3, False)


@pytest.mark.anyio
async def test_a_stream_is_asked_for_its_usage_where_that_is_taken() -> None:
    assert "stream_options" in await _sent(stream=True)
    assert "stream_options" not in await _sent(stream=True, dialect="mistral")


@pytest.mark.anyio
async def test_the_seed_is_counted_from_the_configured_one() -> None:
    assert (await _sent(seed=40))["seed"] == 43


@pytest.mark.parametrize(
    ("dialect", "values", "field"),
    [
        ("ollama", {"parallel_tool_calls": False}, "parallel_tool_calls"),
        ("anthropic", {"strict_tools": True}, "strict_tools"),
        ("anthropic", {"call_mode": "json_schema"}, "call_mode"),
        ("llamacpp", {"call_mode": "json_schema", "api": "responses"}, "call_mode"),
    ],
)
def test_a_setting_that_the_provider_ignores_is_refused_before_any_call(
    dialect: str, values: dict[str, object], field: str
) -> None:
    with pytest.raises(ConfigurationError, match=rf"models\.m\.{field}.*{dialect}.*Next"):
        OpenAIModel(_config(dialect=dialect, **values), {})


@pytest.mark.requirement("B8")
def test_a_description_that_the_provider_finds_too_long_is_an_error_and_never_cut() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {}}
    toolset = Toolset(tools=(ToolSpec(name="f", description="x" * 1025, input_schema=schema),))
    with pytest.raises(ConfigurationError, match=r"tool f: its description has 1,025 characters.*never cut"):
        OpenAIModel(_config(dialect="openai"), {}).rewrites(toolset)
    for other in ({"dialect": "plain"}, {"dialect": "openai", "api": "responses"}):
        assert OpenAIModel(_config(**other), {}).rewrites(toolset) == ()
