"""Attempted calls in text: envelopes nobody read are seen, prose about tools is left alone."""

import pytest

from plugineval.clients.outputs.attempted import attempted_call


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call name="math.solve" arguments={"a":1}/>',
        '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>',
        "<tool_call>",
        '[TOOL_CALLS][{"name": "f", "arguments": {}}]',
        "[TOOL_CALL] f",
        "<function=get_weather>{}</function>",
        '<function_call>{"name": "f"}',
        '<function_calls><invoke name="f"></invoke></function_calls>',
        "<|python_tag|>f(x=1)",
        "<|tool_call|>f",
        "<｜tool▁calls▁begin｜>".replace("｜", "|"),
        "<|tool_calls_section_begin|>",
        '<|channel|>commentary to=functions.get_weather <|message|>{"city":"Oslo"}',
        '```tool_call\n{"name": "f"}\n```',
        '```json\n{"name": "f", "arguments": {"a": 1}}\n```',
        'I will call it:\n```\n{"name": "f", "parameters": {}}',
        '{"name": "f", "arguments": {"a": 1}}',
        '[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]',
        '{"type": "function", "function": {"name": "f", "arguments": "{}"}}',
    ],
)
def test_a_call_in_an_envelope_that_was_not_read_is_seen(text: str) -> None:
    assert attempted_call(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "No tool is needed for this joke.",
        "I would use the `<tool_call>` tag if a tool fitted.",
        "Call me: the function f(x) = 2x is simple.",
        'The record is {"name": "Ann", "age": 3}.',
        '{"name": "Ann", "age": 3}',
        '```json\n{"city": "Oslo"}\n```',
        "```python\nprint('tool call')\n```",
        "<think>maybe <tool_call> would do</think>Nothing fits.",
        "[]",
        "[1, 2]",
        "{broken",
        "Which tool calls (TOOL_CALLS) do you mean?",
    ],
)
def test_prose_is_no_attempt(text: str) -> None:
    assert attempted_call(text) is None


def test_a_hostile_text_is_searched_in_bounded_time() -> None:
    assert attempted_call("<think>" * 20_000) is None
    assert attempted_call("```" * 20_000 + "`a" * 20_000) is None
