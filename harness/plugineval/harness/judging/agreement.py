"""Two judges over the same questions: what the one says where the other says what, never a silent replacement (X9)."""

from collections import Counter
from collections.abc import Mapping

from plugineval.harness.agreement import PairAgreement, agreement_of_counts
from plugineval.harness.questions import Settlement
from plugineval.pccf.values import Value

_VERDICTS = ("equal", "different", "failure")


class JudgeAgreement(Value):
    """The agreement table, with what it leaves out."""

    first: str
    """Ids of the judges; several, joined, where a set of settlements mixes them."""
    second: str
    common: int
    only_first: int
    only_second: int
    table: dict[str, dict[str, int]]
    """Verdict of the first -> verdict of the second -> questions, over the common ones."""
    subtypes: dict[str, dict[str, int]]
    """The same for subtypes (`none` where not given), over the questions that both call different."""
    agreement: PairAgreement
    """Over the questions on which both gave a verdict."""


def compare_judges(first: Mapping[str, Settlement], second: Mapping[str, Settlement]) -> JudgeAgreement:
    """Compare settlements by the keys of their questions."""
    common = [(first[key], second[key]) for key in first if key in second]
    verdicts: Counter[tuple[str, str]] = Counter((one.verdict, other.verdict) for one, other in common)
    different = [pair for pair in common if pair[0].verdict == pair[1].verdict == "different"]
    subtypes = Counter((_subtype(one), _subtype(other)) for one, other in different)
    names = sorted({name for pair in subtypes for name in pair})
    return JudgeAgreement(
        first=_judges(first),
        second=_judges(second),
        common=len(common),
        only_first=len(first) - len(common),
        only_second=len(second) - len(common),
        table={one: {other: verdicts[one, other] for other in _VERDICTS} for one in _VERDICTS},
        subtypes={one: {other: subtypes[one, other] for other in names} for one in names},
        agreement=agreement_of_counts({pair: number for pair, number in verdicts.items() if "failure" not in pair}),
    )


def _judges(settlements: Mapping[str, Settlement]) -> str:
    return ", ".join(sorted({settlement.judge for settlement in settlements.values()}))


def _subtype(settlement: Settlement) -> str:
    return settlement.subtype.value if settlement.subtype else "none"
