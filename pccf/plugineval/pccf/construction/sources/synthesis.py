"""Writing for exactly the units that are short (P28), and sifting what was written before it costs more (P29)."""

from collections.abc import Sequence
from functools import partial

from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.construction.examining.drafts import Draft
from plugineval.pccf.coverage.filtering import CandidateFilter, FilteredCandidate
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.roles import Candidate, QueryWriter, WritingTask, Written
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Value


class Synthesis(Value):
    """What the writer answered to the tasks of one round."""

    written: tuple[tuple[WritingTask, Written], ...] = ()
    drafts: tuple[Draft, ...] = ()
    """Candidates worth verifying, in the order of the tasks."""
    filtered: tuple[FilteredCandidate, ...] = ()

    @property
    def candidates(self) -> int:
        """How many queries were written."""
        return sum(len(answer.candidates) for _, answer in self.written)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Of the tasks whose writer could not be reached or read."""
        return tuple(answer.failure for _, answer in self.written if answer.failure is not None)


async def synthesize(
    tasks: Sequence[WritingTask], writer: QueryWriter, calls: RoleCalls, sieve: CandidateFilter, *, benchmark: str = ""
) -> Synthesis:
    """Write for all `tasks` concurrently; sift the answers in the order of the tasks."""
    answers = await in_order([partial(_write, task, writer, calls) for task in tasks])
    drafts: list[Draft] = []
    filtered: list[FilteredCandidate] = []
    for task, answer in zip(tasks, answers, strict=True):
        kept, dropped = sieve.sift(task, answer.candidates)
        drafts += [_draft(task, candidate, benchmark) for candidate in kept]
        filtered += dropped
    return Synthesis(
        written=tuple(zip(tasks, answers, strict=True)),
        drafts=tuple(drafts),
        filtered=tuple(filtered),
    )


def _draft(task: WritingTask, candidate: Candidate, benchmark: str) -> Draft:
    return Draft(
        candidate=candidate,
        scenario=task.scenario,
        tool=task.tool,
        unit=CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty),
        round=task.attempt + 1,
        benchmark=benchmark,
    )


async def _write(task: WritingTask, writer: QueryWriter, calls: RoleCalls) -> Written:
    key = CallKey(
        stage="write",
        model=writer.id,
        case=CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty).key,
        repeat=task.attempt,
        request=[
            task.model_dump(mode="json", exclude={"tool", "toolset", *_unlearned(task)}),
            task.tool.content_hash,
            task.toolset.content_hash,
        ],
    )
    return await calls.ask(key, Written, lambda: writer.write(task))


def _unlearned(task: WritingTask) -> set[str]:
    """Lessons that nobody had yet: they leave the key as it was before there were any."""
    return {name for name in ("missed", "returned") if not getattr(task, name)}
