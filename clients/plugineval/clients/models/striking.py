"""Secrets in what a model emitted: struck out of the calls that are graded too, and the row says so (X11)."""

import json
from collections.abc import Iterable

from plugineval.clients.redaction import BLOT, Redactor
from plugineval.pccf.routing import EmittedCall

NOTE = f"a secret was struck out of it and reads {BLOT}"
WITHHELD = f"{BLOT}: put together, the pieces of this answer hold a secret"


def struck_calls(calls: Iterable[EmittedCall], redactor: Redactor, *, already: bool) -> tuple[EmittedCall, ...]:
    """`calls` without secrets, each that held one with a note; every other one is the very same.

    `already`: something was struck out of the answer before it was read.
    """
    return tuple(_struck(call, redactor, already=already) for call in calls)


def without_secrets(raw: str, redactor: Redactor) -> str:
    """A body that could not be used, for the trace; nothing of it where a stream had taken a secret apart."""
    return WITHHELD if redactor.in_pieces(raw) else redactor.text(raw)


def _struck(call: EmittedCall, redactor: Redactor, *, already: bool) -> EmittedCall:
    arguments = redactor.json(call.arguments)
    name, raw = redactor.text(call.name), redactor.text(call.raw_arguments)
    changed = arguments is not call.arguments
    if changed and raw == call.raw_arguments:
        # An escape hid it in the text.
        raw = json.dumps(arguments)
    if not (changed or (name, raw) != (call.name, call.raw_arguments) or (already and BLOT in name + raw)):
        return call
    said = f"{NOTE}; {call.repair}" if call.repair else NOTE
    return EmittedCall.model_validate(
        {"name": name, "arguments": arguments, "raw_arguments": raw, "problem": call.problem, "repair": said}
    )
