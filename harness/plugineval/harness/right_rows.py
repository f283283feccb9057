"""The row that needs no evidence: every emitted call is its gold call to the letter, and its schema agrees.

Most rows of a good model are such rows. What is said of them here is what the long way would say, only sooner.
"""

from collections.abc import Sequence

from plugineval.harness.cases import Case
from plugineval.harness.comparing import Comparing
from plugineval.harness.outcomes import Confusion, GradedRow, Outcome
from plugineval.harness.prepared_tools import prepared
from plugineval.pccf.examples import SampleType
from plugineval.pccf.routing import EmittedCall

_RIGHT = vars(
    GradedRow(
        case_id="",
        model="",
        repeat=0,
        sample_type=SampleType.POSITIVE,
        outcome=Outcome.CORRECT,
        outcome_strict=Outcome.CORRECT,
        confusion=Confusion.TP,
        called=True,
        right_tools=True,
        schema_valid=True,
    )
)


def right_row(
    identity: dict[str, object], case: Case, calls: Sequence[EmittedCall], comparing: Comparing
) -> GradedRow | None:
    """The graded row; None for every row that must be looked at."""
    gold = case.gold
    if not gold or len(gold) != len(calls) or case.sample_type is not SampleType.POSITIVE:
        return None
    tools = case.toolset.by_name
    for wanted, call in zip(gold, calls, strict=True):
        spec = tools.get(wanted.tool)
        if spec is None or call.name != wanted.tool or not comparing.plainly_equal(wanted, call):
            return None
        if call.arguments is None or prepared(spec).check(call.arguments) != _NOTHING_FOUND:
            return None
    return GradedRow.trusted({**_RIGHT, **identity})


_NOTHING_FOUND = ((), ())
