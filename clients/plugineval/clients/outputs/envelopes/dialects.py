"""Every known mark that opens a call in a text, and how what follows it is read.

A dialect yields the stretches it understood; a mark whose body names no call is left to be a parse failure.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from plugineval.clients.outputs.envelopes.json_text import marked_calls, whole_calls
from plugineval.clients.outputs.envelopes.markup import IsText, tagged_call
from plugineval.clients.outputs.envelopes.python_calls import python_calls
from plugineval.clients.outputs.envelopes.surface import FENCE, Passage, passages
from plugineval.clients.outputs.spoken import emitted
from plugineval.pccf.routing import EmittedCall


class Found(NamedTuple):
    """The calls of one stretch of the text, and the mark they stood behind."""

    calls: list[EmittedCall]
    start: int
    end: int
    mark: str


_END = r"<\|(?:eom_id|eot_id|im_end|end|call|return)\|>"
_TAG = re.compile(r"<\|?(?:tool_calls?|toolcall|function_calls?|tool_use)\|?>|<\|action_start\|>(?:<\|\w+\|>)?")
_TAG_END = re.compile(r"<(?:/\|?|\|/)(?:tool_calls?|toolcall|function_calls?|tool_use)\|?>|<\|action_end\|>|" + _END)
_MISTRAL = re.compile(r"\[TOOL_CALLS?\]")
_NAMED_JSON = re.compile(r"\s*([\w./-]+?)(?::\d+)?(?:\s*\[CALL_ID\]\s*[\w-]+)?(?:\s*\[ARGS\])?\s*(?=\{)")
_FUNCTION = re.compile(r"<function=([\w./-]+)>")
_FUNCTION_END = re.compile(r"</function>|" + _END)
_PYTHON = re.compile(r"<\|python_tag\|>")
_BEGIN = re.compile(r"<\|tool[_▁]call[_▁]begin\|>")
_BEGIN_END = re.compile(r"<\|tool[_▁]calls?(?:[_▁]section)?[_▁]end\|>")
_PARTING = re.compile(r"<\|tool(?:[_▁]sep|_call_argument_begin)\|>")
_HARMONY = re.compile(r"\bto=functions\.([\w.-]+)[^\n]{0,200}?<\|message\|>")
_INVOKE = re.compile(r"<(?:antml:)?invoke\s+name=\"([^\"]+)\"[^>]*>")
_INVOKE_END = re.compile(r"</(?:antml:)?invoke>")
_NEVER = re.compile(r"(?!)")


def functions(text: str, is_text: IsText) -> Iterator[Found]:
    """`<function=NAME>{…}</function>`, or with one tag a value."""
    for passage in passages(text, _FUNCTION, _FUNCTION_END):
        yield _found(passage, [_named(passage.opening[1], passage.body, is_text)])


def invocations(text: str, is_text: IsText) -> Iterator[Found]:
    """`<invoke name="NAME"><parameter name="KEY">…</parameter></invoke>`."""
    for passage in passages(text, _INVOKE, _INVOKE_END):
        yield _found(passage, [_named(passage.opening[1], passage.body, is_text)])


def tags(text: str, is_text: IsText) -> Iterator[Found]:
    """`<tool_call>` and its sisters around JSON, Python, or a name followed by tags or JSON."""
    for passage in passages(text, _TAG, _TAG_END):
        yield _found(passage, _body(passage.body, is_text))


def brackets(text: str, is_text: IsText) -> Iterator[Found]:
    """`[TOOL_CALLS]` before a list of calls, or before a name and its object."""
    for passage in passages(text, _MISTRAL, _NEVER):
        yield _found(passage, _body(passage.body, is_text))


def python_tags(text: str, is_text: IsText) -> Iterator[Found]:
    """`<|python_tag|>` before JSON or Python."""
    for passage in passages(text, _PYTHON, re.compile(_END)):
        calls = [
            call.model_copy(update={"name": call.name.removesuffix(".call")}) for call in _body(passage.body, is_text)
        ]
        yield _found(passage, calls)


def special_tokens(text: str, is_text: IsText) -> Iterator[Found]:
    """DeepSeek's and Kimi's special tokens: begin, name, parting token, object, end."""
    for passage in passages(text, _BEGIN, _BEGIN_END):
        head, *rest = _PARTING.split(passage.body, maxsplit=1)
        # The older DeepSeek spelling says the kind first, and the name in the line after the parting token.
        old = re.fullmatch(r"\s*([\w./-]+)\s*\n(.*)", rest[0], re.DOTALL) if rest else None
        name, body = (old[1], old[2]) if old and head.strip() == "function" else (head, rest[0] if rest else "")
        name = re.sub(r"\A(?:functions\.)?(.*?)(?::\d+)?\Z", r"\1", name.strip())
        yield _found(passage, [_named(name, body, is_text)] if name and rest else [])


def harmony(text: str, is_text: IsText) -> Iterator[Found]:
    """`to=functions.NAME … <|message|>{…}<|call|>`."""
    for passage in passages(text, _HARMONY, re.compile(_END)):
        yield _found(passage, [_named(passage.opening[1], passage.body, is_text)])


def fences(text: str, is_text: IsText) -> Iterator[Found]:
    """Fenced blocks that are calls, as JSON or as Python."""
    for block in FENCE.finditer(text):
        marked = block[1].lower().startswith(("tool", "function"))
        calls = marked_calls(block[2]) if marked else whole_calls(block[2])
        yield Found(calls or python_calls(block[2]), block.start(), block.end(), f"```{block[1]}")


def bare(text: str, is_text: IsText) -> Iterator[Found]:
    """The whole text is calls, as JSON or as Python."""
    yield Found(whole_calls(text) or python_calls(text), 0, len(text), "the bare text")


DIALECTS: tuple[Callable[[str, IsText], Iterator[Found]], ...] = (
    functions, invocations, special_tokens, harmony, tags, brackets, python_tags, fences, bare,
)  # fmt: skip


def _body(body: str, is_text: IsText) -> list[EmittedCall]:
    body = _unfenced(body)
    if calls := marked_calls(body) if body.lstrip().startswith(("{", "[")) else []:
        return calls
    if calls := python_calls(body):
        return calls
    head = _NAMED_JSON.match(body) or re.match(r"\s*([\w./-]+)\s*(?=<arg_key>|\Z)", body)
    return [_named(head[1], body[head.end() :], is_text)] if head else []


def _named(name: str, body: str, is_text: IsText) -> EmittedCall:
    tagged = tagged_call(name, body, is_text)
    if tagged is not None:
        return tagged
    return emitted(name, _unfenced(body).strip(), item=body)


def _unfenced(body: str) -> str:
    fenced = FENCE.fullmatch(body.strip())
    return fenced[2] if fenced else body


def _found(passage: Passage, calls: list[EmittedCall]) -> Found:
    return Found(calls, passage.start, passage.end, passage.opening[0].strip())
