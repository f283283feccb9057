"""How many calls a construction makes, role by role: at least, as expected, and at most.

With N examples wanted, P of them positive and G negative (U of those underspecified, whose abstention Stage I verifies
as it verifies a call), T tools, A annotators, M generators, R rounds, K runs, S strengthenings, and a `Course` that
says how it goes:

    candidates  C = p P + g G, where p and g queries are written for one example
    writer      T derivations + one call per unit and pass + S' per accepted negative
    annotators  A (2 C - the share of Type A, which level 1 settles)
    verified    V = v p P + v g U: what the votes let pass to Stage I
    generators  M r V in r rounds each
    S_arg       d r V: alike proposals of one round are judged once
    plugins     x d r V, + one repetition per accepted positive
    S_out       of each execution
    depth       one per accepted positive, a P
    router      K per accepted negative, (1 + S') b G with S' strengthenings each; each adds its votes

`LEAST` is the course on which everything is right at once, `MOST` the one on which nothing is until a bound is met;
`EXPECTED` is calibrated on constructions that were made.
"""

from dataclasses import dataclass

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.values import Value

KINDS_OF_NEGATIVES = 4
"""Types A, B and C and the underspecified: budgets give each the same."""
UNITS_PER_TOOL = 18
"""Coverage units that one tool gives, about: six scenarios at three difficulties."""


class Range(Value):
    """A number that is known only about: at least, as expected, at most."""

    low: float
    expected: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        """Both together."""
        return Range(low=self.low + other.low, expected=self.expected + other.expected, high=self.high + other.high)

    def times(self, factor: float) -> "Range":
        """Each `factor` times as much."""
        return Range(low=self.low * factor, expected=self.expected * factor, high=self.high * factor)

    def rounded(self) -> "Range":
        """In whole numbers."""
        return Range(low=round(self.low), expected=round(self.expected), high=round(self.high))


@dataclass(frozen=True, kw_only=True)
class Course:
    """How a construction goes, per candidate; infinite values are cut at what the configuration allows."""

    written_per_positive: float
    written_per_negative: float
    passes: float
    """Writing calls per coverage unit."""
    voted: float
    """Share of the candidates that filters and votes let pass."""
    rounds: float
    distinct: float
    """Different proposals per round."""
    executed: float
    """Share of the distinct proposals that are executed."""
    accepted: float
    """Share of the candidates that are verified at last, among those that need nothing but an annotator included."""
    strengthened: float
    """Strengthenings per accepted negative."""


_NO_BOUND = float("inf")
LEAST = Course(
    written_per_positive=1,
    written_per_negative=1,
    passes=1,
    voted=1,
    rounds=1,
    distinct=1,
    executed=1,
    accepted=1,
    strengthened=0,
)
EXPECTED = Course(
    written_per_positive=1.5,
    written_per_negative=2.5,
    passes=2.5,
    voted=0.9,
    rounds=1.2,
    distinct=1.3,
    executed=0.95,
    accepted=0.85,
    strengthened=0.6,
)
MOST = Course(
    written_per_positive=_NO_BOUND,
    written_per_negative=_NO_BOUND,
    passes=_NO_BOUND,
    voted=1,
    rounds=_NO_BOUND,
    distinct=_NO_BOUND,
    executed=1,
    accepted=1,
    strengthened=_NO_BOUND,
)


class Calls(Value):
    """Calls by role."""

    writer: float
    annotators: float
    generators: float
    argument_evaluator: float
    plugins: float
    result_evaluator: float
    depth: float
    router: float


def calls_of(config: BuildConfig, *, tools: int, executable: int, annotators: int, course: Course) -> Calls:
    """The calls of one construction on one course, as the docstring of this module has them.

    `executable` of the `tools` may be executed: where none may, there are no positives and no underspecified.
    """
    made = _Made(config, course, executable=executable > 0)
    verified, accepted = made.verified, made.accepted_negatives
    judged = min(course.distinct, config.verification.generators) * made.rounds * verified
    content = config.verification.content_validation
    executions = judged * course.executed
    units = min(config.size, UNITS_PER_TOOL * tools)
    writing = min(course.passes * units, made.candidates + units)
    strengthenings = made.strengthened * accepted
    # Type A is settled at level 1 where the votes are as expected.
    votes = 2 * made.candidates - made.negatives / KINDS_OF_NEGATIVES + 2 * strengthenings
    return Calls(
        writer=tools + writing + strengthenings,
        annotators=annotators * votes,
        generators=config.verification.generators * made.rounds * verified,
        argument_evaluator=judged if content else 0,
        plugins=executions + (made.accepted_positives if config.repeat_gold else 0),
        result_evaluator=executions if content else 0,
        depth=made.accepted_positives,
        router=config.calibration_runs * (accepted + strengthenings),
    )


class _Made:
    """The candidates of one course, and how far they come."""

    def __init__(self, config: BuildConfig, course: Course, *, executable: bool) -> None:
        most = float(config.candidates_per_example) if config.closed_loop else 1.0
        negative = config.size * (config.negative_share if executable else 1.0)
        self.negatives = negative * min(course.written_per_negative, most)
        self.positives = (config.size - negative) * min(course.written_per_positive, most)
        self.candidates = self.positives + self.negatives
        underspecified = self.negatives / KINDS_OF_NEGATIVES if executable else 0.0
        self.verified = course.voted * (self.positives + underspecified)
        self.accepted_positives = course.accepted * self.positives
        self.accepted_negatives = course.accepted * self.negatives
        self.rounds = min(course.rounds, config.verification.max_rounds)
        self.strengthened = min(course.strengthened, config.strengthening) if config.closed_loop else 0.0
