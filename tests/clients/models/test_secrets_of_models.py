"""Keys: read from the variable that was named, sent to the endpoint that was named, and shown to nobody."""

import pytest

from doubles.openai_server import calling, message, openai_server, refusal
from plugineval.clients.models.access import access_of
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.pccf.chat import ChatRequest, ChatTurn
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset

KEY = "sk-very-secret-0123456789"
HEADER = "Bearer other-secret-77"


def _config(base_url: str | None, **values: object) -> ModelConfig:
    return ModelConfig.model_validate({"id": "m", "model": "x", "base_url": base_url, "max_retries": 0, **values})


def test_a_missing_variable_is_named_before_any_call() -> None:
    with pytest.raises(ConfigurationError, match=r"models\.m\.api_key_env.*MY_KEY"):
        OpenAIModel(_config("http://h/v1", api_key_env="MY_KEY"), {})
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        OpenAIModel(_config(None), {})


def test_the_default_key_is_never_sent_to_another_host() -> None:
    assert access_of(_config("http://elsewhere/v1"), {"OPENAI_API_KEY": KEY}).key == "unused"
    assert access_of(_config(None), {"OPENAI_API_KEY": KEY + "\n"}).key == KEY


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://h/v1", "http://", "/v1", "http://h:99999/v1", "http://[h/v1"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        access_of(_config(url), {})


@pytest.mark.parametrize("key", ["schlüssel-0000", "two\nlines-0000"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        access_of(_config("http://h/v1", api_key_env="K"), {"K": key})
    assert "0000" not in str(caught.value)


@pytest.mark.anyio
async def test_no_secret_reaches_a_failure_a_text_or_a_trace() -> None:
    echo = f"you sent {KEY} and {HEADER} or other-secret-77"
    replies = (refusal(401, echo), message(echo), calling(("f", {})))
    async with openai_server(*replies, answer=lambda _: refusal(400, echo)) as server:
        config = _config(server.base_url, api_key_env="K", headers={"X-Auth": HEADER})
        async with OpenAIModel(config, {"K": KEY}) as model:
            found = [await model.route(Query.of_text("q"), Toolset()) for _ in replies]
            said = await model.complete(ChatRequest(turns=(ChatTurn(role="user", content="q"),)))
        assert server.heads[0]["authorization"] == f"Bearer {KEY}"
        assert server.heads[0]["x-auth"] == HEADER
    shown = " ".join([*(reply.model_dump_json() for reply in found), said.model_dump_json()])
    assert "secret" not in shown
    assert shown.count("[redacted]") >= 6
