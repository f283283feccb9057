import anyio
import pytest

from doubles.construction import DOWN, MemoryLedger, ScriptedRouter, calling, tool
from plugineval.pccf.calibration.reference import ReferenceRouter, freeze
from plugineval.pccf.calibration.runs import Calibration, CalibrationTask, calibrate
from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P30", "P31", "D9")]

TASK = CalibrationTask(
    case="record-1",
    query=Query.of_text("hello"),
    toolset=Toolset(tools=(tool("target"), tool("other"))),
    kind=ScenarioKind.TYPE_B,
    target="target",
)
RIGHT, WRONG, NO_VOTE = calling("other"), calling("target"), RouterReply(failure=DOWN)


def reference(router: ScriptedRouter, ledger: MemoryLedger, *, temperature: float | None = None) -> ReferenceRouter:
    calls = RoleCalls(ledger=ledger, limiter=anyio.CapacityLimiter(2))
    return ReferenceRouter(router=router, freeze=freeze(router, runs=5, temperature=temperature), calls=calls)


async def calibrated(*replies: RouterReply) -> tuple[Calibration, ScriptedRouter, MemoryLedger]:
    router, ledger = ScriptedRouter(script=lambda query, seed: replies[seed]), MemoryLedger()
    return await calibrate(TASK, reference(router, ledger)), router, ledger


@pytest.mark.parametrize(
    ("replies", "p_k", "difficulty"),
    [
        ((RIGHT,) * 5, 1.0, Difficulty.EASY),
        ((WRONG,) * 5, 0.0, Difficulty.HARD),
        ((WRONG, RIGHT, WRONG, WRONG, WRONG), 0.2, Difficulty.MEDIUM),
        ((NO_VOTE, RIGHT, RIGHT, NO_VOTE, WRONG), 2 / 3, Difficulty.MEDIUM),
        ((NO_VOTE, RIGHT, NO_VOTE, NO_VOTE, NO_VOTE), 1.0, Difficulty.EASY),
        ((NO_VOTE,) * 5, None, None),
    ],
)
async def test_p_k_is_the_share_of_usable_runs_that_agree(
    replies: tuple[RouterReply, ...], p_k: float | None, difficulty: Difficulty | None
) -> None:
    found, router, _ = await calibrated(*replies)
    assert (found.p_k, found.difficulty) == (p_k, difficulty)
    assert [run.seed for run in found.runs] == [0, 1, 2, 3, 4]
    assert sorted(seed for _, seed in router.asked) == [0, 1, 2, 3, 4]
    assert found.failed == sum(reply is NO_VOTE for reply in replies)
    assert found.usable == 5 - found.failed


async def test_each_run_shows_its_calls_or_its_failure() -> None:
    found, _, _ = await calibrated(RIGHT, WRONG, NO_VOTE, calling(), RIGHT)
    shown = [(run.calls, run.agrees, run.failure) for run in found.runs[:4]]
    assert shown == [
        ((("other", {}),), True, None),
        ((("target", {}),), False, None),
        ((), None, DOWN),
        ((), True, None),
    ]


async def test_a_recorded_run_is_not_made_again_but_a_failed_one_is() -> None:
    _, _, ledger = await calibrated(RIGHT, RIGHT, NO_VOTE, RIGHT, RIGHT)
    router = ScriptedRouter(script=lambda query, seed: WRONG)
    found = await calibrate(TASK, reference(router, ledger))
    assert [seed for _, seed in router.asked] == [2]
    assert found.p_k == 0.8


async def test_another_freeze_is_another_call() -> None:
    _, _, ledger = await calibrated(*(RIGHT,) * 5)
    router = ScriptedRouter(script=lambda query, seed: WRONG)
    assert (await calibrate(TASK, reference(router, ledger, temperature=0.7))).p_k == 0.0
    changed = ScriptedRouter(script=lambda query, seed: WRONG, prompt_hash="prompt-2")
    assert (await calibrate(TASK, reference(changed, ledger))).p_k == 0.0


def test_the_freeze_names_model_prompt_temperature_and_seeds() -> None:
    frozen = freeze(ScriptedRouter(), runs=3, temperature=0.0)
    assert (frozen.model, frozen.prompt_hash, frozen.temperature, frozen.seeds) == (
        "scripted-router",
        "prompt-1",
        0.0,
        (0, 1, 2),
    )
