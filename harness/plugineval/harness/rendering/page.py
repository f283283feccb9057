"""The report as one HTML file that needs nothing else: no script, no font, no request. It reads offline and in print.

Whatever came from plugins or models is text: it is escaped where it stands, and the page forbids everything but its
own style.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape

from plugineval.harness.definitions import Definition
from plugineval.harness.expiry import Expiry
from plugineval.harness.outcomes import Outcome
from plugineval.harness.rendering.decision_tables import expiry_table, first_to_fix
from plugineval.harness.rendering.markdown import report_tables
from plugineval.harness.rendering.neutral import plain
from plugineval.harness.rendering.page_style import page_style
from plugineval.harness.rendering.sections import first_line
from plugineval.harness.rendering.tables import Table, interval, percent_of
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.uncertainty import Rate

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
OPEN = 1
"""Sections that are unfolded at first."""
_SHOWN = (
    Outcome.CORRECT,
    Outcome.VALID_BUT_WRONG,
    Outcome.INVALID_ARGS,
    Outcome.WRONG_TOOL,
    Outcome.NO_CALL,
    Outcome.SPURIOUS_CALL,
)
"""What is right first, then what came close, then what did not."""


def render_page(report: Report, *, now: datetime | None = None, expiry: Expiry | None = None) -> str:
    """The whole report; its first line is scope, date and expiry, and says so where it has expired."""
    return document(report.run.scope.benchmark, page_body(report, now=now, expiry=expiry))


def document(title: str, body: str) -> str:
    """A page of ours with this body, which is HTML already."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{_text(title)}: PluginEval report</title>\n<style>\n{page_style()}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def page_body(report: Report, *, now: datetime | None = None, expiry: Expiry | None = None) -> str:
    """What the page shows."""
    gone = (now is not None and report.expired(now)) or (expiry is not None and expiry.expired)
    fix = first_to_fix(report)
    checked = (expiry_table(expiry),) if expiry is not None else ()
    tables = [*(table for table in checked if table.rows), *report_tables(report)]
    parts = [
        "<main>",
        f'<p class="scope{" expired" if gone else ""}">{_text(first_line(report, now, expiry))}</p>',
        f"<h1>{_text(report.run.scope.benchmark)}</h1>",
        f'<p class="verdict">{_text(report.verdict.sentence)}</p>',
        f'<p class="decision">{_text(fix)}</p>' if fix else "",
        _figure(report.models),
        *(_section(table, unfolded=place < OPEN) for place, table in enumerate(tables)),
        _definitions(report.definitions),
        "</main>",
    ]
    return "\n".join(part for part in parts if part)


def _figure(models: Iterable[ModelReport]) -> str:
    """Each model's accuracy with its interval, and below it what became of its rows."""
    shown = list(models)
    legend = "".join(
        f'<li><i style="background:var(--{outcome.value})"></i>{outcome.value.replace("_", " ")}</li>'
        for outcome in _SHOWN
    )
    rows = "\n".join(part for model in shown for part in _model(model))
    heading = "<h2>Accuracy, and what became of the calls</h2>"
    return f'<section>{heading}<div class="models">\n{rows}\n</div><ul class="legend">{legend}</ul></section>'


def _model(model: ModelReport) -> Iterator[str]:
    kind = "model floor" if model.floor is not None else "model"
    yield (
        f'<div class="{kind}"><b>{_text(model.id)}</b><div>{_track(model.accuracy)}</div>'
        f'<span class="rate">{_text(_told(model.accuracy))}</span>{_stack(model)}</div>'
    )


def _told(rate: Rate) -> str:
    return f"{percent_of(rate)}, 95 %: {interval(rate)}"


def _track(rate: Rate) -> str:
    if rate.value is None:
        return '<div class="track"></div>'
    span = ""
    if rate.low is not None and rate.high is not None:
        span = f'<span class="span" style="left:{_share(rate.low)};width:{_share(rate.high - rate.low)}"></span>'
    return f'<div class="track"><span class="fill" style="width:{_share(rate.value)}"></span>{span}</div>'


def _stack(model: ModelReport) -> str:
    total = sum(model.outcomes.values())
    parts = [
        f'<i style="width:{_share(count / total)};background:var(--{outcome.value})" '
        f'title="{outcome.value.replace("_", " ")}: {count} of {total}"></i>'
        for outcome in _SHOWN
        if (count := model.outcomes.get(outcome, 0))
    ]
    return f'<div class="stack">{"".join(parts)}</div>'


def _share(value: float) -> str:
    return f"{100 * min(max(value, 0.0), 1.0):.2f}%"


def _section(table: Table, *, unfolded: bool) -> str:
    kinds = [column.kind.value for column in table.columns]
    head = "".join(f'<th class="{each.kind.value}">{_text(each.name)}</th>' for each in table.columns)
    rows = "\n".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{_text(cell)}</td>' for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{_text(table.note)}</p>' if table.note else ""
    shown = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"
    opened = " open" if unfolded else ""
    summary = f"<summary>{_text(table.title)}</summary>"
    return f'<details{opened}>{summary}<div class="scroll">{shown}</div>{note}</details>'


def _definitions(definitions: Iterable[Definition]) -> str:
    terms = "".join(f"<dt>{_text(each.name)}</dt><dd>{_text(each.meaning)}</dd>" for each in definitions)
    return f"<details><summary>How to read this</summary><dl>{terms}</dl></details>"


def _text(words: str) -> str:
    """Words of anybody: one line, nothing of it is markup."""
    return escape(plain(words))
