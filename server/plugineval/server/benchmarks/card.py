"""A benchmark's card in markdown: what it covers, how it was made, with which models, and what it cannot tell."""

from collections.abc import Iterator

from plugineval.harness.rendering.markdown_table import markdown_table
from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.tables import data, numbers, table_of
from plugineval.server.benchmarks.card_facts import CardFacts, CoveredTool
from plugineval.server.benchmarks.versions import VersionLine
from plugineval.server.wording import counted, tallied

_DEFICITS_SHOWN = 20
_CHANGES_SHOWN = 20
_LEVELS = ("easy", "medium", "hard")


def card_text(facts: CardFacts) -> str:
    """The card."""
    sections = [
        f"# {code(facts.name)}, version {facts.version}",
        _identity(facts),
        "## What it covers",
        f"{facts.contents.told}.",
        _coverage(facts),
        "## How it was made",
        _making(facts),
        "## What it cannot tell",
        "\n".join(f"- {limit}" for limit in _limits(facts)),
        "## Versions",
        "\n".join(text for line in facts.history for text in _version(line)) or "- not complete yet",
    ]
    return "\n\n".join(sections) + "\n"


def _identity(facts: CardFacts) -> str:
    return "\n".join(
        [
            f"- id: {facts.id}",
            f"- content hash: {facts.content_hash}",
            f"- made: {facts.created_at:%Y-%m-%d %H:%M %Z}",
            f"- plugins: {', '.join(map(code, facts.plugins))}",
            f"- queries: {tallied(facts.origins)}; {counted(facts.several_calls, 'case')} of several calls",
        ]
    )


def _coverage(facts: CardFacts) -> str:
    columns = (data("tool"), data("plugin"), *numbers("positives", "negatives", *_LEVELS, "in other chains"))
    return markdown_table(table_of("covered", "Covered", columns, map(_row, facts.tools)))


def _row(tool: CoveredTool) -> tuple[str, ...]:
    levels = (tool.difficulties[level] for level in _LEVELS)
    counts = (tool.positives, tool.negatives, *levels, tool.in_chains)
    return (tool.tool, tool.plugin, *map(str, counts))


def _making(facts: CardFacts) -> str:
    made, router = facts.construction, facts.router
    roles = ", ".join(f"{prose(role)} {code(model)}" for role, model in made.roles.items()) or "not recorded"
    numbers_told = ", ".join(f"{name} = {value}" for name, value in made.parameters.items()) or "not recorded"
    verdicts = f"{made.accepted} in the benchmark, {made.surplus} surplus, {made.rejected} rejected"
    lines = [
        "- every gold call passed its schema and was executed on the plugin through MCP",
        f"- roles: {roles}",
        f"- numbers: {prose(numbers_told)}",
        f"- candidates: {verdicts}, {made.undecided} undecided",
        f"- stopped: {prose(made.stop_reason) or 'not recorded'}",
    ]
    if router is not None:
        warm = "not set" if router.temperature is None else f"{router.temperature:g}"
        lines.append(
            f"- negatives calibrated on {code(router.model)}: prompt {router.prompt_hash[:12]}, temperature {warm}, "
            f"seeds {', '.join(map(str, router.seeds))}"
        )
    return "\n".join(lines)


def _may_go_on(facts: CardFacts) -> Iterator[str]:
    if facts.goes_on_with:
        again = code(f"plugineval resume JOB {facts.goes_on_with} N")
        ended = "a limit ended its construction: as long as there is no later version"
        yield f"{ended}, {again} goes on with it and makes the next one"


def _limits(facts: CardFacts) -> Iterator[str]:
    yield from _may_go_on(facts)
    yield "numbers measured on it are about these tools with these descriptions, and expire when they change"
    for warning in facts.construction.bias_warnings:
        yield f"bias: {prose(warning)} (P17)"
    bare = [tool.tool for tool in facts.tools if not tool.positives and not tool.in_chains]
    if bare:
        yield f"no positives for {', '.join(map(code, bare))}"
    if facts.contents.positives == 0:
        yield "it holds no positives: it cannot tell whether a model calls the tools right"
    short = list(facts.deficits.items())
    if short:
        more = f" and {counted(len(short) - _DEFICITS_SHOWN, 'other unit')}" if len(short) > _DEFICITS_SHOWN else ""
        shown = ", ".join(f"{code(unit)} ({number})" for unit, number in short[:_DEFICITS_SHOWN])
        yield f"asked for and not found: {shown}{more}"
    if facts.uncalibrated:
        yield f"{counted(facts.uncalibrated, 'negative')} without calibration"
    if facts.moving:
        yield f"results that move from one execution to the next: {', '.join(map(code, facts.moving))}"
    if not facts.origins.get("real"):
        yield "no real query is in it: how often your users ask such things is not known"


def _version(line: VersionLine) -> Iterator[str]:
    note = f": {prose(line.note)}" if line.note else ""
    yield f"- version {line.version} ({line.benchmark_id}, {line.created_at:%Y-%m-%d}, {line.content_hash[:12]}){note}"
    for change in line.changes[:_CHANGES_SHOWN]:
        why = f": {prose(change.reason)}" if change.reason else ""
        yield f"    - {change.kind.value} {code(change.case)}{why}"
    if len(line.changes) > _CHANGES_SHOWN:
        yield f"    - and {counted(len(line.changes) - _CHANGES_SHOWN, 'other change')}"
