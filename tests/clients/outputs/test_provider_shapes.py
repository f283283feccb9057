"""One call in every shape in which providers deliver it ends as the same one call (M1, M2)."""

import json

import pytest

from plugineval.clients.outputs.reading import calls_of
from plugineval.clients.outputs.reply import Shape
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

ANY: dict[str, Json] = {"type": "object"}
TOOLS = Toolset(tools=(ToolSpec(name="math.solve", input_schema=ANY), ToolSpec(name="plain", input_schema=ANY)))
ARGS: dict[str, Json] = {"a": 1, "b": "x"}
TEXT = json.dumps(ARGS)
WIRE = "math_solve"

CHAT: dict[str, Json] = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": WIRE, "arguments": TEXT}}],
}
LEGACY: dict[str, Json] = {"role": "assistant", "content": None, "function_call": {"name": WIRE, "arguments": TEXT}}
ITEM: dict[str, Json] = {"type": "function_call", "call_id": "c", "name": WIRE, "arguments": TEXT}
SAID: dict[str, Json] = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hm"}]}
USE: dict[str, Json] = {"type": "tool_use", "id": "t", "name": WIRE, "input": dict(ARGS)}
PART: dict[str, Json] = {"functionCall": {"name": WIRE, "args": dict(ARGS)}}
BEDROCK: dict[str, Json] = {"toolUse": {"toolUseId": "t", "name": WIRE, "input": dict(ARGS)}}

SHAPES: list[tuple[str, Json]] = [
    ("chat message", CHAT),
    ("chat document", {"choices": [{"message": CHAT, "finish_reason": "tool_calls"}]}),
    ("chat entry", [{"id": "1", "type": "function", "function": {"name": WIRE, "arguments": TEXT}}]),
    ("legacy message", LEGACY),
    ("legacy document", {"choices": [{"message": LEGACY}]}),
    ("ollama", {"message": {"role": "assistant", "tool_calls": [{"function": {"name": WIRE, "arguments": ARGS}}]}}),
    ("responses item", ITEM),
    ("responses array", [{"type": "reasoning", "summary": []}, ITEM]),
    ("responses document", {"status": "completed", "output": [{"type": "reasoning"}, SAID, ITEM]}),
    ("responses item as text", json.dumps(ITEM)),
    ("responses lines", json.dumps(SAID) + "\n" + json.dumps(ITEM)),
    ("responses array as text", json.dumps([ITEM])),
    ("anthropic document", {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hm"}, USE]}),
    ("anthropic blocks", [{"type": "thinking", "thinking": "?"}, USE]),
    ("anthropic block as text", json.dumps(USE)),
    ("gemini document", {"candidates": [{"content": {"role": "model", "parts": [{"text": "hm"}, PART]}}]}),
    ("gemini content", {"role": "model", "parts": [PART]}),
    ("gemini part", PART),
    ("gemini part, snake case", {"function_call": {"name": WIRE, "args": dict(ARGS)}}),
    ("bedrock", {"output": {"message": {"role": "assistant", "content": [BEDROCK]}}, "stopReason": "tool_use"}),
    ("plain call", {"name": "math.solve", "arguments": dict(ARGS)}),
    ("plain calls", [{"name": "math.solve", "arguments": dict(ARGS)}]),
    ("plain calls, arguments as text", [{"name": "math.solve", "arguments": TEXT}]),
    ("parameters", [{"name": "math.solve", "parameters": dict(ARGS)}]),
    ("name as key", [{"math.solve": dict(ARGS)}]),
    ("name as key, arguments as text", [{"math.solve": TEXT}]),
    ("conversation", [{"role": "user", "content": "q"}, CHAT, {"role": "tool", "content": "{}"}]),
    ("block left in chat content", {"role": "assistant", "content": [USE], "tool_calls": None}),
]


@pytest.mark.requirement("X11", "E4")
@pytest.mark.parametrize("answer", [answer for _, answer in SHAPES], ids=[name for name, _ in SHAPES])
def test_one_call_in_any_shape_is_the_same_one_call(answer: Json) -> None:
    reply = calls_of(answer, TOOLS)
    assert [(call.name, call.arguments, call.problem) for call in reply.calls] == [("math.solve", ARGS, None)]
    assert reply.failure is None


def test_the_shape_is_told() -> None:
    told = {name: calls_of(answer, TOOLS).shape for name, answer in SHAPES}
    assert told["chat document"] is Shape.CHAT
    assert told["responses lines"] is Shape.RESPONSES
    assert told["anthropic document"] is Shape.BLOCKS
    assert told["gemini part"] is Shape.GEMINI
    assert told["plain calls"] is Shape.CALLS


@pytest.mark.parametrize("raw", ["", " ", None, "null", "{}", '{}"'])
@pytest.mark.parametrize("spelling", ["chat", "legacy", "responses", "plain"])
def test_every_spelling_of_no_arguments_is_a_call_without_arguments(raw: Json, spelling: str) -> None:
    body: dict[str, Json] = {"name": "plain", "arguments": raw}
    answers: dict[str, Json] = {
        "chat": {"role": "assistant", "tool_calls": [{"type": "function", "function": body}]},
        "legacy": {"role": "assistant", "function_call": body},
        "responses": {"type": "function_call", **body},
        "plain": [body],
    }
    (call,) = calls_of(answers[spelling], TOOLS).calls
    assert (call.name, call.arguments) == ("plain", {})
    assert (call.repair is None) == (raw == "{}")


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("raw", ['{"q":', '{"q": "a', '{"q": 1, "q": 2}', '{"q": NaN}', "[1]", "q"])
def test_unreadable_arguments_stay_a_call_with_its_problem(raw: str) -> None:
    answers: list[Json] = [
        {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "plain", "arguments": raw}}]},
        [{"name": "plain", "arguments": raw}],
        {"type": "function_call", "name": "plain", "arguments": raw},
    ]
    for answer in answers:
        reply = calls_of(answer, TOOLS)
        assert [(call.name, call.arguments, call.raw_arguments) for call in reply.calls] == [("plain", None, raw)]
        assert reply.calls[0].problem
        assert reply.failure is None


