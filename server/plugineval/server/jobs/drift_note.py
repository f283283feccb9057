"""What came of laying a run beside its baseline, in short; `plugineval drift` shows the whole."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.values import Value

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class DriftNote(Value):
    """One comparison."""

    baseline: str
    run_id: str
    compared: bool = True
    """False where `sentence` says why not."""
    moved: bool = False
    """Whether any metric moved by more than its interval and the run-to-run spread."""
    sentence: str
    expired: tuple[str, ...] = ()
    """Why the numbers of the baseline do not hold any more: its date, other tools, gold or models."""

    @property
    def told(self) -> str:
        """For people, what no longer holds first. Names of tools and models in it are data."""
        lead = f"{self.baseline} has expired ({'; '.join(self.expired)}). " if self.expired else ""
        return f"{lead}{self.run_id} against {self.baseline}: {self.sentence}"


async def drift_note(store: "Store", baseline: str | None, run_id: str) -> DriftNote | None:
    """What moved from `baseline` to `run_id`, which has its report; None where there is no baseline.

    Two runs that cannot be compared are told of, and have not moved.
    """
    from plugineval.harness.rendering.drift_tables import drift_sentence
    from plugineval.server.jobs.drift import drift_between
    from plugineval.server.jobs.reading import expiry_now, read_report

    if baseline is None:
        return None
    try:
        expiry = await expiry_now(store, await read_report(store, baseline), datetime.now(UTC))
        found = await drift_between(store, baseline, run_id)
    except PluginEvalError as error:
        return DriftNote(baseline=baseline, run_id=run_id, compared=False, sentence=str(error))
    expired = tuple(f"{reason.kind.value} {reason.what}: {reason.detail}" for reason in expiry.reasons)
    sentence = drift_sentence(found)
    return DriftNote(baseline=found.old_run, run_id=run_id, moved=found.moved, sentence=sentence, expired=expired)
