"""The stamp of a model: whatever can move its answers is in it, and nothing secret is."""

import pytest

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.pccf.tools import Toolset, ToolSpec

TOOLS = Toolset(tools=(ToolSpec(name="a.b", input_schema={"type": "object", "properties": {}}),))
OTHER = Toolset(tools=(*TOOLS.tools, ToolSpec(name="c", input_schema={"type": "object", "properties": {}})))


def model(**values: object) -> OpenAIModel:
    return OpenAIModel(
        ModelConfig.model_validate({"id": "m", "model": "x", "base_url": "http://u:pass-word@h:9/v1/k", **values}), {}
    )


CHANGES: list[dict[str, object]] = [
    {"api": "responses"},
    {"call_mode": "json_schema"},
    {"tool_choice": "required"},
    {"parallel_tool_calls": True},
    {"strict_tools": True},
    {"dialect": "openai"},
    {"temperature": 0.8},
    {"temperature": None},
    {"seed": 1},
    {"send_seed": False},
    {"max_tokens": 50},
    {"salvage_text_calls": True},
    {"extra_body": {"top_k": 1}},
]


@pytest.mark.requirement("B18")
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_setting_that_changes_what_is_asked_changes_hash_and_stamp(change: dict[str, object]) -> None:
    assert model(**change).prompt_hash != model().prompt_hash
    assert model(**change).stamp([]).settings != model().stamp([]).settings


@pytest.mark.parametrize(
    "change", [{"concurrency": 3}, {"timeout_s": 5.0}, {"max_retries": 9}, {"headers": {"A": "b"}}]
)
def test_settings_of_the_transport_change_neither(change: dict[str, object]) -> None:
    assert model(**change).prompt_hash == model().prompt_hash
    assert model(**change).stamp([]) == model().stamp([])


def test_the_stamp_says_which_model_and_where_without_secrets() -> None:
    body = {
        "user_token": "tok-12345678",
        "nested": {"api_key": "k-12345678", "n": 1},
        "list": [{"secret": "s-1234567"}],
    }
    settings = model(extra_body=body).stamp([]).settings
    assert (settings["model"], settings["endpoint"], settings["dialect"]) == ("x", "http://h:9", "plain")
    assert settings["extra_body"] == {
        "user_token": "[redacted]", "nested": {"api_key": "[redacted]", "n": 1}, "list": [{"secret": "[redacted]"}],
    }  # fmt: skip
    assert "pass-word" not in str(settings)


def test_the_stamp_says_where_no_seed_and_no_temperature_are_sent() -> None:
    unseeded: list[dict[str, object]] = [{"send_seed": False}, {"api": "responses"}, {"dialect": "gemini"}]
    assert [model(**values).stamp([]).settings["seed"] for values in unseeded] == ["not sent"] * 3
    assert model(temperature=None).stamp([]).settings["temperature"] == "not sent"


@pytest.mark.requirement("B8")
def test_a_rewrite_is_listed_once_however_many_cases_share_the_tool() -> None:
    assert [item.tool for item in model().stamp([TOOLS, OTHER, TOOLS]).rewrites] == ["a.b"]
