"""Logs of conversations as queries: many shapes, each text once, nothing that leans on an answer nobody has."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plugineval.clients.traffic.query_file import read_queries
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json

ASK = "Convert 3 miles to km."
USER: Json = {"role": "user", "content": ASK}
ANSWER: Json = {"role": "assistant", "content": "4.83", "tool_calls": [{"id": "1"}]}
WHOLE = json.dumps([{"role": "user", "parts": [{"type": "text", "content": ASK}]}])


def written(folder: Path, *lines: Json) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


@pytest.mark.requirement("B22", "P8")
@pytest.mark.parametrize(
    "line",
    [
        ASK,
        json.dumps(ASK),
        {"query": ASK},
        {"messages": [USER, ANSWER, {"role": "user", "content": "And 4?"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": ASK}]}]},
        {"request": {"messages": [USER]}, "response": {"choices": []}},
        {"custom_id": "1", "body": {"model": "x", "messages": [USER]}},
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": ASK}]}]},
        {"conversations": [{"from": "human", "value": ASK}, {"from": "gpt", "value": "4.83"}]},
        {"attributes": {"gen_ai.input.messages": WHOLE}},
        {"attributes": {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": ASK}},
        {"attributes": {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": ASK}},
        {"attributes": {"input.value": json.dumps({"messages": [USER]})}},
        {
            "resourceSpans": [
                {
                    "scopeSpans": [
                        {"spans": [{"attributes": [{"key": "gen_ai.input.messages", "value": {"stringValue": WHOLE}}]}]}
                    ]
                }
            ]
        },
    ],
)
def test_each_shape_of_log_gives_the_request_before_the_first_answer(tmp_path: Path, line: Json) -> None:
    found = read_queries(written(tmp_path, line))
    assert [query.text for query in found.queries] == [ASK]
    assert [query.origin for query in found.queries] == ["real"]
    assert found.refused == ()


def test_what_the_system_was_told_and_the_clock_go_along(tmp_path: Path) -> None:
    line: Json = {
        "messages": [{"role": "developer", "content": "Be brief."}, USER],
        "created_at": "2026-03-01T10:00:00Z",
    }
    [query] = read_queries(written(tmp_path, line)).queries
    assert [(said.role, said.content) for said in query.messages] == [("system", "Be brief."), ("user", ASK)]
    assert query.now == datetime(2026, 3, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("stamp", [1772359200, 1772359200000, "1772359200000000000"])
def test_seconds_milliseconds_and_nanoseconds_are_the_same_moment(tmp_path: Path, stamp: Json) -> None:
    [query] = read_queries(written(tmp_path, {"query": ASK, "timestamp": stamp})).queries
    assert query.now == datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_a_moment_without_an_offset_is_no_clock(tmp_path: Path) -> None:
    [query] = read_queries(written(tmp_path, {"query": ASK, "timestamp": "2026-03-01T10:00:00"})).queries
    assert query.now is None


@pytest.mark.requirement("X11")
def test_lines_without_a_query_are_counted_with_their_reason_and_repeats_are_counted(tmp_path: Path) -> None:
    lines: tuple[Json, ...] = (
        ASK,
        ASK.upper(),
        {"score": 1},
        "{broken",
        {"messages": [ANSWER]},
        {"messages": [{"role": "robot"}]},
    )
    found = read_queries(written(tmp_path, *lines))
    assert (len(found.queries), found.repeated) == (1, 1)
    assert [(each.line, each.field) for each in found.refused] == [
        (3, "line"),
        (4, "line"),
        (5, "messages"),
        (6, "messages[0].role"),
    ]


def test_a_picture_in_a_request_is_refused_and_not_dropped(tmp_path: Path) -> None:
    picture: Json = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}
    found = read_queries(written(tmp_path, ASK, picture))
    assert [each.field for each in found.refused] == ["messages[0].content"]


@pytest.mark.requirement("X11")
def test_everything_in_a_query_is_masked_and_the_numbers_are_told(tmp_path: Path) -> None:
    line: Json = {
        "messages": [
            {"role": "system", "content": "User is ann@corp.com"},
            {"role": "user", "content": "Mail ann@corp.com"},
        ]
    }
    found = read_queries(written(tmp_path, line))
    assert "corp.com" not in found.model_dump_json()
    assert found.masked == {"email": 2}


def test_a_file_without_any_query_says_how_one_is_written(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match="holds no queries: line 1") as caught:
        read_queries(written(tmp_path, {"score": 1}))
    assert '{"query"' in str(caught.value.next_step)
