"""A plugin that keeps notes as files where it works: raw JSON-RPC on stdio, the standard library alone.

`NOTEBOOK_WORDS` describes its reading tool, `NOTEBOOK_LACKS` names a tool that it does not offer.
"""

import json
import os
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

NOTE = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
TEXT = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
    "required": ["name", "text"],
}


def place(arguments: dict[str, str]) -> Path:
    """Where a note lies; a relative name is one of the working directory."""
    return Path.cwd() / arguments["name"]


def write(arguments: dict[str, str]) -> str:
    place(arguments).write_text(arguments["text"])
    return f"wrote {place(arguments)}"


def delete(arguments: dict[str, str]) -> str:
    place(arguments).unlink()
    return "deleted"


def clock(_: dict[str, str]) -> str:
    return json.dumps({"zone": "UTC", "now": time.time_ns(), "id": str(uuid.uuid4())})


def whereabouts(_: dict[str, str]) -> str:
    return json.dumps({"cwd": os.getcwd(), "home": str(Path.home()), "pid": os.getpid(), "args": sys.argv[1:]})


TOOLS: dict[str, tuple[object, Callable[[dict[str, str]], str]]] = {
    "get_note": (NOTE, lambda arguments: place(arguments).read_text()),
    "write_note": (TEXT, write),
    "delete_note": (NOTE, delete),
    "list_notes": (
        {"type": "object"},
        lambda _: " ".join(sorted(path.name for path in Path.cwd().iterdir())) or "none",
    ),
    "get_clock": ({"type": "object"}, clock),
    "get_whereabouts": ({"type": "object"}, whereabouts),
    "get_out": ({"type": "object"}, lambda _: os._exit(3)),
}


def listed() -> list[object]:
    """What tools/list says."""
    words = os.environ.get("NOTEBOOK_WORDS", "Read a note.")
    lacking = os.environ.get("NOTEBOOK_LACKS")
    return [
        {"name": name, "inputSchema": schema, "description": words if name == "get_note" else name}
        for name, (schema, _) in TOOLS.items()
        if name != lacking
    ]


def called(name: str, arguments: dict[str, str]) -> dict[str, object]:
    """The result of a tool; what goes wrong with a file is its error."""
    try:
        return {"content": [{"type": "text", "text": TOOLS[name][1](arguments)}]}
    except OSError as error:
        return {"content": [{"type": "text", "text": f"{error.strerror}: {error.filename}"}], "isError": True}


def answer(request: dict[str, object]) -> dict[str, object]:
    """The result or the error of one request."""
    given = cast("dict[str, Any]", request.get("params") or {})
    match request["method"]:
        case "initialize":
            server = {"name": "notebook", "version": "0.1"}
            return {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server}}
        case "tools/list":
            return {"result": {"tools": listed()}}
        case "tools/call":
            return {"result": called(given["name"], given.get("arguments") or {})}
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(message)}) + "\n")
            sys.stdout.flush()
