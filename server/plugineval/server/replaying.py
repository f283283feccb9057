"""Recorded models in every place where a model may stand: under test, in a role, as reference router, as judge."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from plugineval.clients.recorded.config import RecordedConfig
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.routing import Router

if TYPE_CHECKING:
    from plugineval.clients.recorded.ledger import RecordedPlayer
    from plugineval.clients.recorded.router import RecordedRouter
    from plugineval.pccf.chat import ChatModel


class RecordedCast:
    """Makes the adapters of recorded models by their ids; `InvalidRecordError` for a file that is no recording."""

    def __init__(self, configs: Mapping[str, RecordedConfig]) -> None:
        self._configs = configs

    def __contains__(self, model: str) -> bool:
        return model in self._configs

    def router(self, model: str) -> "RecordedRouter":
        """The model under test, or the reference router."""
        from plugineval.clients.recorded.router import RecordedRouter

        recording, name = self._player(model)
        return RecordedRouter(model, recording, name)

    def routers(self, models: "tuple[str, ...]") -> dict[str, Router]:
        """Those of `models` that are recorded."""
        return {model: self.router(model) for model in models if model in self}

    def chat(self, model: str) -> "ChatModel":
        """Who plays a role, behind `ledger`."""
        from plugineval.clients.recorded.chat import RecordedChat

        return RecordedChat(model, self._player(model).recording.name)

    def ledger(self, inner: Ledger, models: "tuple[str, ...]", replayed: "Counter[str] | None" = None) -> Ledger:
        """`inner`, behind the answers of those of `models` that are recorded; `replayed` counts them by stage."""
        players = {model: self._player(model) for model in models if model in self}
        if not players:
            return inner
        from plugineval.clients.recorded.ledger import RecordedLedger

        return RecordedLedger(inner, players, replayed)

    def _player(self, model: str) -> "RecordedPlayer":
        from plugineval.clients.recorded.ledger import RecordedPlayer
        from plugineval.clients.recorded.reading import read_recording

        config = self._configs[model]
        recording = read_recording(config.path)
        return RecordedPlayer(recording, recording.chosen(config.model, field=model))
