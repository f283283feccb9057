"""A whole report in a few lines: models that answer a scripted way, rows graded and streamed through the builder."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from doubles.harness import AT, INTEGER, TEXT, attempt, call, gold, positive, run_info, schema, tool
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.run import RunInfo
from plugineval.harness.variants import DescriptionVariant, with_variants
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.routing import Failure, FailureKind, RouterReply

FIND = tool("find", schema("n", n=INTEGER, note=TEXT))
KEEP = tool("keep", schema("n", n=INTEGER))
DOWN = RouterReply(failure=Failure(kind=FailureKind.TIMEOUT, detail="30 s"))


def case_of(index: int, name: str = "find", difficulty: Difficulty | None = None, **more: str) -> Case:
    case = positive(gold(name, n=index, **more), tools=(FIND, KEEP), case_id=f"c{index:03}")
    return case.model_copy(update={"difficulty": difficulty})


def reply_of(case: Case, mark: str, *, served: str = "") -> RouterReply:
    """`1` right, `0` silent, `v` a wrong value, `.` an outage."""
    if mark == ".":
        return DOWN
    wanted = tuple(call(g.tool, **(g.arguments | ({"n": -1} if mark == "v" else {}))) for g in case.gold)
    return RouterReply(calls=() if mark == "0" else wanted, raw={"model": served} if served else None)


def rows_of(
    run: RunInfo, cases: Sequence[Case], answers: Mapping[str, Sequence[str]], builder: ReportBuilder | None = None
) -> list[GradedRow]:
    """`answers` maps `model` or `model/variant` to one string per case, one character per repeat."""
    rows: list[GradedRow] = []
    named = {(case.id, case.variant): case for case in with_variants(cases, run.config.variants)}
    for key, marks in answers.items():
        model, _, variant = key.partition("/")
        for case, repeats in zip((named[case.id, variant] for case in cases), marks, strict=True):
            for repeat, mark in enumerate(repeats):
                reply = reply_of(case, mark, served=f"{model}-2026-01")
                found = attempt(case, reply, model=model, repeat=repeat).model_copy(update={"variant": variant})
                row = grade(case, found, policy=GradingPolicy()).model_copy(update={"variant": variant})
                rows.append(row)
                if builder is not None:
                    builder.add(case, found, row)
    return rows


def little_run(
    cases: Sequence[Case], answers: Mapping[str, Sequence[str]], variants: Sequence[DescriptionVariant] = ()
) -> RunInfo:
    models = dict.fromkeys(key.partition("/")[0] for key in answers)
    repeats = max(len(mark) for marks in answers.values() for mark in marks)
    run = run_info(tuple(cases), *models, repeats=repeats)
    return run.model_copy(update={"config": run.config.model_copy(update={"variants": tuple(variants)})})


def little_report(
    answers: Mapping[str, Sequence[str]],
    *,
    cases: Sequence[Case] = (),
    variants: Sequence[DescriptionVariant] = (),
    now: datetime = AT,
) -> Report:
    measured = cases or [case_of(index) for index in range(max(map(len, answers.values())))]
    run = little_run(measured, answers, variants)
    builder = ReportBuilder(run)
    rows_of(run, measured, answers, builder)
    return builder.build(now=now)
