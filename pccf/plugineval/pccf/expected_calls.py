"""How many calls a construction makes, role by role: at least, as expected, and at most.

N examples are wanted, P positive and G negative, on T tools, of which at most N are aimed at: t = min(T, N). A
annotators vote, M generators propose in up to R rounds, K runs calibrate, and a positive needs l calls of tools. A
`Course` says how it goes:

    candidates  C = c N + h t, at most the synthesis budget: what the first pass leaves short is what is hard to get,
                and is asked for tool by tool; of C, C_g = C * lean * G / N are negative, C_p the others
    writer      T derivations + w N + e t calls for queries + the strengthenings S = s G
    annotators  A ((1 + l) C - C_g / 4 + 2 S): Type A, a fourth of the negatives, is settled at level 1
    generators  M r V in r rounds each, where V = l v (C_p + C_g / 4): the underspecified are verified like calls
    S_arg       d r V: alike proposals of one round are judged once
    plugins     x d r V, + one repetition of each call of the p P accepted positives
    S_out       y of these x d r V
    depth       l p P
    router      K (n G + S) for n G accepted negatives

`LEAST` is the course on which everything is right at once, `MOST` the one on which nothing is until a bound is met;
`EXPECTED` is calibrated on constructions that were made, on servers of 2 to 21 tools. Where generators fail on most of
a server's tools, more is written and every candidate takes all rounds: two to four times as much.
"""

from dataclasses import dataclass
from math import inf

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.values import Value

KINDS_OF_NEGATIVES = 4
"""Types A, B and C and the underspecified: budgets give each the same."""
MOST_LINKS = 2
"""Tools that one request needs; few need more."""


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
    """How a construction goes, with the letters of this module's docstring; the configuration cuts what is infinite."""

    candidates: float
    """c: written per example wanted."""
    hard: float
    """h: written beside that per tool aimed at."""
    lean: float
    """How much more often a negative is written than its share of the examples."""
    writes: float
    """w: writing calls per example wanted."""
    hard_writes: float
    """e: writing calls beside that per tool aimed at."""
    voted: float
    """v: share of the candidates that the votes let pass."""
    rounds: float
    """r."""
    distinct: float
    """d: different proposals per round."""
    executed: float
    """x: share of them that S_arg lets pass."""
    answered: float
    """y: share of the executions that S_out is asked about."""
    positives: float
    """p: accepted per positive wanted, surplus included."""
    negatives: float
    """n: accepted per negative wanted, surplus included."""
    strengthened: float
    """s: strengthenings per negative wanted."""
    links: float
    """l: calls that a positive needs, where requests for several tools are built."""


LEAST = Course(
    candidates=1,
    hard=0,
    lean=1,
    writes=0,
    hard_writes=1,
    voted=1,
    rounds=1,
    distinct=1,
    executed=1,
    answered=1,
    positives=1,
    negatives=1,
    strengthened=0,
    links=1,
)
EXPECTED = Course(
    candidates=1.25,
    hard=2.5,
    lean=1.2,
    writes=0.4,
    hard_writes=4,
    voted=0.9,
    rounds=1.7,
    distinct=1.1,
    executed=0.65,
    answered=0.85,
    positives=1.3,
    negatives=1.3,
    strengthened=1.4,
    links=1,
)
MOST = Course(
    candidates=inf,
    hard=inf,
    lean=1,
    writes=inf,
    hard_writes=inf,
    voted=1,
    rounds=inf,
    distinct=inf,
    executed=1,
    answered=1,
    positives=inf,
    negatives=inf,
    strengthened=inf,
    links=MOST_LINKS,
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
    made = _Made(config, course, aimed=min(tools, config.size), executable=executable > 0)
    rounds = min(course.rounds, config.verification.max_rounds) * made.verified * made.links
    judged = min(course.distinct, config.verification.generators) * rounds
    executed = judged * course.executed
    content = config.verification.content_validation
    votes = (1 + made.links) * made.candidates - made.type_a + 2 * made.strengthened
    repeated = made.accepted_positives * made.links
    return Calls(
        writer=tools + made.writes + made.strengthened,
        annotators=annotators * votes,
        generators=config.verification.generators * rounds,
        argument_evaluator=judged if content else 0,
        plugins=executed + (repeated if config.repeat_gold else 0),
        result_evaluator=executed * course.answered if content else 0,
        depth=repeated,
        router=config.calibration_runs * (made.accepted_negatives + made.strengthened),
    )


def ranges_of(config: BuildConfig, *, tools: int, executable: int, annotators: int) -> dict[str, Range]:
    """Role -> its calls in whole numbers. Where much is rejected early, the expected number may be the lowest."""
    least, expected, most = (
        dict(calls_of(config, tools=tools, executable=executable, annotators=annotators, course=course))
        for course in (LEAST, EXPECTED, MOST)
    )
    return {
        role: Range(low=min(least[role], middle), expected=middle, high=max(most[role], middle)).rounded()
        for role, middle in expected.items()
    }


class _Made:
    """The candidates of one course, and how far they come."""

    def __init__(self, config: BuildConfig, course: Course, *, aimed: int, executable: bool) -> None:
        size, share = config.size, config.negative_share if executable else 1.0
        budget = size * (config.candidates_per_example if config.closed_loop else 1)
        self.candidates = min(course.candidates * size + course.hard * aimed, budget)
        negative = self.candidates * min(course.lean * share, 1.0)
        positive = self.candidates - negative
        self.writes = min(course.writes * size + course.hard_writes * aimed, self.candidates + size)
        self.type_a = negative / KINDS_OF_NEGATIVES
        underspecified = negative / KINDS_OF_NEGATIVES if executable else 0.0
        self.verified = course.voted * (positive + underspecified)
        self.links = course.links if config.chains and executable else 1.0
        self.accepted_positives = _at_most(positive, course.positives, size * (1 - share))
        self.accepted_negatives = _at_most(negative, course.negatives, size * share)
        most = config.strengthening * self.accepted_negatives if config.closed_loop else 0.0
        self.strengthened = _at_most(most, course.strengthened, size * share)


def _at_most(bound: float, factor: float, amount: float) -> float:
    """`factor` of every one of `amount`; an infinite factor of nothing is nothing."""
    return min(factor * amount, bound) if amount else 0.0
