import pytest

from doubles.construction import DOWN, calling
from plugineval.pccf.calibration.agreement import agrees
from plugineval.pccf.calibration.difficulty import behavioural_difficulty, inference_difficulty
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.scenarios import ScenarioKind

A, B, C, U = ScenarioKind.TYPE_A, ScenarioKind.TYPE_B, ScenarioKind.TYPE_C, ScenarioKind.UNDERSPECIFIED
GARBLED = RouterReply(calls=(EmittedCall(name="target", arguments=None, raw_arguments="{", problem="not JSON"),))


@pytest.mark.requirement("P26")
@pytest.mark.parametrize(("steps", "difficulty"), [(0, "easy"), (1, "medium"), (2, "hard"), (5, "hard")])
def test_a_positive_is_as_hard_as_its_inference_is_deep(steps: int, difficulty: str) -> None:
    assert inference_difficulty(("step",) * steps) is Difficulty(difficulty)


@pytest.mark.requirement("P31")
@pytest.mark.parametrize(("p_k", "difficulty"), [(0.0, "hard"), (0.2, "medium"), (0.999, "medium"), (1.0, "easy")])
def test_a_negative_is_as_hard_as_the_router_finds_it(p_k: float, difficulty: str) -> None:
    assert behavioural_difficulty(p_k) is Difficulty(difficulty)


@pytest.mark.requirement("P30", "D5", "D15")
@pytest.mark.parametrize(
    ("kind", "reply", "expected"),
    [
        (A, calling(), True),
        (A, calling("other"), False),
        (A, calling("target"), False),
        *((kind, calling(), True) for kind in (B, C, U)),
        *((kind, calling("other"), True) for kind in (B, C, U)),
        *((kind, calling("other", "target"), False) for kind in (B, C, U)),
        *((kind, GARBLED, False) for kind in (A, B, C, U)),
        *((kind, RouterReply(failure=DOWN), None) for kind in (A, B, C, U)),
    ],
)
def test_a_reply_agrees_with_the_label_as_its_kind_demands(
    kind: ScenarioKind, reply: RouterReply, expected: bool | None
) -> None:
    assert agrees(kind, "target", reply) is expected


def test_agreement_is_not_defined_for_a_positive() -> None:
    with pytest.raises(ValueError, match="negatives only"):
        agrees(ScenarioKind.TRIGGER, "target", calling())
