"""What a report counts of a row, without what it only shows: so many rows can be counted as none could be read whole.

Equal verdicts are few; whoever reads rows makes each once.
"""

from functools import lru_cache
from typing import NamedTuple, Self

from plugineval.harness.attempts import Attempt
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.spending import Spent


class Steps(NamedTuple):
    """What is true of a row beside its verdict: the metrics of B9, and what is flagged (D6, D14)."""

    called: bool = False
    right_tools: bool = False
    schema_valid: bool = False
    coerced: bool = False
    extra: bool = False
    unsafe_extra: bool = False

    @classmethod
    def of(cls, row: GradedRow) -> Self:
        """Those of a row."""
        return cls(
            called=row.called,
            right_tools=row.right_tools,
            schema_valid=row.schema_valid,
            coerced=bool(row.coerced),
            extra=bool(row.extra_calls),
            unsafe_extra=bool(row.unsafe_extra_calls),
        )

    @classmethod
    def read(cls, bits: int) -> Self:
        """Those that were written as `bits`."""
        return cls(*(bool(bits >> place & 1) for place in range(len(cls._fields))))

    @property
    def bits(self) -> int:
        """All of them as one number: the first is its lowest bit."""
        return sum(true << place for place, true in enumerate(self))


class RowVerdict(NamedTuple):
    """All that rows have in common that are counted together, but for their repeat."""

    difficulty: Difficulty | None
    sample_type: SampleType
    scenario_kind: ScenarioKind | None
    outcome: Outcome | None
    confusion: Confusion | None
    category: ErrorCategory | None
    subtype: ParameterSubtype | None
    exclusion: Exclusion | None
    steps: Steps

    @classmethod
    def of(cls, row: GradedRow) -> Self:
        """That of a row."""
        kinds = (row.difficulty, row.sample_type, row.scenario_kind, row.outcome, row.confusion)
        return cls(*kinds, row.category, row.subtype, row.exclusion, _shared(Steps.of(row)))


class Cost(NamedTuple):
    """What an answer took, as it was written with it."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None where no price is known."""

    @classmethod
    def of(cls, spent: Spent) -> Self:
        """That of an answer."""
        return cls(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost)


class RowFacts(NamedTuple):
    """One row of a run."""

    model: str
    case_id: str
    repeat: int
    variant: str
    verdict: RowVerdict
    served: str
    """What the provider said had answered; empty where it said nothing."""
    cost: Cost | None
    """None: nothing is known of it."""
    row: GradedRow | None
    """The whole row, at least where more of it counts: of parameter errors and of judge failures."""

    @property
    def whole(self) -> GradedRow:
        """The whole row; our bug (`ValueError`) where it was left away."""
        if self.row is None:
            raise ValueError(f"the row of {self.model} on {self.case_id} was not read whole")
        return self.row

    @classmethod
    def of(cls, attempt: Attempt, row: GradedRow) -> Self:
        """Those of a whole row and its attempt."""
        return cls(
            model=row.model,
            case_id=row.case_id,
            repeat=row.repeat,
            variant=row.variant,
            verdict=RowVerdict.of(row),
            served=served_by(attempt),
            cost=cost_of(attempt),
            row=row,
        )


def served_by(attempt: Attempt) -> str:
    """The model that the provider names in its answer; empty where it names none."""
    raw = attempt.reply.raw
    served = raw.get("model") if isinstance(raw, dict) else None
    return served if isinstance(served, str) else ""


def cost_of(attempt: Attempt) -> Cost | None:
    """What is known of the spending of an attempt."""
    spent = attempt.reply.spent
    return None if spent is None else Cost.of(spent)


@lru_cache(maxsize=64)
def _shared(steps: Steps) -> Steps:
    return steps
