"""Any GGUF file behind the server of llama.cpp, which comes with `xllamacpp`.

One thread: two that wait for each other by spinning are slower than one wherever a core is shared.
"""

import signal
import threading
from pathlib import Path
from typing import Any, Protocol, cast

from plugineval.clients.local.extras import LLAMA, required
from plugineval.clients.local.listening import HOST, listening
from plugineval.clients.local.served import Ready, Served
from plugineval.pccf.errors import ConfigurationError

CONTEXT = 4096
"""Tokens of prompt and answer together."""
_TABLE = ('call_mode = "json_schema"  # for models that make no native calls', "concurrency = 1", "timeout_s = 300")


class _Server(Protocol):
    @property
    def listening_address(self) -> str: ...


def serve_gguf(path: Path, port: int, template: str | None, ready: Ready) -> None:
    """Serve the file until SIGINT or SIGTERM; port 0 takes a free one.

    `template` is the text of a chat template in place of the one inside the file. `ConfigurationError` where the extra
    or the file is not there, the file is no model, or the port is taken.
    """
    module: Any = required(LLAMA)
    if not path.is_file():
        raise ConfigurationError("is not there", field=f"serve-model gguf {path}", next_step="correct the path")
    # The server says nothing clear of a port that is taken.
    listening(port).close()
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda signum, frame: stopped.set())
    server = _started(module, path, port, template)
    ready(Served(_name(path), path.stem, f"{server.listening_address}/v1", _TABLE))
    stopped.wait()
    # Its threads end with it.
    del server


def _started(module: Any, path: Path, port: int, template: str | None) -> _Server:  # noqa: ANN401 - a compiled module
    params = module.CommonParams()
    params.model.path = str(path)
    params.model_alias = {path.stem}
    params.hostnames, params.port = [HOST], port
    params.cors_origins, params.ui = "", False
    params.n_ctx, params.n_parallel = CONTEXT, 1
    for cores in (params.cpuparams, params.cpuparams_batch):
        cores.n_threads, cores.poll = 1, 0
    params.use_jinja, params.offline, params.fit_params, params.verbosity = True, True, False, 1
    if template is not None:
        params.chat_template = template
    try:
        return cast("_Server", module.Server(params))
    except RuntimeError as error:
        raise ConfigurationError(
            f"llama.cpp does not load it: {error}",
            field=f"serve-model gguf {path}",
            next_step="name a .gguf model file",
        ) from error


def _name(path: Path) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "_-" else "-" for letter in path.stem.lower())
    return kept.strip("-") or "local"
