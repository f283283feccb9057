"""K runs of a verified negative on the frozen reference router, and the difficulty that they show (P30, P31)."""

from functools import partial

from plugineval.pccf.calibration.agreement import agrees
from plugineval.pccf.calibration.difficulty import behavioural_difficulty
from plugineval.pccf.calibration.reference import ReferenceRouter
from plugineval.pccf.calling import in_order
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.routing import Failure, FailureKind, RouterReply
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, Value


class CalibrationTask(Value):
    """A verified negative that is to be calibrated. `case` names it in the journal."""

    case: str
    query: Query
    toolset: Toolset
    kind: ScenarioKind
    target: str


class CalibrationRun(Value):
    """One run: which tools were called with what, and whether that agrees with the label (None: no vote)."""

    seed: int
    agrees: bool | None
    calls: tuple[tuple[str, Json], ...] = ()
    """Name and arguments of each call; arguments that cannot be read are given raw."""
    failure: Failure | None = None


class Calibration(Value):
    """All runs, by seed."""

    runs: tuple[CalibrationRun, ...]

    @property
    def usable(self) -> int:
        """Runs that are a vote: the denominator of p_K."""
        return sum(run.agrees is not None for run in self.runs)

    @property
    def failed(self) -> int:
        """Runs whose router could not be reached or read: counted apart, never a vote."""
        return len(self.runs) - self.usable

    @property
    def p_k(self) -> float | None:
        """Share of the usable runs that agree with the label; None where there is none."""
        return sum(run.agrees is True for run in self.runs) / self.usable if self.usable else None

    @property
    def cut_short(self) -> bool:
        """Whether a hard limit kept a run from being made: fewer runs than were asked for decide nothing."""
        failures = (run.failure for run in self.runs)
        return any(failure is not None and failure.kind is FailureKind.LIMIT_REACHED for failure in failures)

    @property
    def difficulty(self) -> Difficulty | None:
        """d_beh; None where no run is usable or the runs were cut short: the candidate stays undecided."""
        return None if self.p_k is None or self.cut_short else behavioural_difficulty(self.p_k)


async def calibrate(task: CalibrationTask, router: ReferenceRouter) -> Calibration:
    """Run `task` once per frozen seed, concurrently; runs already in the journal cost nothing."""
    calls = [partial(_run, task, router, seed) for seed in router.freeze.seeds]
    return Calibration(runs=tuple(await in_order(calls)))


async def _run(task: CalibrationTask, router: ReferenceRouter, seed: int) -> CalibrationRun:
    reply = await router.reply(task.case, task.query, task.toolset, seed)
    return CalibrationRun(
        seed=seed,
        agrees=agrees(task.kind, task.target, reply),
        calls=_calls(reply),
        failure=reply.failure,
    )


def _calls(reply: RouterReply) -> tuple[tuple[str, Json], ...]:
    return tuple((call.name, call.raw_arguments if call.arguments is None else call.arguments) for call in reply.calls)
