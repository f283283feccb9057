"""What an accepted negative still has to show: how hard it is for the frozen reference router, in K runs (P30, P31)."""

from collections.abc import Callable
from datetime import datetime

from plugineval.pccf.calibration.reference import ReferenceRouter
from plugineval.pccf.calibration.runs import CalibrationTask, calibrate
from plugineval.pccf.construction.examining.drafts import Observed
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset


class Negatives:
    """Settles accepted negatives on one router."""

    def __init__(self, router: ReferenceRouter, toolset: Toolset, clock: Callable[[], datetime]) -> None:
        self._router, self._toolset, self._clock = router, toolset, clock

    async def settle(
        self, record: VerificationRecord, kind: ScenarioKind
    ) -> tuple[VerificationRecord, Observed | None]:
        """`record` with its runs, and what they show; without any usable run, or cut short, it is undecided."""
        task = CalibrationTask(
            case=record.id, query=record.query, toolset=self._toolset, kind=kind, target=record.target
        )
        found = await calibrate(task, self._router)
        shown = {
            "router_replies": tuple(run.model_dump(mode="json") for run in found.runs),
            "p_k": found.p_k,
            "finished_at": self._clock(),
        }
        if found.difficulty is not None:
            return record.model_copy(update=shown), Observed(difficulty=found.difficulty)
        why = "a hard limit cut the calibration short" if found.cut_short else "no usable run of the reference router"
        undecided = {"verdict": "undecided", "reason": why, "label": None, "p_k": None}
        return record.model_copy(update={**shown, **undecided}), None
