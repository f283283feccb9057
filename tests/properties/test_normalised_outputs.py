"""Whatever a provider sends is read without an error, and no call is lost on the way."""

import json
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugineval.clients.outputs.arguments import read_arguments
from plugineval.clients.outputs.reading import calls_of
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

TOOLS = Toolset(tools=(ToolSpec(name="a.b", input_schema={"type": "object"}), ToolSpec(name="c", input_schema={})))
WORDS = """choices message delta tool_calls function_call function name arguments content type role parts functionCall
text args output candidates error index id input tool_use toolUse response item output_index finish_reason stop_reason
content_block partial_json status incomplete_details promptFeedback parameters usage"""
VALUES = """assistant function_call tool_use message content_block_start response.completed length {} {"a":"""
LEAVES = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.sampled_from(VALUES.split()) | st.text(max_size=4)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS.split()), inner, max_size=4),
    max_leaves=25,
)
MARKS = """<tool_call> </tool_call> [TOOL_CALLS] <function=c> </function> <parameter=x> </parameter> ```json ```
<|python_tag|> <｜tool▁call▁begin｜> <｜tool▁sep｜> <|message|> <think> [ ] {"name":"c","arguments":{}} {"name":"c","arg
c(x=1) { } , ; data:{} to=functions.c"""
CALLS = st.sampled_from([*MARKS.split(), '<invoke name="c">', " ", "\n", "data: {}\n"])
TEXTS = st.lists(CALLS | st.text(max_size=5), max_size=9).map("".join)


@pytest.mark.requirement("E6", "X11")
@settings(deadline=None, max_examples=300)
@given(answer=JSON, salvage=st.booleans())
def test_any_document_is_read_and_can_be_stored(answer: object, *, salvage: bool) -> None:
    reply = calls_of(cast("Json", answer), TOOLS, salvage=salvage)
    for call in reply.calls:
        assert (call.arguments is None) == (call.problem is not None)
        json.dumps(call.arguments, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.requirement("E6", "X11")
@settings(deadline=None)
@given(text=TEXTS)
def test_a_text_is_prose_or_an_attempt_and_reading_it_loses_neither(text: str) -> None:
    kept, read = calls_of(text, TOOLS), calls_of(text, TOOLS, salvage=True)
    if not kept.calls:
        # Salvaging never finds a call where nothing was attempted, and never turns an attempt into an abstention.
        assert (kept.failure is None) == (read.failure is None and not read.calls)


@pytest.mark.requirement("X11")
@settings(deadline=None)
@given(arguments=st.lists(JSON, max_size=4))
def test_as_many_calls_come_out_as_went_in(arguments: list[object]) -> None:
    plain = [{"name": "c", "arguments": item} for item in arguments]
    chat = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"type": "function", "function": call} for call in plain],
    }
    assert len(calls_of(cast("Json", plain), TOOLS).calls) == len(arguments)
    assert len(calls_of(cast("Json", chat), TOOLS).calls) == len(arguments)


@settings(deadline=None)
@given(
    value=st.dictionaries(st.text(max_size=3), st.text(max_size=3) | st.integers(), max_size=3),
    stray=st.sampled_from(["", '"', "}", "\n", "`"]),
)
def test_a_whole_object_survives_what_surrounds_it(value: dict[str, Json], stray: str) -> None:
    text = json.dumps(value)
    assert read_arguments(text + stray).arguments == value
    assert read_arguments(json.dumps(text)).arguments == value
