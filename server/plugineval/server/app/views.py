"""What resources show, as text: stored things rendered for reading, with plugin and model words neutralised."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from plugineval.harness.gradings import FIRST
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.rendering.markdown_table import markdown_table
from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.tables import Column, ColumnKind, data, numbers, table_of
from plugineval.pccf.coverage.deficits import CoverageRow, deficits_by_kind, grid_of
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.labels import Label, TargetIrrelevant, ToolUnnecessary, Underspecified, ValidInvocation
from plugineval.pccf.tools import Plugin
from plugineval.pccf.values import canonical_json
from plugineval.server.app.placing import place_of
from plugineval.server.coverage_tables import grid_table, rounds_table
from plugineval.server.jobs.facts import covered, read_rounds, reasons_of
from plugineval.server.jobs.outcomes import NO_POSITIVES, Contents, round_outcomes, stand_ins_told
from plugineval.server.jobs.reasons import told
from plugineval.server.jobs.stop_reasons import stopped_because
from plugineval.server.store.states import BenchmarkState
from plugineval.server.wording import counted, tallied

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

REASON_SHOWN = 200


async def coverage_text(store: "Store", benchmark: Benchmark) -> str:
    """The coverage table: budget, verified and deficit per scenario and difficulty, and why the loop stopped."""
    rounds = await read_rounds(store, benchmark.id)
    contents = Contents.of(benchmark)
    head = [f"# {code(benchmark.name)}", contents.told + "."]
    if not contents.positives:
        head.append(f"**{NO_POSITIVES}.**")
    if not rounds:
        return "\n\n".join([*head, "No round of construction is recorded."])
    table, state = rounds[-1].coverage, await store.benchmarks.summary(benchmark.id)
    log = [
        f"- round {done.number}: deficit {done.deficit_before} -> {done.deficit_after}, {done.accepted} accepted, "
        f"{done.surplus} surplus, {done.rejected} rejected, {done.undecided} undecided, "
        f"filtered {tallied(done.filtered)}"
        for done in round_outcomes(benchmark, rounds)
    ]
    ended = state.state is BenchmarkState.COMPLETE
    filled = sum(row.verified for row in table.rows)
    explained = stand_ins_told(table.deficit, contents.examples - filled) if ended else ""
    stopped = (
        f"Stopped: {stopped_because(benchmark.stop_reason, benchmark.config, rounds)}." if ended else "Not complete."
    )
    why = [f"- {prose(sentence)}" for sentence in told(await reasons_of(store, benchmark.id))]
    parts = [
        *head,
        markdown_table(grid_table(grid_of(table, benchmark.scenarios))),
        markdown_table(rounds_table([(r.number, deficits_by_kind(r.coverage, benchmark.scenarios)) for r in rounds])),
        _coverage_table(benchmark, covered(benchmark, rounds)),
        explained and f"{explained}.",
        "\n".join([stopped, *log]),
        "\n".join(["Why candidates were not accepted:", *why]) if why else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _coverage_table(benchmark: Benchmark, covered_units: Iterable[CoverageRow]) -> str:
    scenarios = {scenario.id: scenario for scenario in benchmark.scenarios}
    columns: Sequence[Column] = (
        *(data("tool"), data("scenario")),
        *_texts("kind", "difficulty"),
        *numbers("budget", "verified", "deficit"),
    )
    rows = [
        (
            scenarios[row.unit.scenario].target,
            row.unit.scenario.partition("/")[2] or row.unit.scenario,
            scenarios[row.unit.scenario].kind.value,
            row.unit.difficulty.value,
            *map(str, (row.budget, row.verified, row.deficit)),
        )
        for row in covered_units
    ]
    return markdown_table(table_of("coverage", "Coverage", columns, rows))


async def errors_text(store: "Store", named: str, cursor: str | None, *, limit: int) -> tuple[str, str | None]:
    """A page of the rows that are not correct, and the cursor of the next page (how many rows were shown before).

    `named` is a run, or one grading of a run.
    """
    run_id, grading = await _grading(store, named)
    start = place_of(cursor)
    shown: list[GradedRow] = []
    position = 0
    async for row in await store.attempts.rows(run_id, grading, correct=False):
        if position >= start:
            shown.append(row)
        position += 1
        if len(shown) > limit:
            break
    columns = (data("case"), data("model"), *numbers("repeat"), *_texts("what", "category"), data("why"))
    cells = (
        (r.case_id, r.model, str(r.repeat), str(r.outcome or r.exclusion), str(r.category or ""), _why(r))
        for r in shown[:limit]
    )
    text = markdown_table(table_of("errors", "Errors", columns, cells)) if shown else "No row is wrong."
    return text, str(start + limit) if len(shown) > limit else None


async def _grading(store: "Store", named: str) -> tuple[str, str]:
    """(run, grading) of what is named; a run without a report has rows all the same."""
    try:
        report = await store.reports.get(named)
    except UnknownNameError:
        return (await store.runs.entry(named)).id, FIRST
    return report.run_id, report.grading


def benchmark_text(benchmark: Benchmark) -> str:
    """A benchmark's card: what it rests on and who made it."""
    contents = Contents.of(benchmark)
    plugins = ", ".join(
        f"{plugin.name} {plugin.version} ({counted(len(plugin.tools), 'tool')})" for plugin in benchmark.plugins
    )
    lines = [
        f"# {code(benchmark.name)}",
        f"- id: {benchmark.id}",
        f"- made: {benchmark.created_at:%Y-%m-%d %H:%M %Z}",
        f"- plugins: {code(plugins)}",
        f"- holds: {contents.told}",
        f"- roles: {code(canonical_json(benchmark.roles))}",
        f"- content hash: {benchmark.content_hash}",
    ]
    return "\n".join(lines)


