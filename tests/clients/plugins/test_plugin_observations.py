"""Every way in which a real process can answer a call gives an observation of its own kind."""

from pathlib import Path

import anyio
import pytest

from doubles.plugins.registering import bench, tidy, unruly
from plugineval.clients.plugins.output_schemas import output_violation
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.values import Arguments, Json

pytestmark = pytest.mark.anyio

SCHEMA: Json = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


async def test_a_result_is_returned_with_its_request(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_echo", {"city": "Åre", "n": 2})
    assert (seen.kind, seen.detail) == (ObservationKind.RETURNED, "")
    assert seen.text == '{"city": "\\u00c5re", "n": 2}'
    assert (seen.tool, seen.arguments) == ("get_echo", {"city": "Åre", "n": 2})
    assert seen.elapsed_ms > 0
    assert seen.output_bytes == len(seen.text)


@pytest.mark.requirement("P12", "P14")
@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "detail"),
    [
        ("get_failure", {}, ObservationKind.TOOL_ERROR, "reports an error"),
        ("get_rpc_error", {}, ObservationKind.RPC_ERROR, "JSON-RPC error -32000: Connection closed"),
        ("get_unknown", {}, ObservationKind.RPC_ERROR, "Method not found"),
        ("get_empty", {}, ObservationKind.EMPTY, "allow_empty"),
        ("get_blank", {}, ObservationKind.EMPTY, "allow_empty"),
        ("get_hollow", {}, ObservationKind.EMPTY, "allow_empty"),
        ("get_wrong_shape", {}, ObservationKind.GARBAGE, "no tool result"),
        ("get_half", {}, ObservationKind.GARBAGE, "no JSON-RPC"),
        ("get_no_object", {}, ObservationKind.GARBAGE, "no JSON-RPC"),
        ("get_dead", {}, ObservationKind.DIED, "exited with status 3"),
        ("get_disguised", {"text": "Error: paper not found"}, ObservationKind.SUSPECT, "'Error'"),
        ("get_disguised", {"text": '{"status": "error"}'}, ObservationKind.SUSPECT, "'status'"),
        ("delete_everything", {}, ObservationKind.REFUSED, "'delete'"),
    ],
)
async def test_no_failure_looks_like_a_success(
    tmp_path: Path, tool: str, arguments: Arguments, kind: ObservationKind, detail: str
) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call(tool, arguments)
    assert seen.kind is kind
    assert detail in seen.detail


async def test_an_error_of_the_tool_keeps_its_text(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_failure")
    assert seen.text == "no such city"
    assert not seen.evaluable


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "detail"),
    [
        ("get_structured", {"content": {"count": 7}}, ObservationKind.RETURNED, ""),
        ("get_structured", {"content": {"count": "7"}}, ObservationKind.OUTPUT_SCHEMA, "/count"),
        ("get_structured", {"content": {}}, ObservationKind.OUTPUT_SCHEMA, "count"),
        ("get_unstructured", {}, ObservationKind.OUTPUT_SCHEMA, "no structured content"),
    ],
)
async def test_structured_content_is_held_to_the_output_schema(
    tmp_path: Path, tool: str, arguments: Arguments, kind: ObservationKind, detail: str
) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call(tool, arguments, output_schema=SCHEMA)
    assert seen.kind is kind
    assert detail in seen.detail
    if "content" in arguments:
        assert seen.structured == arguments["content"]


@pytest.mark.parametrize("schema", [{"type": "strin"}, {"$ref": "https://example.com/other.json"}])
async def test_an_unusable_output_schema_is_no_success(tmp_path: Path, schema: Json) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_structured", {"content": {}}, output_schema=schema)
    assert seen.kind is ObservationKind.OUTPUT_SCHEMA
    assert "not valid JSON Schema" in seen.detail


@pytest.mark.parametrize("content", [{}, {"deep": [1]}])
async def test_an_output_schema_that_doubles_at_every_step_is_refused_at_once(tmp_path: Path, content: Json) -> None:
    twice: dict[str, Json] = {
        f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}, {"$ref": f"#/$defs/a{i + 1}"}]} for i in range(31)
    }
    schema: Json = {"$ref": "#/$defs/a0", "$defs": {**twice, "a31": {"type": "object"}}}
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_structured", {"content": content}, output_schema=schema)
    assert seen.kind is ObservationKind.OUTPUT_SCHEMA
    assert "unfold to more than" in seen.detail


