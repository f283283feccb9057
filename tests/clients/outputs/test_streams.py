"""Streams: fragments of interleaved calls come together again, whoever numbers them how."""

import json

import pytest

from plugineval.clients.outputs.reading import calls_of
from plugineval.clients.outputs.reply import NormalisedReply, Shape
from plugineval.clients.outputs.streams import assembled
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json


def _chunk(*fragments: Json, content: str | None = None, finish: str | None = None) -> Json:
    return {
        "choices": [{"index": 0, "delta": {"content": content, "tool_calls": [*fragments]}, "finish_reason": finish}]
    }


def _piece(index: int | None, arguments: str | None = None, **begin: str) -> Json:
    function: dict[str, Json] = {key: value for key, value in begin.items() if key == "name"}
    if arguments is not None:
        function["arguments"] = arguments
    found: dict[str, Json] = {"function": function, **({"id": begin["id"]} if "id" in begin else {})}
    return found if index is None else {"index": index, **found}


def _read(reply: NormalisedReply) -> list[tuple[str, dict[str, Json] | None]]:
    return [(call.name, call.arguments) for call in reply.calls]


TWO = [("f", {"a": 1}), ("g", {"b": "x"})]


@pytest.mark.requirement("E4")
def test_interleaved_fragments_belong_to_the_call_of_their_index() -> None:
    events = [
        _chunk(_piece(0, "", id="1", name="f")),
        _chunk(_piece(1, "", id="2", name="g"), _piece(0, '{"a"')),
        _chunk(_piece(1, '{"b": "')),
        _chunk(_piece(0, ": 1}"), _piece(1, 'x"}')),
        _chunk(finish="tool_calls"),
    ]
    reply = calls_of(events)
    assert _read(reply) == TWO
    assert (reply.shape, reply.finish_reason, reply.failure) == (Shape.STREAM, "tool_calls", None)
    assert reply.remarks


def test_whole_calls_that_are_all_numbered_zero_are_told_apart_by_their_ids() -> None:
    events = [_chunk(_piece(0, '{"a": 1}', id="1", name="f")), _chunk(_piece(0, '{"b": "x"}', id="2", name="g"))]
    assert _read(calls_of(events)) == TWO


def test_fragments_without_an_index_belong_to_the_last_call_that_began() -> None:
    events = [
        _chunk(_piece(None, '{"a"', id="1", name="f")),
        _chunk(_piece(None, ": 1}")),
        _chunk(_piece(None, '{"b": "x"}', id="2", name="g")),
    ]
    assert _read(calls_of(events)) == TWO


def test_bare_deltas_and_a_repeated_name_are_understood() -> None:
    events: list[Json] = [
        {"tool_calls": [_piece(0, '{"a"', id="1", name="f")]},
        {"tool_calls": [_piece(0, ": 1}", id="1", name="f")]},
        {"tool_calls": [_piece(1, '{"b": "x"}', id="2", name="g")]},
    ]
    assert _read(calls_of(events)) == TWO


def test_a_legacy_function_call_streams_too() -> None:
    events: list[Json] = [
        {"choices": [{"delta": {"function_call": {"name": "f", "arguments": '{"a"'}}}]},
        {"choices": [{"delta": {"function_call": {"arguments": ": 1}"}}}]},
    ]
    assert _read(calls_of(events)) == TWO[:1]


@pytest.mark.requirement("E6")
def test_a_stream_that_breaks_off_leaves_a_call_that_cannot_be_read() -> None:
    events = [_chunk(_piece(0, '{"a": ', id="1", name="f"))]
    assert _read(calls_of(events)) == [("f", None)]
    cut = calls_of([*events, _chunk(finish="length")])
    assert cut.failure is not None
    assert cut.failure.kind is FailureKind.TRUNCATED


def test_a_recorded_event_stream_is_read_from_its_text() -> None:
    chunks = [_chunk(_piece(0, '{"a": 1}', id="1", name="f")), _chunk(content="done", finish="stop")]
    text = ": hello\n\n" + "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    reply = calls_of(text)
    assert _read(reply) == TWO[:1]
    assert reply.text == "done"


def test_events_of_anthropic_come_together() -> None:
    events: list[Json] = [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "name": "f", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"a"'}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hm"}},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "name": "g", "input": {}}},
        {
            "type": "content_block_delta",
            "index": 2,
            "delta": {"type": "input_json_delta", "partial_json": '{"b": "x"}'},
        },
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ": 1}"}},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]
    reply = calls_of(events)
    assert _read(reply) == TWO
    assert (reply.text, reply.finish_reason) == ("hm", "tool_use")


@pytest.mark.parametrize("whole", [True, False])
def test_events_of_the_responses_api_come_together(whole: bool) -> None:
    first: dict[str, Json] = {"type": "function_call", "name": "f", "arguments": '{"a": 1}'}
    events: list[Json] = [
        {"type": "response.created", "response": {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 1, "item": {"type": "function_call", "name": "g"}},
        {"type": "response.output_item.done", "output_index": 0, "item": first},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"b"'},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": ': "x"}'},
    ]
    if whole:
        second: dict[str, Json] = {"type": "function_call", "name": "g", "arguments": '{"b": "x"}'}
        done: dict[str, Json] = {"status": "completed", "output": [first, second]}
        events.append({"type": "response.completed", "response": done})
    assert sorted(_read(calls_of(events)), key=str) == TWO


def test_what_stands_around_the_chunks_is_kept_with_the_usage_of_the_last() -> None:
    usage: Json = {"prompt_tokens": 1}
    first: Json = {"id": "c", "model": "m", "usage": None, "choices": [{"index": 0, "delta": {"content": "a"}}]}
    last: Json = {"id": "c", "model": "m", "usage": usage, "choices": []}
    whole = assembled([first, last])
    assert whole is not None
    assert (whole["id"], whole["model"], whole["usage"]) == ("c", "m", usage)


def test_content_in_parts_and_a_refusal_come_together_too() -> None:
    parts: Json = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Hel"}]
    deltas: list[Json] = [{"content": parts}, {"content": "lo"}]
    assert calls_of([{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]).text == "Hello"
    assert calls_of([{"choices": [{"index": 0, "delta": {"refusal": "No."}}]}]).text == "No."


def test_a_separator_inside_a_text_is_no_end_of_a_line() -> None:
    event = json.dumps({"choices": [{"index": 0, "delta": {"content": "a\u2028b\x85c"}}]}, ensure_ascii=False)
    assert calls_of(f"data: {event}\r\n\r\ndata: [DONE]\r\n").text == "a\u2028b\x85c"
