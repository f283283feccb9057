"""The four label shapes: each reachable, nothing else representable, and read back as written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.labels import (
    Label,
    TargetIrrelevant,
    ToolUnnecessary,
    Underspecified,
    ValidInvocation,
    gold_of,
    label_of,
)

LABELS: TypeAdapter[Label] = TypeAdapter(Label)
BITS = st.integers(0, 1)
CALLS = st.builds(Invocation, tool=st.text(min_size=1), arguments=st.dictionaries(st.text(), st.integers() | st.text()))
ABSTENTIONS = st.none() | st.builds(Abstention, reason=st.text(), missing=st.lists(st.text()).map(tuple))
SHAPES = {(0, 0): ToolUnnecessary, (1, 0): TargetIrrelevant, (1, 1): Underspecified}


@pytest.mark.requirement("P5", "P6", "P7")
@given(l1=BITS, l2=BITS, theta=CALLS | ABSTENTIONS)
def test_every_triple_is_one_of_four_shapes_or_an_error(
    l1: int, l2: int, theta: Invocation | Abstention | None
) -> None:
    if isinstance(theta, Invocation) and (l1, l2) == (1, 1):
        assert label_of(l1, l2, theta) == ValidInvocation(gold=theta)
    elif not isinstance(theta, Invocation) and (l1, l2) in SHAPES:
        assert type(label_of(l1, l2, theta)) is SHAPES[l1, l2]
    else:
        with pytest.raises(InvalidRecordError, match=r"\(1,1,theta\)"):
            label_of(l1, l2, theta)


@pytest.mark.requirement("P6", "P7")
@pytest.mark.parametrize(
    "wrong",
    [
        {"shape": "tool_unnecessary", "levels": "01"},
        {"shape": "tool_unnecessary", "gold": {"kind": "invocation", "tool": "t"}},
        {"shape": "target_irrelevant", "levels": "11"},
        {"shape": "target_irrelevant", "missing": ["x"]},
        {"shape": "underspecified", "gold": {"kind": "invocation", "tool": "t"}},
        {"shape": "valid_invocation"},
        {"shape": "valid_invocation", "levels": "10", "gold": {"kind": "invocation", "tool": "t"}},
        {"shape": "valid_invocation", "gold": {"kind": "abstention"}},
        {"shape": "other"},
    ],
)
def test_no_other_combination_can_be_read_from_a_store(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LABELS.validate_python(wrong)


@given(CALLS | ABSTENTIONS)
def test_a_label_is_read_back_as_it_was_written(theta: Invocation | Abstention | None) -> None:
    label = label_of(1, 1, theta)
    assert LABELS.validate_json(LABELS.dump_json(label)) == label


@given(CALLS)
def test_the_gold_of_a_valid_invocation_is_the_call_and_of_the_others_an_abstention(call: Invocation) -> None:
    assert gold_of(ValidInvocation(gold=call)) == call
    assert gold_of(Underspecified(missing=("x",))) == Abstention(missing=("x",))
    assert gold_of(ToolUnnecessary()) == gold_of(TargetIrrelevant()) == Abstention()
