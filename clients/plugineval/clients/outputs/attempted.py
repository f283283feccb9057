"""Text in which a model tried to call a tool, in an envelope that its provider did not read.

Such an answer is neither a call nor an abstention (E6): it is a parse failure with the raw text kept. The detection
is narrow on purpose. A word in inline code, or a sentence about tools, is prose and therefore simply no call.
"""

import re
from typing import cast

from plugineval.clients.strict_json import NotJsonError, strict_loads

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_FENCE = re.compile(r"```[ \t]*([\w-]*)[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
_ENVELOPES = (
    re.compile(r"<\|?(?:tool_calls?|toolcall|function_calls?|tool_use)(?:[\s>|/:_]|\Z)"),
    re.compile(r"<\|?tool[_▁]calls?[_▁](?:begin|section[_▁]begin|start)\|?>"),
    re.compile(r"<(?:antml:)?(?:function_calls|invoke)\b[^>\n]*>?"),
    re.compile(r"<function=[\w.-]+"),
    re.compile(r"<\|python_tag\|>"),
    re.compile(r"<\|(?:start|channel)\|>[^<\n]*\bto=functions\."),
    re.compile(r"\[TOOL_CALLS?\]"),
    re.compile(r"✿FUNCTION✿"),
)
_CALL_FENCES = {"tool_call", "tool_calls", "tool_code", "function_call"}
_NAME_KEYS = ("name", "tool", "tool_name", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "tool_input")


def attempted_call(text: str) -> str | None:
    """The envelope in which `text` attempts a call (the words that gave it away), or None for prose."""
    spoken = _THINKING.sub(" ", text)
    for language, block in cast("list[tuple[str, str]]", _FENCE.findall(spoken)):
        if language.lower() in _CALL_FENCES:
            return f"```{language}"
        if _is_call(block):
            return f"```{language} with a call as JSON"
    spoken = _INLINE_CODE.sub(" ", _FENCE.sub(" ", spoken))
    for envelope in _ENVELOPES:
        if found := envelope.search(spoken):
            return found[0].strip()
    return "a call as JSON text" if _is_call(spoken) else None


def _is_call(text: str) -> bool:
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return False
    try:
        value = strict_loads(stripped)
    except NotJsonError:
        return False
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(isinstance(item, dict) and _has_call_shape(item) for item in items)


def _has_call_shape(item: dict[str, object] | object) -> bool:
    found = cast("dict[str, object]", item)
    inner = found.get("function")
    if isinstance(inner, dict):
        return _has_call_shape(cast("object", inner))
    named = any(isinstance(found.get(key), str) for key in _NAME_KEYS)
    return named and any(isinstance(found.get(key), dict | str) for key in _ARGUMENT_KEYS)
