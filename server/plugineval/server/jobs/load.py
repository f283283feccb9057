"""What the endpoints of a run make calls wait for, told while it happens and counted when it is over."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from plugineval.pccf.values import Json

if TYPE_CHECKING:
    from plugineval.clients.models.load import Load


class LoadWatch:
    """Watches the load of every model behind an endpoint; models of one endpoint share theirs."""

    def __init__(self, loads: "Mapping[str, Load]", report: Callable[[int, int, str], None]) -> None:
        """`report` is told (done, in all, words)."""
        self._loads = loads
        self._report = report
        self._done, self._total = 0, 0
        for load in loads.values():
            load.on_change = self._tell

    def progress(self, done: int, total: int) -> None:
        """Hand progress on, with what calls wait for."""
        self._done, self._total = done, total
        self._tell()

    @property
    def counts(self) -> dict[str, Json]:
        """Model -> its endpoint's counts."""
        return {model: asdict(load.counts) for model, load in self._loads.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to wait, as notes of a run; nothing where nothing did."""
        told = {model: load.counts.sentence for model, load in self._loads.items()}
        return tuple(f"Load of {model}'s endpoint: {sentence}" for model, sentence in told.items() if sentence)

    def _tell(self) -> None:
        waiting = dict.fromkeys(load.state for load in self._loads.values() if load.state)
        self._report(self._done, self._total, "; ".join(["calls", *waiting]))
