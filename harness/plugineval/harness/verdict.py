"""The report's one sentence. It compares on common rows only and claims a difference only where the exact McNemar test
shows one that is larger than the run-to-run spread (B7, B24, D11). "No difference found" is a normal answer, and comes
with the number of cases that would settle it.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from plugineval.harness.comparison import ModelComparison, PairResult
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class Finding(StrEnum):
    """What the sentence says, for scripts."""

    NOTHING_GRADED = "nothing_graded"
    FLOORS_ONLY = "floors_only"
    MEASURED_ALONE = "measured_alone"
    NOT_ABOVE_FLOOR = "not_above_floor"
    ABOVE_FLOOR = "above_floor"
    NO_DIFFERENCE = "no_difference"
    AHEAD = "ahead"


class Verdict(Value):
    """The finding and its sentence. Model ids in it are data: escape before rendering."""

    finding: Finding
    sentence: str

    def with_remark(self, remark: str) -> Self:
        """The same finding, and what has to be known to read it."""
        return self.model_copy(update={"sentence": f"{self.sentence} {remark}"}) if remark else self


class Contest:
    """The accuracies on common rows and what may be said of each pair."""

    def __init__(self, comparison: ModelComparison) -> None:
        self.comparison = comparison
        self.rows = comparison.rows
        self._accuracy = {model: result.accuracy for model, result in comparison.models.items()}

    def ranked(self, models: Sequence[str]) -> list[str]:
        """Those of `models` that have common rows, best first; ties in the order given."""
        known = [model for model in models if model in self._accuracy and self.rows]
        return sorted(known, key=lambda model: -(self._accuracy[model].value or 0.0))

    def pair(self, first: str, second: str) -> PairResult:
        """The pair of two models with common rows; our bug (`KeyError`) where there is none."""
        found = self.comparison.pair(first, second)
        if found is None:
            raise KeyError((first, second))
        return found

    def ahead(self, first: str, second: str) -> bool:
        """Whether `first` may be called better than `second`."""
        found = self.pair(first, second)
        return found.differs and found.first == first

    def settling(self, first: str, second: str) -> str:
        """What would settle a pair of which no difference is claimed."""
        config = self.comparison.config or StatisticsConfig()
        return _settling(self.pair(first, second), config.alpha)

    def text(self, model: str) -> str:
        """The model with its accuracy."""
        return f"{model} {_percent(self._accuracy[model])}"


def verdict_of(models: Sequence[str], floors: Sequence[str], contest: Contest) -> Verdict:
    """The verdict on `models`, with the best of `floors` as the mark they must pass."""
    ranked, marks = contest.ranked(models), contest.ranked(floors)
    if not ranked:
        return _without_models(models, marks, contest)
    if marks and not contest.ahead(ranked[0], marks[0]):
        sentence = f"{contest.text(ranked[0])} is not shown to be better than the floor {contest.text(marks[0])}"
        return _say(Finding.NOT_ABOVE_FLOOR, sentence + contest.settling(ranked[0], marks[0]), contest)
    if len(ranked) > 1:
        return _between(ranked, contest)
    if not marks:
        return _say(Finding.MEASURED_ALONE, f"{contest.text(ranked[0])} was measured alone", contest)
    sentence = f"{contest.text(ranked[0])} is better than the best floor, {contest.text(marks[0])}"
    return _say(Finding.ABOVE_FLOOR, sentence, contest, contest.pair(ranked[0], marks[0]))


def p_text(p: float) -> str:
    """`p = 0.031`, or `p < 0.001`."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def _without_models(models: Sequence[str], marks: Sequence[str], contest: Contest) -> Verdict:
    if models or not marks:
        return Verdict(finding=Finding.NOTHING_GRADED, sentence="No rows can be compared, so nothing can be said.")
    sentence = f"Only floors were measured; the best is {contest.text(marks[0])}"
    return _say(Finding.FLOORS_ONLY, sentence, contest)


def _between(ranked: Sequence[str], contest: Contest) -> Verdict:
    leader = ranked[0]
    level = [model for model in ranked[1:] if not contest.ahead(leader, model)]
    behind = [contest.text(model) for model in ranked[1:] if model not in level]
    if level:
        sentence = "No difference found between " + _list([contest.text(model) for model in (leader, *level)])
        sentence += f"; behind: {_list(behind)}" if behind else ""
        return _say(Finding.NO_DIFFERENCE, sentence + contest.settling(leader, level[0]), contest)
    hardest = max((contest.pair(leader, model) for model in ranked[1:]), key=lambda pair: pair.p_adjusted)
    return _say(Finding.AHEAD, f"{contest.text(leader)} is ahead of {_list(behind)}", contest, hardest)


def _settling(pair: PairResult, alpha: float) -> str:
    """Why no difference is claimed, and what would settle it."""
    shown = f"{100 * pair.detectable:.1f} points"
    if pair.difference.value == 0 and pair.only_first == pair.only_second:
        return f"; the gap is zero, and a run of this size would show one of about {shown}"
    if pair.p_adjusted < alpha and pair.noise is not None:
        return f"; {100 * pair.difference.value:.1f} points lie inside the run-to-run spread"
    test = f"; exact McNemar {p_text(pair.p_adjusted)}"
    if pair.needed is None or pair.only_first <= pair.only_second or pair.needed.with_power <= pair.cases:
        return test
    planned = f"{pair.needed.with_power:,} for {100 * pair.needed.power:.0f} % power"
    if pair.needed.settles <= pair.cases:
        return f"{test}; a difference of this size needs about {planned}"
    return f"{test}; about {pair.needed.settles:,} common cases would settle a difference of this size ({planned})"


def _say(finding: Finding, sentence: str, contest: Contest, tested: PairResult | None = None) -> Verdict:
    rest = [f"accuracy on {contest.rows} common rows"]
    if tested is not None:
        rest.append(f"exact McNemar {p_text(tested.p_adjusted)}")
    noise = [result.noise for result in contest.comparison.models.values() if result.noise is not None]
    rest.append(f"run-to-run spread up to {100 * max(noise):.1f} points" if noise else "one repeat, noise not measured")
    return Verdict(finding=finding, sentence=f"{sentence} ({'; '.join(rest)}).")


def _list(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


def _percent(rate: Rate) -> str:
    return f"{100 * (rate.value or 0.0):.1f} % ({rate.numerator}/{rate.denominator})"
