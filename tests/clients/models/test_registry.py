"""Ids as people type them: what they resolve to, what they share, and what an unknown one is told."""

import subprocess
import sys

import pytest

from doubles.openai_server import Document, Reply, message, openai_server
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.clients.models.registry import ModelFactory
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset

FAST = ModelConfig(id="fast", model="qwen", base_url="http://127.0.0.1:1/v1")
URL = "http://127.0.0.1:1/v1"


def test_an_id_is_the_baseline_a_registered_name_or_a_model_of_an_endpoint() -> None:
    factory = ModelFactory({"fast": FAST}, base_url=URL, environ={})
    assert factory.router("baseline:lexical").id == "baseline:lexical"
    for model_id in ("fast", "openai:gpt", "anything/else"):
        assert isinstance(factory.router(model_id), OpenAIModel)
        assert factory.router(model_id).id == model_id
        assert factory.router(model_id) is factory.chat(model_id)


@pytest.mark.parametrize("model_id", ["fsat", "baseline:nope", "openai:", ""])
def test_an_unknown_id_is_told_what_exists_and_what_to_do(model_id: str) -> None:
    with pytest.raises(UnknownNameError, match=r"baseline:lexical.*fast.*--base-url"):
        ModelFactory({"fast": FAST}, environ={}).router(model_id)


def test_a_baseline_of_any_name_is_never_sent_to_an_endpoint() -> None:
    with pytest.raises(UnknownNameError):
        ModelFactory({}, base_url=URL, environ={}).router("baseline:nope")


def test_the_embedded_baseline_is_no_chat_model() -> None:
    with pytest.raises(ConfigurationError, match=r"not a chat model.*fast"):
        ModelFactory({"fast": FAST}, environ={}).chat("baseline:lexical")


def test_the_default_provider_without_its_key_is_refused_before_any_call() -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        ModelFactory({}, environ={}).router("openai:gpt")


@pytest.mark.anyio
async def test_a_typed_base_url_is_asked_for_the_model_by_its_own_name() -> None:
    def answer(request: Document) -> Reply:
        return message(str(request["model"]))

    async with openai_server(answer=answer) as server:
        ids = ["openai:a", "b", "fast", "b"]
        configured = FAST.model_copy(update={"base_url": None})
        factory = ModelFactory({"fast": configured}, base_url=server.base_url, environ={})
        said = {name: (await factory.router(name).route(Query.of_text("q"), Toolset())).text for name in ids}
        await factory.aclose()
    assert said == {"openai:a": "a", "b": "b", "fast": "qwen"}


def test_the_limit_of_a_run_is_that_of_endpoints_that_are_not_registered() -> None:
    factory = ModelFactory({"fast": FAST}, base_url=URL, environ={}, unregistered_concurrency=64)
    assert factory.config("other").concurrency == 64
    assert factory.config("fast").concurrency == FAST.concurrency != 64


@pytest.mark.anyio
@pytest.mark.parametrize(("url", "sent"), [("http://127.0.0.1", True), ("https://h", True), ("http://h", False)])
async def test_the_default_key_goes_to_no_other_machine_unencrypted(url: str, sent: bool) -> None:
    config = ModelFactory({}, base_url=url, environ={"OPENAI_API_KEY": "sk-123456"}).config("x")
    assert (config.api_key_env == "OPENAI_API_KEY") is sent


def test_the_sdk_is_not_imported_before_the_first_call() -> None:
    code = (
        "import sys; from plugineval.clients.models.config import ModelConfig;"
        "from plugineval.clients.models.registry import ModelFactory;"
        f"ModelFactory({{}}, base_url={URL!r}, environ={{}}).router('m');"
        "sys.exit(bool({'openai', 'httpx2', 'tenacity', 'jsonschema_rs'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
