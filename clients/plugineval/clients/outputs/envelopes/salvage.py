"""Calls salvaged from a text: only where a person asked for it, and with the envelope on record in every call."""

from typing import NamedTuple

from plugineval.clients.outputs.envelopes.dialects import DIALECTS, Found
from plugineval.clients.outputs.envelopes.markup import IsText
from plugineval.clients.outputs.envelopes.surface import plain, spoken_part
from plugineval.clients.outputs.spoken import noted
from plugineval.pccf.routing import EmittedCall


class Salvaged(NamedTuple):
    """The calls in the order of the text, and the words around them."""

    calls: tuple[EmittedCall, ...]
    text: str


def salvaged(text: str, is_text: IsText) -> Salvaged | None:
    """The calls that `text` holds in the first dialect that reads any; None where none does.

    A mark of that dialect whose body cannot be read is kept as a call of nothing.
    """
    spoken = spoken_part(plain(text))
    for dialect in DIALECTS:
        found = list(dialect(spoken, is_text))
        if any(passage.calls for passage in found):
            marked = [passage for passage in found if passage.calls or not passage.mark.startswith("```")]
            return Salvaged(
                tuple(call for passage in marked for call in _calls(passage, spoken)), _rest(spoken, marked)
            )
    return None


def _calls(passage: Found, text: str) -> list[EmittedCall]:
    if not passage.calls:
        raw = text[passage.start : passage.end]
        return [EmittedCall(name="", arguments=None, raw_arguments=raw, problem="not a function call")]
    return [noted(call, f"read from the text, behind {passage.mark}") for call in passage.calls]


def _rest(text: str, found: list[Found]) -> str:
    pieces: list[str] = []
    position = 0
    for passage in found:
        pieces.append(text[position : passage.start])
        position = passage.end
    return "".join([*pieces, text[position:]]).strip()
