"""Negatives that proved easier than what they were written for, made harder with the evidence of their runs (P32).

While the unit that a negative was written for is short and within reach, its writer is shown what the router answered,
run by run, and asked for a harder wording that keeps scenario and label. The wording passes the filter, the votes and
the router like any other; where it is still too easy it is strengthened again, up to the configured number of times
per original. The weaker queries stay what they are: verified, and material to stand in.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from plugineval.pccf.calibration.recognition import recognition
from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.construction.accounts import Accounts
from plugineval.pccf.construction.examining.drafts import Draft, Examined
from plugineval.pccf.coverage.filtering import CandidateFilter, FilteredCandidate
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Example
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.roles import Candidate, QueryWriter, StrengtheningTask, WritingTask, Written
from plugineval.pccf.routing import Failure
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value


class Weak(Value):
    """A verified negative below its unit's difficulty."""

    original: str
    """Id of the record of the first wording."""
    draft: Draft
    example: Example
    evidence: tuple[str, ...]

    @classmethod
    def of(cls, examined: Examined, original: str | None = None) -> "Weak | None":
        """`examined` as a weak one; None where it is not."""
        draft, example = examined.draft, examined.example
        if example is None or draft.scenario.kind.positive or not draft.targets:
            return None
        if example.difficulty.ordinal >= draft.unit.difficulty.ordinal:
            return None
        runs = examined.record.router_replies
        return cls(
            original=original or examined.record.id,
            draft=draft,
            example=example,
            evidence=recognition(draft.scenario.kind, draft.tool.offered_name, runs),
        )

    def outdone_by(self, harder: Examined) -> bool:
        """Whether the router agrees with `harder` in a smaller share of its runs."""
        found, own = harder.example, self.example.p_k
        return found is not None and found.p_k is not None and own is not None and found.p_k < own


class Strengthened(Value):
    """Harder wordings of one pass, in the order of the weak ones, each with the one that it was made from."""

    pairs: tuple[tuple[Weak, Draft], ...] = ()
    candidates: int = 0
    filtered: tuple[FilteredCandidate, ...] = ()
    failures: tuple[Failure, ...] = ()


def worthwhile(weak: Iterable[Weak], accounts: Accounts) -> list[Weak]:
    """Those whose unit still misses examples, as many of a unit as it misses."""
    chosen: Counter[CoverageUnit] = Counter()
    found: list[Weak] = []
    for each in weak:
        unit = each.draft.unit
        if chosen[unit] < accounts.wanted(unit):
            chosen[unit] += 1
            found.append(each)
    return found[: accounts.candidates_left]


def still_weak(weak: Iterable[Weak], pairs: Iterable[tuple[Weak, Examined]]) -> list[Weak]:
    """What is left for the next pass: a wording that was verified and is still too easy takes the place of the one it
    was made from; where none was verified the older one stays; what became hard enough is done.
    """
    tried = {before.original: after for before, after in pairs}
    left: list[Weak] = []
    for each in weak:
        after = tried.get(each.original)
        if after is None or after.example is None:
            left.append(each)
        elif (weaker := Weak.of(after, each.original)) is not None:
            left.append(weaker)
    return left


class Strengthener:
    """Asks one writer through the journal."""

    def __init__(self, writer: QueryWriter, calls: RoleCalls, sieve: CandidateFilter, toolset: Toolset) -> None:
        self._writer, self._calls, self._sieve, self._toolset = writer, calls, sieve, toolset

    async def strengthen(self, weak: Sequence[Weak], attempt: int, accounts: Accounts) -> Strengthened:
        """One harder wording of each of `weak`; pass number `attempt`, from 1. Charged to the synthesis budget."""
        tasks = [self._task(each, attempt, accounts) for each in weak]
        asks = [partial(self._ask, each, task) for each, task in zip(weak, tasks, strict=True)]
        answers = await in_order(asks)
        pairs: list[tuple[Weak, Draft]] = []
        filtered: list[FilteredCandidate] = []
        for each, answer in zip(weak, answers, strict=True):
            accounts.charge(each.draft.scenario, answer)
            kept, dropped = self._sieve.sift(self._asked_for(each), answer.candidates)
            filtered += dropped
            pairs += [(each, _redrafted(each, candidate)) for candidate in kept]
        return Strengthened(
            pairs=tuple(pairs),
            candidates=sum(len(answer.candidates) for answer in answers),
            filtered=tuple(filtered),
            failures=tuple(answer.failure for answer in answers if answer.failure is not None),
        )

    def _task(self, weak: Weak, attempt: int, accounts: Accounts) -> StrengtheningTask:
        draft = weak.draft
        return StrengtheningTask(
            scenario=draft.scenario,
            tool=draft.tool,
            toolset=self._toolset,
            query=draft.query,
            difficulty=draft.unit.difficulty,
            observed=weak.example.difficulty,
            evidence=weak.evidence,
            attempt=attempt,
            avoid=accounts.texts(draft.scenario.id),
        )

    def _asked_for(self, weak: Weak) -> WritingTask:
        """The task by which a harder wording is sifted: it is held to what the original was written for."""
        draft = weak.draft
        return WritingTask(
            scenario=draft.scenario,
            tool=draft.tool,
            toolset=self._toolset,
            difficulty=draft.unit.difficulty,
            count=1,
            attempt=draft.round - 1,
        )

    async def _ask(self, weak: Weak, task: StrengtheningTask) -> Written:
        key = CallKey(
            stage="strengthen",
            model=self._writer.id,
            case=weak.original,
            repeat=task.attempt,
            request=[
                task.model_dump(mode="json", exclude={"tool", "toolset"}),
                task.tool.content_hash,
                task.toolset.content_hash,
            ],
        )
        return await self._calls.ask(key, Written, lambda: self._writer.strengthen(task))


def _redrafted(weak: Weak, candidate: Candidate) -> Draft:
    return weak.draft.model_copy(update={"candidate": candidate, "strengthens": weak.example.record_id})
