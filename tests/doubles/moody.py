"""An endpoint that never answers the same twice: whatever equals one of its answers later was kept, not asked again."""

import json
import secrets
from random import SystemRandom
from typing import cast

from doubles.cli import obedient
from doubles.openai_server import Document, Reply, calling, message

_DRAW = SystemRandom()


def moody(request: Document) -> Reply:
    """Calls something or nothing, proposes something right or wrong, judges with a reason of its own each time."""
    mark = secrets.token_hex(4)
    if request.get("tools"):
        return _routed(request, mark)
    said = json.dumps(request.get("response_format"))
    if '"call"' in said:
        return message(_DRAW.choice([f"I am not sure ({mark})", '{"call": {"arguments": {"x": 1}}}', f"{{{mark}"]))
    if '"score"' in said:
        return message(json.dumps({"score": _DRAW.choice([0.9, 0.95, 1.0]), "reason": f"because {mark}"}))
    if '"verdict"' in said:
        verdict = _DRAW.choice(["equal", "different"])
        return message(json.dumps({"verdict": verdict, "justification": f"The two are {verdict}: {mark}"}))
    return message(json.dumps({"steps": [], "reason": mark}))


def _routed(request: Document, mark: str) -> Reply:
    if _DRAW.random() < 0.3:
        return message(f"There is nothing to call. {mark}")
    tools = cast("list[dict[str, Document]]", request["tools"])
    name = str(_DRAW.choice(tools)["function"]["name"])
    return _DRAW.choice([obedient(request), calling((name, {"mark": mark}))])
