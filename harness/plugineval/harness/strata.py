"""The same rates by difficulty, by kind of negative, and by repeat."""

from plugineval.harness.rates import accuracy_of, recall_of, specificity_of
from plugineval.harness.tally import Cell, Tally
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Value

UNKNOWN = "unknown"


class Stratum(Value):
    """Positives and negatives of one difficulty."""

    recall: Rate
    specificity: Rate


class RepeatRates(Value):
    """One repeat of the whole run."""

    repeat: int
    recall: float | None
    accuracy: float | None


class Spread(Value):
    """Run-to-run spread (B7): largest minus smallest value over the repeats; None with fewer than two."""

    repeats: tuple[RepeatRates, ...]
    recall: float | None
    accuracy: float | None


def by_difficulty(tally: Tally, repeats: int) -> dict[str, Stratum]:
    """Difficulty -> its rates, easy first, for the difficulties that occur; `unknown` where a case has none."""
    parts = tally.where(lambda cell: cell.verdict.confusion is not None).split(lambda cell: cell.verdict.difficulty)
    return {
        difficulty.value if difficulty else UNKNOWN: Stratum(
            recall=recall_of(parts[difficulty], repeats), specificity=specificity_of(parts[difficulty], repeats)
        )
        for difficulty in (*Difficulty, None)
        if difficulty in parts
    }


def by_negative_kind(tally: Tally, repeats: int) -> dict[str, Rate]:
    """Kind of negative -> TN / (TN + FP); the sample type stands in where a case names no scenario kind."""
    parts = tally.where(lambda cell: cell.negative).split(_kind)
    return {name: specificity_of(parts[name], repeats) for name in sorted(parts, key=_order)}


def spread_of(tally: Tally) -> Spread:
    """Recall and accuracy of every repeat, and how far apart they lie."""
    parts = tally.split(lambda cell: cell.repeat)
    rates = [
        RepeatRates(repeat=repeat, recall=recall_of(part, 1).value, accuracy=accuracy_of(part, 1).value)
        for repeat, part in sorted(parts.items())
    ]
    return Spread(
        repeats=tuple(rates),
        recall=_range([rate.recall for rate in rates]),
        accuracy=_range([rate.accuracy for rate in rates]),
    )


def _range(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known) - min(known) if len(known) > 1 else None


def _kind(cell: Cell) -> str:
    return cell.verdict.scenario_kind.value if cell.verdict.scenario_kind else cell.verdict.sample_type.value


def _order(name: str) -> tuple[int, str]:
    kinds = [kind.value for kind in ScenarioKind]
    return (kinds.index(name) if name in kinds else len(kinds), name)
