"""Arguments written as markup: one tag a value. Whether `5` is a number or a text, only the tool's schema can say."""

import re
from collections.abc import Callable
from typing import TypeAlias

from plugineval.clients.outputs.envelopes.surface import passages
from plugineval.clients.outputs.spoken import noted
from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

IsText: TypeAlias = Callable[[str, str], bool]
"""(tool, argument) -> whether the schema asks for a text there."""

_VALUES = (
    (re.compile(r"<parameter=([\w.-]+)>\n?"), re.compile(r"\n?</parameter>")),
    (re.compile(r"<(?:antml:)?parameter\s+name=\"([^\"]+)\"[^>]*>"), re.compile(r"</(?:antml:)?parameter>")),
    (re.compile(r"<arg_key>([^<]*)</arg_key>\s*<arg_value>"), re.compile(r"</arg_value>")),
)
_OPENINGS = re.compile(r"<(?:antml:)?parameter[\s=]|<arg_key>")


def tagged_call(name: str, body: str, is_text: IsText) -> EmittedCall | None:
    """The call of `name` whose arguments are tags in `body`; None where `body` opens no tag."""
    if not _OPENINGS.search(body):
        return None
    pairs = max((_pairs(body, opening, closing) for opening, closing in _VALUES), key=len)
    if len(pairs) < len(_OPENINGS.findall(body)):
        return EmittedCall(name=name, arguments=None, raw_arguments=body, problem="an argument is cut off")
    arguments = {key: _value(value, as_text=is_text(name, key)) for key, value in pairs}
    if len(arguments) < len(pairs):
        return EmittedCall(name=name, arguments=None, raw_arguments=body, problem="an argument is given twice")
    call = EmittedCall(name=name, arguments=arguments, raw_arguments=body)
    untyped = [key for key, value in arguments.items() if not isinstance(value, str)]
    return noted(call, f"read as JSON: {', '.join(untyped)}") if untyped else call


def _pairs(body: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> list[tuple[str, str]]:
    return [
        (passage.opening[1].strip(), passage.body) for passage in passages(body, opening, closing) if passage.closed
    ]


def _value(text: str, *, as_text: bool) -> Json:
    if as_text:
        return text
    try:
        value = strict_loads(text)
    except NotJsonError:
        return text
    return text if isinstance(value, str) else value
