"""Text in which a model tried to call a tool, in an envelope that its provider did not read.

Such an answer is neither a call nor an abstention (E6): it is a parse failure with the raw text kept. The detection
is narrow on purpose. A word in inline code, or a sentence about tools, is prose and therefore simply no call.
"""

import re
from collections.abc import Collection
from typing import cast

from plugineval.clients.outputs.envelopes.addressed import addressed
from plugineval.clients.outputs.envelopes.json_text import whole_calls
from plugineval.clients.outputs.envelopes.python_calls import python_calls
from plugineval.clients.outputs.envelopes.surface import FENCE, plain, spoken_part

_INLINE_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_ENVELOPES = (
    re.compile(r"<\|?(?:tool_calls?|toolcall|function_calls?|tool_use)(?:[\s>|/:_]|\Z)"),
    re.compile(r"<\|?tool[_▁]calls?[_▁](?:begin|section[_▁]begin|start)\|?>"),
    re.compile(r"<(?:antml:)?(?:function_calls|invoke)\b[^>\n]*>?"),
    re.compile(r"<function=[\w.-]+"),
    re.compile(r"<\|python_tag\|>"),
    re.compile(r"<\|action_start\|>"),
    re.compile(r"<\|(?:start|channel)\|>[^<\n]*\bto=functions\."),
    re.compile(r"\[TOOL_CALLS?\]"),
    re.compile(r"✿FUNCTION✿"),
)
_CALL_FENCES = {"tool_call", "tool_calls", "tool_code", "function_call"}


def attempted_call(text: str, offered: Collection[str] = ()) -> str | None:
    """The envelope in which `text` attempts a call (the words that gave it away), or None for prose.

    `offered`: the tools; what has no envelope (a Python call, an Action step) is an attempt only where it names one.
    """
    spoken = aloud = spoken_part(plain(text))
    for language, block in cast("list[tuple[str, str]]", FENCE.findall(spoken)):
        if language.lower() in _CALL_FENCES:
            return f"```{language}"
        if whole_calls(block):
            return f"```{language} with a call as JSON"
        if _as_python(block, offered):
            return f"```{language} with a call as Python"
    spoken = _INLINE_CODE.sub(" ", FENCE.sub(" ", spoken))
    for envelope in _ENVELOPES:
        if found := envelope.search(spoken):
            return found[0].strip()
    if whole_calls(spoken):
        return "a call as JSON text"
    return "a call as Python text" if _as_python(spoken, offered) else addressed(aloud, offered)


def _as_python(text: str, offered: Collection[str]) -> bool:
    """Whether the whole text is a list of calls with named arguments, or calls of offered tools only."""
    calls = python_calls(text)
    listed = text.strip().startswith("[") and all(call.arguments is not None for call in calls)
    return bool(calls) and (listed or all(call.name in offered for call in calls))
