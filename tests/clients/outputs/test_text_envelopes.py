"""Calls written into the text: a parse failure by default, and calls with their envelope on record where asked for."""

import json
import time

import pytest

from plugineval.clients.outputs.reading import calls_of
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "zip": {"type": "string"}},
}
TOOLS = Toolset(tools=(ToolSpec(name="forecast", input_schema=SCHEMA), ToolSpec(name="geo.find", input_schema=SCHEMA)))
ARGS: dict[str, Json] = {"city": "Oslo", "days": 2}
CALL = json.dumps({"name": "forecast", "arguments": ARGS})
OBJECT = json.dumps(ARGS)

ENVELOPES = [
    f"<tool_call>\n{CALL}\n</tool_call>",
    f"Let me see. <tool_call>{CALL}</tool_call>",
    f"<tool_call>{CALL}",
    f"<tool_call>[{CALL}]</tool_call>",
    f"<tool_call>```json\n{CALL}\n```</tool_call>",
    f"<|tool_call|>[{CALL}]<|/tool_call|>",
    f"<function_call>{CALL}</function_call>",
    f"[TOOL_CALLS][{CALL}]",
    f"[TOOL_CALLS] [{CALL}]",
    f"[TOOL_CALLS]forecast[ARGS]{OBJECT}",
    f"[TOOL_CALLS]forecast[CALL_ID]x1[ARGS]{OBJECT}",
    f"[TOOL_CALLS]forecast{OBJECT}",
    f"```json\n{CALL}\n```",
    f"Calling:\n```\n[{CALL}]\n```\nDone.",
    f"```tool_call\n{CALL}\n```",
    "```tool_code\nprint(default_api.forecast(city='Oslo', days=2))\n```",
    CALL,
    f"[{CALL}]",
    json.dumps({"tool_calls": [{"name": "forecast", "arguments": ARGS}]}),
    json.dumps({"type": "function", "function": {"name": "forecast", "arguments": OBJECT}}),
    json.dumps({"name": "forecast", "parameters": ARGS}),
    "[forecast(city='Oslo', days=2)]",
    'forecast(city="Oslo", days=2)',
    f"<function=forecast>{OBJECT}</function>",
    "<tool_call>\n<function=forecast>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n"
    "</function>\n</tool_call>",
    "<tool_call>forecast\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n"
    "<arg_value>2</arg_value>\n</tool_call>",
    '<function_calls><invoke name="forecast"><parameter name="city">Oslo</parameter>'
    '<parameter name="days">2</parameter></invoke></function_calls>',
    f"<|python_tag|>{json.dumps({'name': 'forecast', 'parameters': ARGS})}<|eom_id|>",
    '<|python_tag|>forecast.call(city="Oslo", days=2)',
    f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>forecast\n```json\n{OBJECT}\n```"
    "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>forecast<｜tool▁sep｜>{OBJECT}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.forecast:0<|tool_call_argument_begin|>"
    f"{OBJECT}<|tool_call_end|><|tool_calls_section_end|>",
    f"<|channel|>commentary to=functions.forecast <|constrain|>json<|message|>{OBJECT}<|call|>",
    f"<|action_start|><|plugin|>{CALL}<|action_end|>",
    f"<think>maybe <tool_call></think><tool_call>{CALL}</tool_call>",
]


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("text", ENVELOPES)
def test_a_call_in_text_is_a_parse_failure_with_the_text_kept(text: str) -> None:
    answers: list[Json] = [text, {"role": "assistant", "content": text}]
    for answer in answers:
        reply = calls_of(answer, TOOLS)
        assert reply.failure is not None
        assert (reply.failure.kind, reply.text, reply.calls) == (FailureKind.PARSE_FAILURE, text, ())


@pytest.mark.requirement("X11")
@pytest.mark.parametrize("text", ENVELOPES)
def test_where_it_is_asked_for_the_call_is_read_and_says_where_it_stood(text: str) -> None:
    reply = calls_of(text, TOOLS, salvage=True)
    assert [(call.name, call.arguments) for call in reply.calls] == [("forecast", ARGS)]
    assert "read from the text" in (reply.calls[0].repair or "")
    assert reply.failure is None


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{CALL}</tool_call> and <tool_call>{CALL}</tool_call>",
        f"[TOOL_CALLS][{CALL}, {CALL}]",
        f"[TOOL_CALLS]forecast{OBJECT}[TOOL_CALLS]forecast{OBJECT}",
        f"{CALL}\n{CALL}",
        f"{CALL}; {CALL}",
        "[forecast(city='Oslo', days=2), forecast(city='Oslo', days=2)]",
        "forecast(city='Oslo', days=2)\nforecast(city='Oslo', days=2)",
        f"<function=forecast>{OBJECT}</function><function=forecast>{OBJECT}</function>",
    ],
)
def test_several_calls_are_all_read(text: str) -> None:
    assert [call.arguments for call in calls_of(text, TOOLS, salvage=True).calls] == [ARGS, ARGS]