async def versions_text(store: "Store", named: str) -> str:
    """The history of a benchmark, the first version first, with what changed in each and why."""
    from plugineval.server.benchmarks.versions import version_lines

    lines: list[str] = []
    for version in await version_lines(store, named):
        note = f": {prose(version.note)}" if version.note else ""
        lines.append(
            f"- version {version.version} ({version.benchmark_id}, {version.created_at:%Y-%m-%d}, "
            f"{counted(version.examples, 'example')}, content {version.content_hash[:12]}){note}"
        )
        for change in version.changes:
            by = f" ({prose(change.by)})" if change.by else ""
            why = f": {prose(change.reason)}{by}" if change.reason else ""
            lines.append(f"    - {change.kind.value} {code(change.case)}{why}")
    return "\n".join(lines) or "It has no version yet: it is being built."


def cases_text(examples: Iterable[Example]) -> str:
    """Cases as a table: query, target, gold."""
    columns = (data("id"), data("query"), data("target"), *_texts("type", "difficulty"), data("gold"))
    rows = ((e.id, e.query.text, e.target, e.sample_type.value, e.difficulty.value, _gold(e)) for e in examples)
    return markdown_table(table_of("cases", "Cases", columns, rows))


def case_text(example: Example) -> str:
    """One case with its label."""
    lines = [
        f"# {example.id}",
        f"- query: {code(example.query.text)}",
        f"- clock: {example.query.now or 'not set'}",
        f"- target: {code(example.target)}",
        f"- label: {code(canonical_json(example.label))}",
        f"- counted as: {example.sample_type.value}, {example.difficulty.value}",
        f"- filled the gap: {code(example.gap)}",
        f"- inference steps: {code('; '.join(example.inference_steps) or 'none')}",
        f"- proof: plugineval://cases/{example.id}/verification",
    ]
    return "\n".join(lines)


def plugin_text(plugin: Plugin) -> str:
    """A plugin's tools as a table."""
    columns = (data("tool"), data("description"), data("arguments"), data("required"))
    rows = ((t.name, t.description[:200], ", ".join(t.properties), ", ".join(t.required)) for t in plugin.tools)
    head = f"# {code(plugin.name)} {code(plugin.version)}\n\nsnapshot {plugin.content_hash}"
    return f"{head}\n\n{markdown_table(table_of('tools', 'Tools', columns, rows))}"


def _why(row: GradedRow) -> str:
    return (row.reason or row.exclusion_detail)[:REASON_SHOWN]


def gold_words(label: Label) -> str:
    """What is right, in words and JSON."""
    match label:
        case ValidInvocation(gold=gold):
            return f"call {gold.tool} with {canonical_json(gold.arguments)}"
        case Underspecified(missing=missing):
            return f"no call; not said: {', '.join(missing) or 'what the tool needs'}"
        case TargetIrrelevant():
            return "the tool is not called; it does not support the request"
        case ToolUnnecessary():
            return "no call; no tool is needed"


def _gold(example: Example) -> str:
    label = example.label
    return canonical_json(label.gold.arguments) if isinstance(label, ValidInvocation) else label.shape


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name, kind=ColumnKind.TEXT) for name in names)
