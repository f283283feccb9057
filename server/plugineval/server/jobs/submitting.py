"""Predictions that were made elsewhere, graded: against the cases of a stored benchmark as a run like any other, or
row by row against the gold that each row brings.

Rules alone grade them; what meaning decides stays unsure, to be settled by grading the run again with a judge. The
first answer to a case of a run stays: a second try would have learned from the verdict on the first.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader
from plugineval.clients.outputs.reading import OutputReader
from plugineval.clients.outputs.reply import NormalisedReply
from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.gradings import Grading
from plugineval.harness.row_grading import RowVerdict, grade_row, verdict_of_row
from plugineval.harness.run import RunConfig, RunInfo
from plugineval.harness.scope import scope_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.routing import RouterReply
from plugineval.server.jobs.cases import case_of_record, cases_of_benchmark
from plugineval.server.jobs.evaluate_report import keep_report
from plugineval.server.jobs.judge_file import RowGrading, graded_lines
from plugineval.server.jobs.judging import grading_params, open_graders
from plugineval.server.jobs.params import GradingWishes
from plugineval.server.jobs.submission import RefusedRow, RowTold, Submission, Submitted
from plugineval.server.wiring import known_models
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

SUBMITTED = "Submitted: "
"""Begins the note of a run whose answers were made elsewhere."""
NOT_ANSWERED = "Not answered: "
"""Begins the note of one that still waits for answers."""


async def submit(workspace: Workspace, submission: Submission) -> Submitted:
    """Grade the rows; `ConfigurationError` where the submission as a whole cannot be used."""
    if submission.benchmark_id is None and submission.run_id is None:
        return graded_alone(submission)
    return await _Run(workspace, submission).graded()


def graded_alone(submission: Submission) -> Submitted:
    """Rows of query, tools, gold and predicted, as `plugineval judge` reads them; nothing is stored."""
    lines = (json.dumps(row).encode() for row in submission.rows)
    verdicts: list[RowTold] = []
    refused: list[RefusedRow] = []
    for number, read in enumerate(JudgeRowReader().read(lines), start=1):
        if isinstance(read, JudgeRow):
            reply = _reply(read.reply, submission.by)
            verdicts.append(_told(grade_row(case_of_record(read.case), reply, policy=GradingPolicy(meaning="ask"))))
        else:
            refused.append(RefusedRow(row=number, reason=f"{read.field}: {read.problem}"))
    step = "mend the refused rows and send them again" if refused else "read the verdicts; unsure rows need a judge"
    return Submitted(verdicts=tuple(verdicts), refused=tuple(refused), next_step=step)


async def judged_alone(workspace: Workspace, submission: Submission, judge: str) -> Submitted:
    """The same rows, with a judge of the settings for what rules leave open; its answers are kept for the next time.

    `ConfigurationError` for a judge that cannot be asked here.
    """
    params = grading_params(workspace.settings, GradingWishes(judge=judge))
    if params.judge in WORK_MODELS:
        step = "name another model as judge; agents judge the rows of a run, through judge_run"
        raise ConfigurationError(f"{params.judge} answers inside jobs only", field="judge", next_step=step)
    read = list(JudgeRowReader().read(json.dumps(row).encode() for row in submission.rows))
    refused = tuple(
        RefusedRow(row=number, reason=f"{each.field}: {each.problem}")
        for number, each in enumerate(read, start=1)
        if not isinstance(each, JudgeRow)
    )
    rows = [each for each in read if isinstance(each, JudgeRow)]
    async with open_graders(workspace, params, base_url=None) as graders:
        grading = RowGrading(judge=graders.judge)
        verdicts = tuple([_told(line.verdict) async for line in graded_lines(rows, grading)])
    step = "mend the refused rows and send them again" if refused else "read the verdicts"
    return Submitted(verdicts=verdicts, refused=refused, next_step=step)


class _Run:
    """One submission to a run."""

    def __init__(self, workspace: Workspace, submission: Submission) -> None:
        self._workspace = workspace
        self._submission = submission

    async def graded(self) -> Submitted:
        store = await self._workspace.store()
        info = await self._info(store)
        cases = {case.id: case async for case in await store.runs.cases(info.id)}
        there = {cell.case_id for cell in await store.attempts.done(info.id)}
        policy, verdicts, refused = GradingPolicy.of(info.config), list[RowTold](), list[RefusedRow]()
        for number, found in self._attempts(info, cases, there):
            if isinstance(found, str):
                refused.append(RefusedRow(row=number, reason=found))
                continue
            row = grade(cases[found.case_id], found, policy=policy)
            await store.attempts.append(info.id, found, row)
            there.add(found.case_id)
            verdicts.append(_told(verdict_of_row(row)))
        left = len(cases) - len(there)
        await self._report(store, info, list(cases.values()), left)
        step = "send the cases that are left with this run_id, or call report_get" if left else "call report_get"
        return Submitted(
            run_id=info.id, verdicts=tuple(verdicts), refused=tuple(refused), unanswered=left, next_step=step
        )

    async def _info(self, store: "Store") -> RunInfo:
        """The run that is gone on with, or a new one."""
        submission = self._submission
        if submission.run_id is None:
            return await self._begin(store, await store.benchmarks.get(submission.benchmark_id or ""))
        info = await store.runs.get(submission.run_id)
        if not any(note.startswith(SUBMITTED) for note in info.notes):
            raise ConfigurationError(
                f"{info.id} was measured here", field="run_id", next_step="leave run_id out to begin a run of your own"
            )
        if submission.model and (submission.model,) != info.config.models:
            raise ConfigurationError("this run is of another model", field="model", allowed=info.config.models)
        return info

    async def _begin(self, store: "Store", benchmark: Benchmark) -> RunInfo:
        from plugineval.server.store.ids import new_id

        model, taken = self._submission.model.strip(), known_models(self._workspace.settings)
        if not model or model in taken:
            problem = f"{model!r} is measured here itself" if model else "is needed: the report names it"
            raise ConfigurationError(
                problem, field="model", next_step="say what answered, under a name that plugin_list does not show"
            )
        cases = cases_of_benchmark(benchmark)
        if not cases:
            raise ConfigurationError(f"{benchmark.id} holds no examples", field="benchmark_id")
        scope = scope_of(
            benchmark.name, benchmark.content_hash, cases, plugins=benchmark.plugins, roles=benchmark.roles
        )
        run = self._workspace.settings.run
        config = RunConfig(
            models=(model,),
            repeats=1,
            extra_calls=run.extra_calls,
            meaning=run.meaning,
            expires_after_days=run.expires_after_days,
        )
        note = f"{SUBMITTED}the answers of {model} were made elsewhere, and handed in by {self._submission.by}"
        info = RunInfo(id=new_id("run"), config=config, scope=scope, started_at=datetime.now(UTC), notes=(note,))
        await store.runs.create(info, cases=cases, benchmark_id=benchmark.id, source=benchmark.name)
        return info

    def _attempts(
        self, info: RunInfo, cases: Mapping[str, Case], there: set[str]
    ) -> Iterator[tuple[int, Attempt | str]]:
        """(number, attempt), or why there is none, of every row."""
        for number, row in enumerate(self._submission.rows, start=1):
            case = cases.get(str(row.get("case_id")))
            if case is None:
                yield number, f"case_id: {row.get('case_id')!r} is no case of this benchmark; benchmark_get lists them"
            elif row.get("predicted") is None:
                yield number, "predicted: is missing; write [] where nothing was called"
            elif case.id in there:
                yield number, f"case_id: {case.id} was answered in this run before; the first answer stays"
            else:
                read = OutputReader(case.toolset).read(row["predicted"])
                yield (
                    number,
                    Attempt(
                        case_id=case.id,
                        model=info.config.models[0],
                        repeat=0,
                        reply=_reply(read, self._submission.by),
                        toolset_hash=case.toolset.content_hash,
                        at=datetime.now(UTC),
                    ),
                )

    async def _report(self, store: "Store", info: RunInfo, cases: list[Case], left: int) -> None:
        notes = tuple(note for note in info.notes if not note.startswith(NOT_ANSWERED))
        missing = (f"{NOT_ANSWERED}{left} of {len(cases)} cases; they count in no rate",) if left else ()
        finished = info.model_copy(update={"finished_at": datetime.now(UTC), "notes": (*notes, *missing)})
        await store.runs.finish(finished)
        grading: Grading = await store.gradings.get(info.id)
        await keep_report(store, finished, cases, grading)
        for kind in ("runs", "reports"):
            await self._workspace.announce(f"plugineval://{kind}/{info.id}")


def _reply(read: NormalisedReply, by: str) -> RouterReply:
    return RouterReply(
        calls=read.calls,
        text=read.text,
        finish_reason=read.finish_reason,
        failure=read.failure,
        raw={"provenance": "submitted", "by": by, "remarks": list(read.remarks)},
    )


def _told(verdict: RowVerdict) -> RowTold:
    return RowTold.model_validate({name: getattr(verdict, name) for name in RowTold.model_fields})
