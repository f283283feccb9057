"""`plugineval audit`: what independent reviewers say of gold or of verdicts, and what rules find in a file of cases."""

from pathlib import Path
from typing import Annotated, Literal, NoReturn, TypeAlias

import typer

from plugineval.harness.rendering.audit_tables import reference_tables, verdict_tables
from plugineval.harness.rendering.import_audit_tables import import_tables
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.audit_sheet import sheet_of
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.files import refuse_existing, write_new
from plugineval.server.cli.option_groups import NoPreflight, OptionGroup
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.cli.written import FormatOption, ToolsOption, WrittenOptions
from plugineval.server.jobs.audit_outcome import JudgeAuditOutcome, ReferenceAuditOutcome
from plugineval.server.jobs.audit_params import REVIEWERS, SEED, AuditWishes
from plugineval.server.jobs.import_audit import ImportAuditOutcome, audit_import
from plugineval.server.wording import counted

Outcome: TypeAlias = ReferenceAuditOutcome | JudgeAuditOutcome
KINDS: dict[str, type[Outcome]] = {"audit_reference": ReferenceAuditOutcome, "audit_judge": JudgeAuditOutcome}
REMARKS_SHOWN = 10


class AuditOptions(Value):
    """The options of one audit as they were written."""

    wishes: AuditWishes
    sheet: Path | None = None
    grading: str | None = None
    written: WrittenOptions = WrittenOptions()

    def refuse_strangers(self, what: str) -> None:
        """`ConfigurationError` for an option of another audit."""
        strangers = {
            "--grading": self.grading is not None and what != "judge",
            "--sheet": self.sheet is not None and what == "import",
            "--format": self.written.format is not None and what != "import",
            "--tools": self.written.tools is not None and what != "import",
        }
        stranger = next((name for name, there in strangers.items() if there), None)
        if stranger is not None:
            raise ConfigurationError(f"is no option of audit {what}", field=stranger, next_step="leave it out")


def _auditing(
    reviewer: list[str] | None, no_preflight: bool | None, answers: Path | None, **said: object
) -> AuditOptions:
    given = {name: value for name, value in said.items() if value is not None}
    own = {name: given.pop(name) for name in ("sheet", "grading") if name in given}
    written = {name: given.pop(name) for name in ("format", "tools") if name in given}
    seats = {"models": tuple(reviewer or ()), "preflight": not no_preflight, "answers": answers}
    return AuditOptions.model_validate(
        {**own, "wishes": {**given, **seats}, "written": {**written, "answers": answers}}
    )


with_audit_options = OptionGroup(
    name="auditing",
    make=_auditing,
    options={
        "sample": Annotated[
            int | None, typer.Option(min=1, help="Cases (else 300), or rows (else 100 correct, 50, 50 and 100).")
        ],
        "seed": Annotated[int | None, typer.Option(help=f"Seed of the sample; else {SEED}.")],
        "reviewers": Annotated[
            int | None, typer.Option(min=1, help=f"Reviews of each, else {REVIEWERS}; agents take the seats left over.")
        ],
        "reviewer": Annotated[
            list[str] | None, typer.Option(metavar="MODEL", help="A chat model that reviews; may be repeated.")
        ],
        "answers": Annotated[
            Path | None,
            typer.Option(help="JSON lines of people (import: the gold of bfcl and acebench).", dir_okay=False),
        ],
        "sheet": Annotated[
            Path | None, typer.Option(help="Write the sample as lines to fill in for --answers, and stop.")
        ],
        "grading": Annotated[str | None, typer.Option(help="judge: a later grading of the run; else its own.")],
        "no_preflight": NoPreflight,
        "format": FormatOption,
        "tools": ToolsOption,
    },
)


@with_shared_options
@with_audit_options
def audit_command(
    what: Annotated[
        Literal["reference", "judge", "import"],
        typer.Argument(help="Review gold, or the verdicts of a run; or check a file of cases by rules."),
    ],
    name: Annotated[str, typer.Argument(metavar="BENCHMARK_RUN_OR_FILE", help="A name, an id or its beginning.")],
    *,
    auditing: AuditOptions,
    shared: SharedOptions,
) -> None:
    """Put gold, verdicts or a file on trial. Exit code 1: most reviewers, or rules for certain, reject something;
    3: records of the file were refused.
    """
    if what == "import":
        _import(Path(name), auditing, shared)
    found = run(lambda: _audit(what, name, auditing, shared), as_json=shared.as_json)
    if isinstance(found, str):
        if shared.as_json:
            echo_json({"sheet": found})
        return
    if shared.as_json:
        echo_json(found.model_dump(mode="json"))
    else:
        show_audit(found)
    raise typer.Exit(audit_exit_code(found))


