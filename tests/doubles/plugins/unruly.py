"""A plugin that misbehaves on request: raw JSON-RPC on stdio, the standard library alone, the legacy handshake only.

Run as a script. How it starts is chosen by arguments (`--hang`, `--exit`, `--stubborn`, `--pages`, `--bad-schema`),
what a call does by the name of the tool.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeAlias, cast

Json: TypeAlias = dict[str, object]

OUTPUT_SCHEMA: Json = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def send(message: object) -> None:
    """One message on stdout."""
    write(json.dumps(message))


def write(line: str) -> None:
    """One line on stdout, whatever it holds."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def text(words: str, **more: object) -> Json:
    """A tool result of one text."""
    return {"content": [{"type": "text", "text": words}], **more}


def die(_: Json) -> Json:
    sys.stderr.write("the disk is on fire\n")
    sys.stderr.flush()
    os._exit(3)


def die_once(_: Json) -> Json:
    """Die at the first call in this working directory, answer at the next."""
    if not os.path.exists("died"):
        open("died", "w").close()
        os._exit(3)
    return text("back again")


def children(arguments: Json) -> Json:
    """Start a child that ignores SIGTERM, in this process group or in a session of its own; name its pid."""
    child = subprocess.Popen([sys.executable, "-S", "-c", SLEEPER], start_new_session=bool(arguments.get("apart")))
    return text(json.dumps({"server": os.getpid(), "child": child.pid}))


def parted(_: Json) -> Json:
    """Start a child in a session of its own that starts one in yet another."""
    script = (
        "import subprocess, sys, time; "
        f"inner = subprocess.Popen([sys.executable, '-S', '-c', {SLEEPER!r}], start_new_session=True); "
        "print(inner.pid, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-S", "-c", script]
    child = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    return text(json.dumps({"server": os.getpid(), "child": child.pid, "inner": int(child.stdout.readline())}))


def daemon(_: Json) -> Json:
    """Fork twice, as daemons do: the second child has a session of its own, and its parent is gone."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        inner = os.fork()
        if inner:
            os._exit(0)
        os.write(writing, str(os.getpid()).encode())
        # Without our streams, as a daemon is.
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.execv(sys.executable, [sys.executable, "-S", "-c", SLEEPER])
    os.waitpid(child, 0)
    return text(json.dumps({"server": os.getpid(), "daemon": int(os.read(reading, 20))}))


def slow(arguments: Json) -> Json:
    time.sleep(float(str(arguments.get("seconds", 60))))
    return text("at last")


def head(key: object) -> str:
    """How the answer to a call begins."""
    return f'{{"jsonrpc": "2.0", "id": {key}, "result": {{"content": ['


def chat(_: Json, key: object) -> None:
    """Print a log line where only the protocol belongs, then answer."""
    write("log: working")
    send({"jsonrpc": "2.0", "id": key, "result": text("done")})


TOOLS: dict[str, Callable[[Json], Json]] = {
    "get_echo": lambda arguments: text(json.dumps(arguments)),
    "get_failure": lambda _: text("no such city", isError=True),
    "get_slow": slow,
    "get_large": lambda arguments: text("é" * int(str(arguments["characters"]))),
    "get_empty": lambda _: {"content": []},
    "get_blank": lambda _: text("  \n"),
    "get_hollow": lambda _: text("[]"),
    "get_disguised": lambda arguments: text(str(arguments["text"])),
    "get_structured": lambda arguments: text("see structure", structuredContent=arguments["content"]),
    "get_unstructured": lambda _: text("seven"),
    "get_wrong_shape": lambda _: {"content": "not a list"},
    "get_environment": lambda _: text(json.dumps(dict(os.environ))),
    "get_directory": lambda _: text(json.dumps({"cwd": os.getcwd(), "home": os.path.expanduser("~")})),
    "get_secret": lambda _: text("it is " + os.environ["API_KEY"], structuredContent={"key": os.environ["API_KEY"]}),
    "get_pid": lambda _: text(str(os.getpid())),
    "get_dead": die,
    "get_dead_once": die_once,
    "get_children": children,
    "get_parted": parted,
    "get_daemon": daemon,
    "get_image": lambda _: {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]},
    "delete_everything": lambda _: text("all gone"),
}
BROKEN: dict[str, Callable[[Json, object], None]] = {
    "get_rpc_error": lambda _, key: send(
        {"jsonrpc": "2.0", "id": key, "error": {"code": -32000, "message": "Connection closed", "data": {"why": "x"}}}
    ),
    "get_garbage": lambda _, key: write("Loading model... " + "█" * 20),
    "get_half": lambda _, key: write(head(key) + '{"type"'),
    "get_no_object": lambda _, key: send({"jsonrpc": "2.0", "id": key, "result": "a mere text"}),
    "get_chatty": chat,
    "get_endless": lambda arguments, key: write(head(key) + '{"text": "' + "x" * int(str(arguments["characters"]))),
}


def listed() -> list[Json]:
    """What tools/list says."""
    names = [*TOOLS, *BROKEN]
    tools: list[Json] = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    for tool in tools:
        if tool["name"] in {"get_structured", "get_unstructured"}:
            tool["outputSchema"] = OUTPUT_SCHEMA
        if tool["name"] == "get_echo" and "--bad-schema" in sys.argv:
            tool["inputSchema"] = {"type": "object", "properties": {"a": {"type": "strin"}}}
    return tools


def page(cursor: object) -> Json:
    """tools/list, three at a time with `--pages`, without an end with `--endless-pages`."""
    tools = listed()
    if "--endless-pages" in sys.argv:
        return {"tools": [], "nextCursor": "again"}
    if "--pages" not in sys.argv:
        return {"tools": tools}
    start = int(str(cursor or 0))
    more = {"nextCursor": str(start + 3)} if start + 3 < len(tools) else {}
    return {"tools": tools[start : start + 3], **more}


def answer(method: str, params: Json) -> Json | None:
    """The result of a request; None where the method does not exist."""
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "unruly", "version": "0.1"},
            "instructions": "Handle with care.",
        }
    if method == "tools/list":
        return page(params.get("cursor"))
    if method == "tools/call" and params["name"] in TOOLS:
        return TOOLS[str(params["name"])](member(params, "arguments"))
    return None


def member(of: Json, name: str) -> Json:
    """An object inside an object; empty where there is none."""
    return cast("Json", of.get(name) or {})


def serve() -> None:
    """Answer one request after the other until stdin ends."""
    for line in sys.stdin:
        request = cast("Json", json.loads(line))
        if "id" not in request:
            continue
        params = member(request, "params")
        broken = BROKEN.get(str(params.get("name"))) if request["method"] == "tools/call" else None
        if broken is not None:
            broken(member(params, "arguments"), request["id"])
            continue
        result = answer(str(request["method"]), params)
        refusal = {"error": {"code": -32601, "message": "Method not found"}}
        send({"jsonrpc": "2.0", "id": request["id"], **({"result": result} if result is not None else refusal)})


if __name__ == "__main__":
    if "--hang" in sys.argv:
        sys.stderr.write(f"waiting for the licence server, key {os.environ.get('API_KEY')}\n")
        sys.stderr.flush()
        time.sleep(600)
    if "--exit" in sys.argv:
        sys.stderr.write("ModuleNotFoundError: No module named 'unruly_core'\n")
        sys.exit(1)
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    if "--stubborn" in sys.argv:
        time.sleep(600)
