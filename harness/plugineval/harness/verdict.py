"""The report's one sentence. It compares on common rows only and claims a difference only where the intervals are
apart and the difference is larger than the run-to-run spread (B7, B24): "no difference found" is a normal answer.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from plugineval.harness.comparison import ModelComparison
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


class Contest:
    """The accuracies on common rows, with the run-to-run spread of every model."""

    def __init__(self, comparison: ModelComparison, spreads: Mapping[str, float | None]) -> None:
        self.rows = comparison.rows
        self._accuracy = {model: result.accuracy for model, result in comparison.models.items()}
        self._spreads = spreads

    def ranked(self, models: Sequence[str]) -> list[str]:
        """Those of `models` that have common rows, best first; ties in the order given."""
        known = [model for model in models if model in self._accuracy and self.rows]
        return sorted(known, key=lambda model: -(self._accuracy[model].value or 0.0))

    def differ(self, first: str, second: str) -> bool:
        """Whether a difference between two models may be claimed."""
        one, other = self._accuracy[first], self._accuracy[second]
        gap = abs((one.value or 0.0) - (other.value or 0.0))
        spread = max(self._spreads.get(first) or 0.0, self._spreads.get(second) or 0.0)
        return not one.overlaps(other) and gap > spread

    def text(self, model: str) -> str:
        """The model with its accuracy."""
        return f"{model} {_percent(self._accuracy[model])}"


def verdict_of(models: Sequence[str], floors: Sequence[str], contest: Contest) -> Verdict:
    """The verdict on `models`, with the best of `floors` as the mark they must pass."""
    ranked, marks = contest.ranked(models), contest.ranked(floors)
    if not ranked:
        return _without_models(models, marks, contest)
    if marks and not _above(ranked[0], marks[0], contest):
        sentence = f"{contest.text(ranked[0])} is not shown to be better than the floor {contest.text(marks[0])}"
        return _say(Finding.NOT_ABOVE_FLOOR, sentence, contest)
    if len(ranked) > 1:
        return _between(ranked, contest)
    if not marks:
        return _say(Finding.MEASURED_ALONE, f"{contest.text(ranked[0])} was measured alone", contest)
    sentence = f"{contest.text(ranked[0])} is better than the best floor, {contest.text(marks[0])}"
    return _say(Finding.ABOVE_FLOOR, sentence, contest)


def _without_models(models: Sequence[str], marks: Sequence[str], contest: Contest) -> Verdict:
    if models or not marks:
        return Verdict(finding=Finding.NOTHING_GRADED, sentence="No rows can be compared, so nothing can be said.")
    sentence = f"Only floors were measured; the best is {contest.text(marks[0])}"
    return _say(Finding.FLOORS_ONLY, sentence, contest)


def _between(ranked: Sequence[str], contest: Contest) -> Verdict:
    leader = ranked[0]
    level = [model for model in ranked[1:] if not contest.differ(leader, model)]
    behind = [contest.text(model) for model in ranked[1:] if model not in level]
    if level:
        sentence = "No difference found between " + _list([contest.text(model) for model in (leader, *level)])
        sentence += f"; behind: {_list(behind)}" if behind else ""
        return _say(Finding.NO_DIFFERENCE, sentence, contest)
    return _say(Finding.AHEAD, f"{contest.text(leader)} is ahead of {_list(behind)}", contest)


def _above(model: str, floor: str, contest: Contest) -> bool:
    return contest.ranked([floor, model])[0] == model and contest.differ(model, floor)


def _say(finding: Finding, sentence: str, contest: Contest) -> Verdict:
    return Verdict(finding=finding, sentence=f"{sentence} (accuracy on {contest.rows} common rows).")


def _list(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


def _percent(rate: Rate) -> str:
    return f"{100 * (rate.value or 0.0):.1f} % ({rate.numerator}/{rate.denominator})"
