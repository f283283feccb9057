"""Calls that a model wrote as plain text: those of offered tools are parse failures, talk about tools is no call."""

import time

import pytest

from plugineval.clients.outputs.attempted import attempted_call
from plugineval.clients.outputs.reading import calls_of
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.tools import Toolset, ToolSpec

OFFERED = {"get_weather", "search", "math.solve"}
ATTEMPTS = [
    'get_weather(city="Oslo")',
    'get_weather(city="Oslo").',
    'get_weather(city="Oslo"',
    'get_weather(\n  city="Oslo (north)",\n)',
    '`get_weather(city="Oslo")`',
    'call: get_weather(city="Oslo")',
    'Let me look.\nget_weather(city="Oslo")',
    "I'll call get_weather(city='Oslo').",
    'functions.get_weather(city="Oslo")',
    'forecast = await get_weather(city="Oslo")',
    'Here:\n```python\nw = get_weather(city="Oslo")\nprint(w)\n```',
    'math.solve(expression="1 + 2")',
    'Action: get_weather\nAction Input: {"city": "Oslo"}',
    "Thought: I need it.\nAction: get_weather[Oslo]",
    '**Action**: get_weather\n**Action Input**: {"city": "Oslo"}\nObservation: rain\nFinal Answer: rain',
    'Action:\n```json\n{"action": "get_weather", "action_input": {"city": "Oslo"}}\n```',
    "Action:\nsearch\nAction Input: fjords",
    'get_weather {"city": "Oslo"}',
    'get_weather: {"city": "Oslo"}',
    '{"get_weather": {"city": "Oslo"}}',
    '{"tool": "get_weather", "city": "Oslo"}',
    '{"name": "get_weather"}',
    '{"name": "get_weather", "arguments": {"city": "Osl',
    "{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}",
    'Sure! {"name": "get_weather", "arguments": {"city": "Oslo"}}',
    '{"arguments": {"city": "Oslo"}, "name": "get_weather"} is what I need',
    "tool_name: get_weather\nparameters:\n  city: Oslo",
    "<get_weather><city>Oslo</city></get_weather>",
    "<tool>get_weather</tool><tool_input>Oslo</tool_input>",
]
TALK = [
    "get_weather",
    "search",
    "The get_weather tool needs a city. Which one?",
    "You could call get_weather(city), but I need a city.",
    'I could use `get_weather(city="Oslo")` if you like.',
    'You can use get_weather(city="...") for this. Which city?',
    'get_weather(city="<your city>") would do',
    "get_weather() takes a city; please give one.",
    "Action: I would search for it",
    "Action: search the archive by hand",
    "Action: none\nFinal Answer: 4",
    "Thought: I know this.\nFinal Answer: 3",
    "I will search (quickly) for it.",
    "Tools:\n- get_weather: the weather\n- search: pages",
    '{"name": "Ann", "search": "x"}',
    '{"name": "get_weather", "parameters": {"type": "object"}} is how it is declared',
    '{"city": "Oslo", "arguments": "search"}',
    '```python\ndef get_weather(city):\n    return 1\n\nget_weather(city="Oslo")\n```',
    "<search> is an HTML element",
    "<think>Action: get_weather\nAction Input: {}</think>Which city?",
    "Results of the search: {none}",
    "In 2021 (search committee) nothing was found.",
    "Please name the tool: get_weather or search?",
    "f(x) = 2x, so f(2) = 4",
    "weather(city='Oslo') is not among my tools.",
]


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("text", ATTEMPTS)
def test_a_call_of_an_offered_tool_in_plain_text_is_a_parse_failure_with_its_words(text: str) -> None:
    tools = [
        ToolSpec(plugin="p", name=name, description="", input_schema={"type": "object"}) for name in sorted(OFFERED)
    ]
    reply = calls_of(text, Toolset(tools=tuple(tools)))
    assert not reply.calls
    assert reply.failure is not None
    assert reply.failure.kind is FailureKind.PARSE_FAILURE
    assert reply.text == text


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("text", TALK)
def test_talk_of_an_offered_tool_is_no_call(text: str) -> None:
    assert attempted_call(text, OFFERED) is None


@pytest.mark.parametrize("text", ['get_weather(city="Oslo")', 'Action: get_weather\nAction Input: {"city": "Oslo"}'])
def test_the_words_of_a_tool_that_was_not_offered_are_prose(text: str) -> None:
    assert attempted_call(text, {"search"}) is None


@pytest.mark.parametrize(
    "piece", ["search(", "search: ", '"args": "name": "search" ', "a = ", "\n", "Action: ", "calling "]
)
def test_a_hostile_text_is_searched_in_bounded_time(piece: str) -> None:
    begun = time.process_time()
    attempted_call("search" + piece * (60_000 // len(piece)), OFFERED)
    assert time.process_time() - begun < 1