async def _audit(what: str, name: str, options: AuditOptions, shared: SharedOptions) -> Outcome | str:
    from plugineval.server.jobs.audit_judge import plan_judge_audit, sampled_rows
    from plugineval.server.jobs.audit_reference import plan_reference_audit, sampled_questions

    options.refuse_strangers(what)
    refuse_existing(options.sheet)
    async with engine_for(read_settings(shared)) as engine:
        workspace, wishes = engine.workspace, options.wishes
        store = await workspace.store()
        if what == "reference":
            cases = await plan_reference_audit(workspace, name, wishes)
            if options.sheet is not None:
                return _write_sheet(options.sheet, sheet_of(await sampled_questions(store, cases)))
            return ReferenceAuditOutcome.model_validate(await run_job(engine, "audit_reference", cases, shared))
        grading = {} if options.grading is None else {"grading": options.grading}
        rows = await plan_judge_audit(workspace, name, wishes, **grading)
        if options.sheet is not None:
            return _write_sheet(options.sheet, sheet_of(await sampled_rows(store, rows)))
        return JudgeAuditOutcome.model_validate(await run_job(engine, "audit_judge", rows, shared))


def _import(path: Path, options: AuditOptions, shared: SharedOptions) -> NoReturn:
    async def work() -> ImportAuditOutcome:
        options.refuse_strangers("import")
        return await audit_import(options.written.source(path))

    found = run(work, as_json=shared.as_json)
    if shared.as_json:
        echo_json({"wrong": found.wrong, **found.model_dump(mode="json")})
    else:
        for remark in found.refused[:REMARKS_SHOWN]:
            say(f"refused: {remark.sentence}")
        show_sentence(import_sentence(found), out(), style="bold")
        show_tables(import_tables(found), out())
    raise typer.Exit(import_exit_code(found))


def import_exit_code(found: ImportAuditOutcome) -> ExitCode:
    """What is certainly wrong is told before what could not be read is."""
    if found.wrong:
        return ExitCode.CHECK_FAILED
    return ExitCode.INCOMPLETE if found.refused else ExitCode.OK


def import_sentence(found: ImportAuditOutcome) -> str:
    """One line of it."""
    read = f"{found.file}: {counted(found.cases, 'case')}, {counted(len(found.refused), 'record')} refused"
    return f"{read}; {found.wrong} with something certainly wrong."


def _write_sheet(path: Path, lines: list[str]) -> str:
    write_new(path, "".join(line + "\n" for line in lines))
    say(f"{path}: {counted(len(lines), 'line')} to fill in; every reviewer takes a copy of their own.")
    return str(path)


def audit_exit_code(outcome: Outcome) -> ExitCode:
    """1 where most reviewers reject a case or a verdict."""
    return ExitCode.CHECK_FAILED if outcome.most_rejected else ExitCode.OK


def show_audit(outcome: Outcome) -> None:
    """One sentence, the tables, and what to do about what was rejected."""
    console = out()
    show_sentence(audit_sentence(outcome), console, style="bold")
    tables = reference_tables(outcome) if isinstance(outcome, ReferenceAuditOutcome) else verdict_tables(outcome)
    show_tables(tables, console)
    if outcome.outside:
        say(f"{counted(len(outcome.outside), 'review')} of the file are not about this sample: {outcome.outside[0]}…")
    if outcome.next_step:
        say(f"Next: {outcome.next_step}.")


def audit_sentence(outcome: Outcome) -> str:
    """One line of it."""
    reviews = f"{counted(outcome.reviewed, 'review')} by {counted(len(outcome.reviewers), 'reviewer')}"
    told = f"{len(outcome.rejected)} rejected by somebody, {outcome.most_rejected} by most"
    if isinstance(outcome, ReferenceAuditOutcome):
        what = f"{outcome.name} ({outcome.benchmark_id}): gold of {counted(len(outcome.sample.ids), 'case')}"
    else:
        rows = counted(len(outcome.sample.ids), "row")
        what = f"{outcome.run_id} on {outcome.benchmark}: verdicts of {outcome.judge} on {rows}"
    return f"{what}, {reviews}: {told}."