@pytest.mark.parametrize("wire", ["geo_find", "geo.find"])
def test_a_safe_name_in_text_is_mapped_back(wire: str) -> None:
    text = f"<tool_call>{json.dumps({'name': wire, 'arguments': {}})}</tool_call>"
    assert [call.name for call in calls_of(text, TOOLS, salvage=True).calls] == ["geo.find"]


def test_a_tagged_value_is_a_text_where_the_schema_says_so() -> None:
    text = "<function=forecast><parameter=zip>12345</parameter><parameter=days>2</parameter></function>"
    (call,) = calls_of(text, TOOLS, salvage=True).calls
    assert call.arguments == {"zip": "12345", "days": 2}
    assert "read as JSON: days" in (call.repair or "")


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "forecast", "arguments": {"city": "Os',
        '[TOOL_CALLS][{"name": "forecast", "arguments": {"city": NaN}}]',
        '<function=forecast>{"city": </function>',
        "<function=forecast><parameter=city>Oslo",
        "<function=forecast><parameter=days>1</parameter><parameter=days>2</parameter></function>",
        "[forecast(city=__import__('os').getcwd())]",
        "forecast(**options)",
        "forecast('Oslo')",
        "forecast(city=f'{1}')",
        "forecast(days=1 + 1)",
        "forecast(days=1e999)",
        "forecast(days={'a': 1, 'a': 2})",
    ],
)
def test_a_named_call_whose_arguments_cannot_be_read_is_kept_as_one(text: str) -> None:
    (call,) = calls_of(text, TOOLS, salvage=True).calls
    assert (call.name, call.arguments) == ("forecast", None)
    assert call.problem
    assert call.raw_arguments


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call name="forecast" arguments={"a":1}/>',
        "<tool_call>",
        "<tool_call>so be it</tool_call>",
        "[TOOL_CALLS] !",
    ],
)
def test_an_envelope_that_names_nothing_stays_a_parse_failure(text: str) -> None:
    reply = calls_of(text, TOOLS, salvage=True)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.calls, reply.text) == (FailureKind.PARSE_FAILURE, (), text)


def test_an_unreadable_envelope_beside_a_readable_one_is_not_dropped() -> None:
    reply = calls_of(f"<tool_call>{CALL}</tool_call><tool_call>so be it</tool_call>", TOOLS, salvage=True)
    assert [call.name for call in reply.calls] == ["forecast", ""]
    assert "so be it" in reply.calls[1].raw_arguments


def test_the_words_around_an_envelope_stay_the_text() -> None:
    assert calls_of(f"First. <tool_call>{CALL}</tool_call> Then.", TOOLS, salvage=True).text == "First.  Then."


@pytest.mark.parametrize(
    "text", ["Use forecast(city) for that.", "f(x=1)", "print('forecast')", '{"city": "Oslo"}', "[1, 2]", "abc", ""]
)
@pytest.mark.parametrize("salvage", [True, False])
def test_prose_and_other_data_are_no_calls_either_way(text: str, *, salvage: bool) -> None:
    reply = calls_of(text, TOOLS, salvage=salvage)
    assert (reply.calls, reply.failure, reply.text) == ((), None, text)


def test_calls_that_a_provider_read_are_never_searched_for_more_in_the_text() -> None:
    message: Json = {
        "role": "assistant",
        "content": CALL,
        "tool_calls": [{"function": {"name": "geo_find", "arguments": "{}"}}],
    }
    assert [call.name for call in calls_of(message, TOOLS, salvage=True).calls] == ["geo.find"]


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" * 20_000,
        "[TOOL_CALLS]" * 20_000,
        "<function=f>" * 20_000,
        "<function=f><parameter=a>" * 10_000,
        "<arg_key>" * 20_000,
        "<tool_call>f" + "<arg_key>a</arg_key><arg_value>" * 5_000,
        "to=functions.a " * 20_000,
        "[TOOL_CALLS]f" + " " * 100_000,
        "[forecast(days=" + "-" * 40_000 + "1)]",
        "forecast(days=" + "(" * 40_000 + ")",
        "forecast(days=" + "[" * 150 + "]" * 150 + ")",
        "```json\n{" * 20_000,
        '{"name": "f", "arguments": {}} ' * 5_000,
        " " * 200_000 + "x",
        '<invoke name="f">' * 20_000,
        "<|tool_call_begin|>" * 20_000,
    ],
)
def test_a_hostile_text_is_read_in_bounded_time(text: str) -> None:
    started = time.process_time()
    calls_of(text, TOOLS, salvage=True)
    calls_of([{"name": "forecast", "arguments": text}], TOOLS)
    assert time.process_time() - started < 5
