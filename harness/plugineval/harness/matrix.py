"""The matrix: every model meets every case, repeated, under every variant of the descriptions (B6, X7).

Each cell is answered, graded and appended as it happens. A run replays from its top: answered cells come from the
ledger, so a resumed run repeats no paid call. All models see the same bytes of every tool, or the run is refused (B8).
One model's outage is data of that model alone.
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol, TypeAlias, cast

import anyio

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import NO_CHECKS, GradingPolicy
from plugineval.harness.outcomes import Exclusion, GradedRow
from plugineval.harness.preflight import admit, fresh_hash
from plugineval.harness.questions import Judge
from plugineval.harness.run import RunConfig
from plugineval.harness.schedule import MatrixCell, Schedule
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.harness.settling import Settling
from plugineval.harness.variants import with_variants
from plugineval.pccf.errors import InvalidRecordError, PluginEvalError
from plugineval.pccf.ledger import CallKey, Ledger, recorded
from plugineval.pccf.routing import Failure, FailureKind, Router, RouterReply
from plugineval.pccf.values import Value, content_hash

Progress: TypeAlias = Callable[[int, int], None]
"""Told (cells done, cells in all) after every cell."""

ANSWERED = frozenset({FailureKind.PARSE_FAILURE, FailureKind.TRUNCATED, FailureKind.CONTENT_FILTER})
"""Failures in which the model did answer (and was paid): recorded. After the others a resumed run asks again."""


class AttemptLog(Protocol):
    """Where attempts and their rows are kept."""

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both durably; a second append of the same (case, model, repeat) replaces the first."""
        ...


class RunPorts(NamedTuple):
    """What a run needs of the world: its memory, its log, whom it tells, and who helps to grade."""

    ledger: Ledger
    log: AttemptLog
    progress: Progress
    judge: Judge | None = None
    checks: SemanticChecks = NO_CHECKS
    """The user's own semantic checks, by tool (B5)."""


class MatrixSummary(Value):
    """What a run did, in counts."""

    cells: int
    graded: int
    excluded: dict[str, dict[Exclusion, int]]
    """Model -> reason -> rows without a verdict; models without any are left out."""
    prompt_hashes: dict[str, str]
    seconds: float


async def run_matrix(
    cases: Sequence[Case],
    models: Sequence[Router],
    config: RunConfig,
    ports: RunPorts,
    *,
    together: bool = False,
) -> MatrixSummary:
    """Answer, grade and append every cell, at most `config.concurrency` calls at a time; or as many requests at a time,
    each with all its cells `together`.

    Without a judge among `ports`, a row that hangs on an open value is excluded as `unsure`, with its questions.

    Raises `InvalidRecordError` before the first call for cases that cannot be measured (`ConfigurationError` for
    variants), and whenever a model was not shown the same tools as the others; errors of the ports pass through.
    """
    admit(cases, models, config)
    schedule = Schedule(with_variants(cases, config.variants), models, config.repeats, together=together)
    matrix = _Matrix(schedule, models, config, ports)
    started = time.monotonic()
    refused: list[BaseException] = []
    try:
        async with anyio.create_task_group() as group:
            for _ in range(min(config.concurrency, matrix.schedule.total)):
                group.start_soon(matrix.work)
    except* PluginEvalError as errors:
        refused.append(_first(errors))
    if refused:
        raise refused[0]
    return MatrixSummary(
        cells=matrix.done,
        graded=matrix.done - sum(sum(reasons.values()) for reasons in matrix.excluded.values()),
        excluded=matrix.excluded,
        prompt_hashes={model.id: model.prompt_hash for model in models},
        seconds=time.monotonic() - started,
    )


def _first(error: BaseException) -> BaseException:
    """The first error inside nested groups: people get the sentence, not the tree."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


class _Matrix:
    """One run in progress."""

    def __init__(self, schedule: Schedule, models: Sequence[Router], config: RunConfig, ports: RunPorts) -> None:
        self.schedule = schedule
        self.done = 0
        self.excluded: dict[str, dict[Exclusion, int]] = {}
        self._settling = Settling(ports.judge, policy=GradingPolicy.of(config), checks=ports.checks)
        self._ports = ports
        self._prompts = {model.id: model.prompt_hash for model in models}
        self._shown: set[tuple[str, str]] = set()

    async def work(self) -> None:
        """Take cells until there are none left."""
        while cells := self.schedule.take():
            if len(cells) == 1:
                await self._measure(cells[0])
                continue
            async with anyio.create_task_group() as group:
                for cell in cells:
                    group.start_soon(self._measure, cell)

    async def _measure(self, cell: MatrixCell) -> None:
        attempt = await self._attempt(cell)
        self.schedule.finish(cell)
        self._check_shown(cell, attempt)
        row = await self._settling.grade(cell.case, attempt)
        await self._ports.log.append(attempt, row)
        self._count(row)
        self._ports.progress(self.done, self.schedule.total)

    async def _attempt(self, cell: MatrixCell) -> Attempt:
        router, case, repeat = cell
        toolset_hash = case.toolset.content_hash
        key = CallKey(
            stage="route",
            model=router.id,
            case=case.id,
            repeat=repeat,
            request={
                "query": content_hash(case.query),
                "toolset": toolset_hash,
                "prompt": self._prompts[router.id],
            },
        )

        async def make() -> Attempt:
            reply = await _answer(router, case, repeat)
            return Attempt(
                case_id=case.id,
                model=router.id,
                repeat=repeat,
                reply=reply,
                toolset_hash=toolset_hash,
                at=datetime.now(UTC),
                variant=case.variant,
            )

        attempt = await recorded(self._ports.ledger, key, Attempt, make, keep=_keeps)
        # Two variants may leave a case the same tools: the answer is one, the cells are two.
        return attempt if attempt.variant == case.variant else attempt.model_copy(update={"variant": case.variant})

    def _check_shown(self, cell: MatrixCell, attempt: Attempt) -> None:
        """Refuse the run where this model's tools are not, byte for byte, what the case says (B8)."""
        expected = cell.case.toolset.content_hash
        if attempt.toolset_hash == expected:
            if (cell.router.id, expected) in self._shown:
                return
            self._shown.add((cell.router.id, expected))
            # Schemas are plain dicts: an adapter that edits them in place would change what the next model sees.
            if fresh_hash(cell.case.toolset) == expected:
                return
        raise InvalidRecordError(
            f"the tools of case {cell.case.id!r} are not the same bytes for every model",
            field=f"model {cell.router.id}",
            next_step="mend the adapter, which must send a copy of the tools, and run again",
        )

    def _count(self, row: GradedRow) -> None:
        self.done += 1
        if row.exclusion is not None:
            reasons = self.excluded.setdefault(row.model, {})
            reasons[row.exclusion] = reasons.get(row.exclusion, 0) + 1


def _keeps(attempt: Attempt) -> bool:
    return attempt.reply.failure is None or attempt.reply.failure.kind in ANSWERED


async def _answer(router: Router, case: Case, repeat: int) -> RouterReply:
    """The one boundary at which an adapter's exception becomes data; cancellation is no `Exception` and passes."""
    try:
        return await router.route(case.query, case.toolset, seed=repeat)
    except Exception as error:  # noqa: BLE001 - whatever a foreign adapter raises, only its own model may suffer
        detail = f"{type(error).__name__}: {error}"
        return RouterReply(failure=Failure(kind=FailureKind.PROVIDER_ERROR, detail=detail))