def test_a_call_that_stands_in_both_fields_is_one_call_and_another_one_is_two() -> None:
    both = calls_of({**CHAT, **LEGACY}, TOOLS)
    assert len(both.calls) == 1
    assert "function_call" in (both.calls[0].repair or "")
    assert len(calls_of({**CHAT, "function_call": {"name": "plain", "arguments": "{}"}}, TOOLS).calls) == 2


NO_ANSWERS: list[tuple[Json, FailureKind]] = [
        ({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}, FailureKind.TRUNCATED),
        ({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}, FailureKind.CONTENT_FILTER),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [SAID]},
         FailureKind.TRUNCATED),
        ({"content": [{"type": "text", "text": "so"}], "stop_reason": "max_tokens"}, FailureKind.TRUNCATED),
        ({"content": [{"type": "text", "text": ""}], "stop_reason": "refusal"}, FailureKind.CONTENT_FILTER),
        ({"candidates": [{"finishReason": "MAX_TOKENS"}]}, FailureKind.TRUNCATED),
        ({"candidates": [{"content": {"parts": []}, "finishReason": "SAFETY"}]}, FailureKind.CONTENT_FILTER),
        ({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}, FailureKind.PARSE_FAILURE),
        ({"candidates": [], "promptFeedback": {"blockReason": "OTHER"}}, FailureKind.CONTENT_FILTER),
        ({"error": {"message": "overloaded"}}, FailureKind.PROVIDER_ERROR),
        ({"choices": [{}]}, FailureKind.BAD_RESPONSE),
        (None, FailureKind.BAD_RESPONSE),
        (7, FailureKind.BAD_RESPONSE),
]  # fmt: skip


@pytest.mark.requirement("E3")
@pytest.mark.parametrize(("answer", "kind"), NO_ANSWERS)
def test_an_answer_that_is_none_is_a_failure_and_never_an_abstention(answer: Json, kind: FailureKind) -> None:
    reply = calls_of(answer, TOOLS)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.calls) == (kind, ())


@pytest.mark.parametrize(
    "answer",
    [
        [],
        "Nothing fits.",
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "Nothing fits.", "tool_calls": []},
        {"content": [{"type": "text", "text": "Nothing fits."}], "stop_reason": "end_turn"},
        {"candidates": [{"content": {"parts": [{"text": "Nothing fits."}]}, "finishReason": "STOP"}]},
        {"status": "completed", "output": [SAID]},
        '{"name": "Ann", "age": 3}',
    ],
)
def test_words_alone_are_no_call_and_no_failure(answer: Json) -> None:
    reply = calls_of(answer, TOOLS)
    assert (reply.calls, reply.failure) == ((), None)


@pytest.mark.requirement("E6", "X11")
@pytest.mark.parametrize(
    "item",
    [5, {"name": 5, "arguments": {}}, {"colour": "red"}, {"type": "web_search_call", "id": "w"}, {}, {"type": []}],
)
def test_what_nothing_explains_is_kept_as_a_call_of_nothing(item: Json) -> None:
    reply = calls_of([{"name": "plain", "arguments": {}}, item], TOOLS)
    assert [call.name for call in reply.calls] == ["plain", ""]
    assert reply.calls[1].problem
    assert reply.calls[1].raw_arguments


def test_a_name_that_was_never_sent_stays_as_it_came() -> None:
    assert calls_of([{"name": "mcp__srv__tool", "arguments": {}}], TOOLS).calls[0].name == "mcp__srv__tool"
