"""JSON-RPC as nobody should write it: broken, cut, deep, of wrong types, batched, repeated, forged; and well-formed
requests whose every part means harm.
"""

import json
from collections.abc import Mapping
from typing import cast

from hypothesis import strategies as st

from doubles.hostile_words import ANYTHING, TEXTS
from plugineval.pccf.values import Json

METHODS = (
    *("tools/call", "tools/list", "resources/read", "resources/list", "resources/templates/list", "prompts/list"),
    *("prompts/get", "completion/complete", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"),
    *("tasks/get", "tasks/update", "tasks/cancel", "subscriptions/listen", "ping", "sampling/createMessage"),
    *("elicitation/create", "roots/list", "server/discover", "tools/call/../x", "rpc.discover", "__init__", ""),
)
NOTIFICATIONS = (
    *("notifications/cancelled", "notifications/progress", "notifications/initialized", "notifications/message"),
    *("notifications/roots/list_changed", "notifications/tasks/status", "notifications/nothing"),
)
TOOLS = ("plugin_list", "plugin_inspect", "benchmark_build", "evaluation_run", "job_get", "work_submit", "audit_run")
URIS = (
    *("plugineval://reports/x", "plugineval://reports/../../etc/passwd", "plugineval://plugins/..%2f..%2fetc%2fpasswd"),
    *("plugineval://benchmarks/x/cases?cursor={{7*7}}", "plugineval://plugins/%00", "file:///etc/passwd", "http://x/"),
    *(
        "plugineval://jobs/%2e%2e/%2e%2e",
        "plugineval://",
        "plugineval://cases/a/b/c/verification",
        "plugineval:x",
        "::",
    ),
    *("plugineval://plugins/${HOME}", "plugineval://reports/" + "a" * 20_000, "plugineval://cases/\\..\\..\\windows"),
)
_ODD_IDS: list[Json] = ["", "a", "probe", -(2**63), 2**80, 1.5, True, None, [], {}]
IDS: st.SearchStrategy[Json] = st.one_of(st.integers(-5, 5), st.sampled_from(_ODD_IDS), TEXTS)
SURROGATES = ('"\\ud800"', '"x\\udfff"', '{"\\ud800": 1}')
"""Half characters: JSON can say them, UTF-8 cannot."""


def _document(fields: dict[str, st.SearchStrategy[Json]], *, whole: bool) -> st.SearchStrategy[Json]:
    """A document with all of the fields, or with any of them."""
    nothing: dict[str, st.SearchStrategy[Json]] = {}
    drawn = st.fixed_dictionaries(fields if whole else nothing, optional=nothing if whole else fields)
    return drawn.map(lambda made: cast("Json", made))


def _params() -> st.SearchStrategy[Json]:
    name: st.SearchStrategy[Json] = st.one_of(st.sampled_from(TOOLS), TEXTS)
    uri: st.SearchStrategy[Json] = st.one_of(st.sampled_from(URIS), TEXTS)
    resource = _document({"type": st.just("ref/resource"), "uri": uri}, whole=True)
    prompt = _document({"type": st.just("ref/prompt"), "name": name}, whole=True)
    completed = _document({"name": TEXTS, "value": TEXTS}, whole=True)
    fields: dict[str, st.SearchStrategy[Json]] = {
        "name": name,
        "arguments": ANYTHING,
        "uri": uri,
        "cursor": ANYTHING,
        "taskId": TEXTS,
        "inputResponses": ANYTHING,
        "ref": st.one_of(resource, prompt, ANYTHING),
        "argument": st.one_of(completed, ANYTHING),
        "level": TEXTS,
        "requestId": IDS,
        "progressToken": IDS,
        "task": ANYTHING,
    }
    return st.one_of(_document(fields, whole=False), ANYTHING)


def requests(meta: Mapping[str, Json] | None) -> st.SearchStrategy[dict[str, Json]]:
    """Requests and notifications that are JSON; with the `meta` that a request of 2026-07-28 has, mostly."""

    @st.composite
    def request(draw: st.DrawFn) -> dict[str, Json]:
        message: dict[str, Json] = {"jsonrpc": "2.0", "id": draw(IDS), "method": draw(st.sampled_from(METHODS))}
        params = draw(_params())
        if meta is not None and isinstance(params, dict):
            given: Json = dict(meta)
            params = {**params, "_meta": given if draw(st.integers(0, 2)) else draw(ANYTHING)}
        message["params"] = params
        for damage in draw(st.lists(st.sampled_from(["version", "method", "more", "note", "drop"]), max_size=1)):
            _damage(draw, message, damage)
        return message

    return request()


def _damage(draw: st.DrawFn, message: dict[str, Json], kind: str) -> None:
    match kind:
        case "version":
            message["jsonrpc"] = draw(st.one_of(st.sampled_from(["1.0", 2, None]), ANYTHING))
        case "method":
            message["method"] = draw(ANYTHING)
        case "more":
            message[draw(st.sampled_from(["result", "error", "__proto__", "id "]))] = draw(ANYTHING)
        case "note":
            del message["id"]
            message["method"] = draw(st.sampled_from(NOTIFICATIONS))
        case _:
            del message[draw(st.sampled_from(sorted(message)))]


def messages(meta: Mapping[str, Json] | None = None) -> st.SearchStrategy[bytes]:
    """Anything that may arrive where one message is expected, without a line end."""
    sound = requests(meta)
    text = sound.map(lambda message: json.dumps(message).encode())
    cut = st.tuples(text, st.integers(0, 80)).map(lambda pair: pair[0][: pair[1]])
    spliced = st.tuples(text, st.sampled_from(SURROGATES)).map(
        lambda pair: pair[0].replace(b'"params": ', b'"params": {"x": ' + pair[1].encode() + b'}, "y": ', 1)
    )
    return st.one_of(
        text,
        text,
        text,
        st.lists(sound, max_size=3).map(lambda batch: json.dumps(batch).encode()),
        cut,
        spliced,
        st.binary(max_size=60),
        text.map(lambda line: line.replace(b"a", b"\xff\xfe", 1)),
        st.sampled_from(_HUGE),
        ANYTHING.map(lambda value: json.dumps(value).encode()),
        text.map(lambda line: line + line),
    ).map(one_line)


def one_line(data: bytes) -> bytes:
    """The same without line ends, which would make it several messages."""
    return data.replace(b"\n", b" ").replace(b"\r", b" ")


def _deep(depth: int) -> bytes:
    inner = b"[" * depth + b"]" * depth
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "work_submit", "arguments": '
    return call + b'{"lease_id": "x", "answers": [{"item_id": "x", "answer": {"a": ' + inner + b"}}]}}}"


_HUGE = (
    *(_deep(depth) for depth in (150, 300, 1_000, 50_000)),
    b"[" * 100_000,
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "' + b"a" * 1_000_000 + b'"}}',
    b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b', "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping", "method": "tools/list"}',
    b"[" + b",".join([b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'] * 2_000) + b"]",
)
