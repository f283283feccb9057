"""What a role is shown of a conversation and of a result: all of it, once, and as what it is."""

import json
from typing import Literal

import pytest

from plugineval.pccf.examples import Message, Query
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.values import Json
from plugineval.pccf.verification.evidence import shown_observation, shown_query


def observed(text: str, structured: Json) -> Json:
    made = Observation(kind=ObservationKind.RETURNED, tool="t", arguments={}, text=text, structured=structured)
    shown = shown_observation(made)
    assert isinstance(shown, dict)
    assert shown["structured"] == structured
    return shown["text"]


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        (json.dumps({"a": [1]}, indent=2), {"a": [1]}),
        (json.dumps([1], indent=2), {"result": [1]}),
        ("two\nlines", {"content": "two\nlines"}),
    ],
)
def test_a_text_that_says_the_structured_content_once_more_is_left_out(text: str, structured: Json) -> None:
    assert observed(text, structured) == ""


@pytest.mark.parametrize(
    ("text", "structured"),
    [("3 found", {"a": [1]}), ("[1, 2]", {"result": [1]}), ("plain", None), ("null", {}), ("1", {"a": 1, "b": 1})],
)
def test_a_text_that_says_anything_else_stays(text: str, structured: Json) -> None:
    assert observed(text, structured) == text


def test_what_tools_and_calls_said_as_json_is_shown_as_json_and_a_users_words_as_they_are() -> None:
    said: Json = {"result": {"kind": "returned"}}
    messages: list[tuple[Literal["system", "user", "assistant", "tool"], str]] = [
        ("user", '{"a": 1}'),
        ("tool", json.dumps(said)),
        ("assistant", "[1]"),
        ("system", "no {json"),
    ]
    shown = shown_query(Query(messages=tuple(Message(role=role, content=text) for role, text in messages)))
    contents: list[Json] = ['{"a": 1}', said, "[1]", "no {json"]
    expected = [{"role": role, "content": content} for (role, _), content in zip(messages, contents, strict=True)]
    assert shown == {"now": None, "messages": expected}
