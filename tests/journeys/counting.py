"""A plugin of two read-only tools that starts at once and writes down every call: raw JSON-RPC, no third party.

Run as a script. The file named by `CALLS` gets one line for each call; `DELAY` is how long a call takes, in seconds;
with `NOISE` it prints where only the protocol belongs.
"""

import json
import os
import sys
import time
from typing import cast

ENUM = {"type": "string", "enum": ["metre", "foot", "mile"], "description": "Unit of length."}
TOOLS = [
    {
        "name": "convert_length",
        "description": "Convert a length from one unit to another.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "value": {"type": "number", "description": "The length to convert."},
                "from_unit": ENUM,
                "to_unit": ENUM,
            },
            "required": ["value", "from_unit", "to_unit"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "get_rectangle_area",
        "description": "Compute the area of a rectangle from its width and height.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "width": {"type": "integer", "minimum": 1, "maximum": 500, "description": "Width in metres."},
                "height": {"type": "integer", "minimum": 1, "maximum": 500, "description": "Height in metres."},
            },
            "required": ["width", "height"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
    },
]
METRES = {"metre": 1.0, "foot": 0.3048, "mile": 1609.344}


def called(params: dict[str, object]) -> dict[str, object]:
    """Do what was asked, after writing it down."""
    arguments = cast("dict[str, float]", params.get("arguments") or {})
    with open(os.environ["CALLS"], "a", encoding="utf-8") as log:
        log.write(json.dumps([params["name"], arguments], sort_keys=True) + "\n")
    time.sleep(float(os.environ.get("DELAY", "0")))
    if params["name"] == "get_rectangle_area":
        text = f"{arguments['width'] * arguments['height']} square metres"
    else:
        names = cast("dict[str, str]", arguments)
        metres = arguments["value"] * METRES[names["from_unit"]]
        text = f"{metres / METRES[names['to_unit']]:.6g} {names['to_unit']}"
    return {"content": [{"type": "text", "text": text}]}


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    """The result of a request; None where the method does not exist."""
    if method == "initialize":
        info = {"name": "counting", "version": "0.1"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    return called(params) if method == "tools/call" else None


def serve() -> None:
    """Answer until stdin ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        if "NOISE" in os.environ:
            sys.stdout.write("Loading the model... \x1b[31m100 %\n")
            sys.stderr.write("Traceback (most recent call last): not really\n")
        result = answer(request["method"], request.get("params") or {})
        outcome = {"error": {"code": -32601, "message": "Method not found"}} if result is None else {"result": result}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