@pytest.mark.parametrize(
    "draft", ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]
)
async def test_a_format_in_an_output_schema_is_an_annotation_in_every_draft(tmp_path: Path, draft: str) -> None:
    schema: Json = {"$schema": draft, "properties": {"on": {"type": "string", "format": "date"}}}
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_structured", {"content": {"on": "today"}}, output_schema=schema)
    assert (seen.kind, seen.detail) == (ObservationKind.RETURNED, "")


@pytest.mark.parametrize("content", [[1, "x"], "seven", 7, None])
def test_structured_content_need_not_be_an_object(content: Json) -> None:
    assert output_violation({"type": ["array", "string", "integer", "null"]}, content, present=True) is None
    assert "violates" in str(output_violation({"type": "object"}, content, present=True))


async def test_an_empty_result_is_valid_where_a_person_said_so(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_empty", allow_empty=True)
    assert seen.kind is ObservationKind.RETURNED


async def test_an_empty_list_of_the_sdk_is_an_empty_result(tmp_path: Path) -> None:
    async with bench(tidy(), tmp_path) as plugin:
        seen = await plugin.call("get_items")
    assert seen.kind is ObservationKind.EMPTY


async def test_what_is_no_text_is_described(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_image")
    assert (seen.kind, seen.text) == (ObservationKind.RETURNED, "[image image/png, 4 characters of base64]")


@pytest.mark.requirement("P14")
async def test_a_slow_tool_times_out_and_the_session_lives_on(tmp_path: Path) -> None:
    async with bench(tidy(call_timeout_s=0.3), tmp_path) as plugin:
        seen = await plugin.call("get_late_echo", {"word": "late", "seconds": 60})
        after = await plugin.call("get_late_echo", {"word": "soon", "seconds": 0})
    assert (seen.kind, seen.detail) == (ObservationKind.TIMEOUT, "no answer within 0.3 s")
    assert seen.elapsed_ms >= 300
    assert after.text == "soon"


async def test_a_session_that_stays_silent_is_replaced(tmp_path: Path) -> None:
    async with bench(unruly(call_timeout_s=0.3), tmp_path) as plugin:
        before = await plugin.call("get_pid")
        silent = [await plugin.call("get_slow") for _ in range(2)]
        after = await plugin.call("get_pid")
    assert [seen.kind for seen in silent] == [ObservationKind.TIMEOUT] * 2
    assert after.kind is ObservationKind.RETURNED
    assert after.text != before.text


async def test_a_log_line_on_stdout_spoils_no_answer(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_chatty")
    assert (seen.kind, seen.text) == (ObservationKind.RETURNED, "done")


async def test_garbage_instead_of_an_answer_is_shown(tmp_path: Path) -> None:
    async with bench(unruly(call_timeout_s=0.3), tmp_path) as plugin:
        seen = await plugin.call("get_garbage")
    assert seen.kind is ObservationKind.GARBAGE
    assert "Loading model" in seen.detail


async def test_a_large_result_is_cut_between_characters(tmp_path: Path) -> None:
    async with bench(unruly(output_cap_bytes=1001), tmp_path) as plugin:
        seen = await plugin.call("get_large", {"characters": 1000})
    assert (seen.kind, seen.output_bytes) == (ObservationKind.TOO_LARGE, 2000)
    assert seen.text == "é" * 500
    assert "1001" in seen.detail


async def test_an_endless_line_is_not_kept_and_ends_one_call_only(tmp_path: Path) -> None:
    async with bench(unruly(output_cap_bytes=1000), tmp_path) as plugin:
        seen = await plugin.call("get_endless", {"characters": 20_000_000})
        after = await plugin.call("get_echo", {"still": "here"})
    assert seen.kind is ObservationKind.TOO_LARGE
    assert len(seen.text) == 1000
    assert after.kind is ObservationKind.RETURNED


async def test_a_question_to_the_caller_is_not_answered(tmp_path: Path) -> None:
    async with bench(tidy(), tmp_path) as plugin:
        seen = await plugin.call("get_confirmed")
    assert seen.kind in {ObservationKind.RPC_ERROR, ObservationKind.REFUSED}
    assert "elicit" in seen.detail.lower()


async def test_a_cancelled_caller_is_not_held_back(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        await plugin.call("get_pid")
        with anyio.move_on_after(0.1) as scope:
            await plugin.call("get_slow")
    assert scope.cancelled_caught


async def test_an_unregistered_plugin_is_refused_with_the_ones_there_are(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_echo", plugin="unrully")
    assert seen.kind is ObservationKind.REFUSED
    assert "did you mean 'unruly'" in seen.detail
