"""A plugin whose tools are what a file says, read for every listing: raw JSON-RPC on stdio, the standard library alone.

Run as `shifty.py TOOLS_FILE CALLS_FILE`; the first holds the list of tools as JSON, the second gets a line for each
call.
"""

import json
import sys
from pathlib import Path
from typing import cast


def answer(method: str, params: dict[str, object]) -> dict[str, object]:
    """The result or the error of a request."""
    tools, calls = map(Path, sys.argv[1:])
    match method:
        case "initialize":
            info = {"name": "shifty", "version": "0.1"}
            return {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}}
        case "tools/list":
            return {"result": {"tools": json.loads(tools.read_text())}}
        case "tools/call":
            with calls.open("a") as log:
                log.write(f"{params['name']}\n")
            return {"result": {"content": [{"type": "text", "text": f"{params['name']} was done"}]}}
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            outcome = answer(request["method"], cast("dict[str, object]", request.get("params") or {}))
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}) + "\n")
            sys.stdout.flush()
