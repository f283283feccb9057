"""An ablation as one picture: a panel per measure, a row per variant, dots with their 95 % intervals (P62-P68).

A full dot differs from the full pipeline by the corrected test, a hollow one does not; the dashed line is the full
pipeline of the same plugins. Plain SVG without scripts or outside fonts, so that it shows everywhere.
"""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

import svg

from plugineval.harness.ablation.report import AblationReport, Measure, Score, VariantReport
from plugineval.harness.uncertainty import Rate

_FONT = "system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif"
_INK, _PALE, _GRID, _ACCENT = "#1f2933", "#52606d", "#d9e2ec", "#c2410c"
_LABELS, _PANEL, _GAP, _ROW, _TOP, _BOTTOM, _SIDE = 190, 168, 50, 24, 64, 74, 24


class _Point(NamedTuple):
    value: float
    low: float
    high: float


class _Panel(NamedTuple):
    title: str
    measure: Measure
    written: Callable[[float], str]
    whole: float
    """The axis reaches at least that far."""


class _Row(NamedTuple):
    y: float
    report: VariantReport
    full: VariantReport


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


_PANELS = (
    _Panel("Passed Stage I", "pass_rate", _percent, 1.0),
    _Panel("Wrong gold accepted", "false_positive_rate", _percent, 0.2),
    _Panel("Coverage multiple", "coverage_multiple", "{:g}×".format, 1.5),
    _Panel("Difficulty off (steps)", "difficulty_deviation", "{:g}".format, 0.5),
)


def ablation_figure(report: AblationReport) -> str:
    """The picture as an SVG document."""
    rows, headings, height = _laid_out(report)
    width = 2 * _SIDE + _LABELS + len(_PANELS) * (_PANEL + _GAP) - _GAP
    elements: list[svg.Element] = [svg.Rect(width=width, height=height, fill="white")]
    elements.append(_text(_SIDE, 26, "What each component is worth", _Type(16, "bold", _INK)))
    elements += [_text(_SIDE, y, words, _Type(11.5, "bold")) for y, words in headings]
    elements += [_label(row) for row in rows]
    for place, panel in enumerate(_PANELS):
        left = _SIDE + _LABELS + place * (_PANEL + _GAP)
        elements += _drawn(panel, left, rows, height - _BOTTOM)
    elements += _legend(report, height)
    view = svg.ViewBoxSpec(0, 0, width, height)
    drawn = svg.SVG(width=width, height=height, viewBox=view, style=f"font-family:{_FONT}", elements=elements)
    return f"{drawn}\n"


def _laid_out(report: AblationReport) -> tuple[list[_Row], list[tuple[float, str]], float]:
    """Rows and headings from top to bottom; a heading for each set of plugins, and the height of all."""
    rows: list[_Row] = []
    headings: list[tuple[float, str]] = []
    y = float(_TOP)
    for base in report.bases:
        level = [each for each in report.variants if each.plugins == base.plugins]
        y += _ROW
        headings.append((y + 4, _shortened(", ".join(base.plugins), 30)))
        for each in level:
            y += _ROW
            rows.append(_Row(y, each, level[0]))
        y += _ROW / 3
    return rows, headings, y + _BOTTOM


def _drawn(panel: _Panel, left: float, rows: Sequence[_Row], bottom: float) -> list[svg.Element]:
    points = [point for row in rows if (point := _point(row.report, panel.measure))]
    step, top = _axis(max([panel.whole, *(point.high for point in points)]))
    ticks = [step * number for number in range(round(top / step) + 1)]

    def x(value: float) -> float:
        return left + _PANEL * value / top

    drawn: list[svg.Element] = [_text(left + _PANEL / 2, _TOP - 12, panel.title, _Type(12, "bold", _INK, "middle"))]
    for tick in ticks:
        drawn.append(svg.Line(x1=x(tick), x2=x(tick), y1=_TOP, y2=bottom, stroke=_GRID, stroke_width=1))
        drawn.append(_text(x(tick), bottom + 15, panel.written(tick), _Type(10, anchor="middle")))
    drawn += [_reference(panel, row, x) for row in rows if _point(row.full, panel.measure)]
    return drawn + [element for row in rows for element in _dot(panel, row, x)]


def _reference(panel: _Panel, row: _Row, x: Callable[[float], float]) -> svg.Element:
    point = _point(row.full, panel.measure)
    at = x(point.value if point else 0.0)
    half = _ROW / 2
    return svg.Line(
        x1=at, x2=at, y1=row.y - half, y2=row.y + half, stroke=_PALE, stroke_width=1, stroke_dasharray=[3, 3]
    )


def _dot(panel: _Panel, row: _Row, x: Callable[[float], float]) -> list[svg.Element]:
    point = _point(row.report, panel.measure)
    if point is None:
        return [_text(x(0) + 4, row.y + 4, "nothing to show", _Type(9.5))]
    test = row.report.test(panel.measure)
    differs, full = test is not None and test.differs, row.report is row.full
    ink = _ACCENT if differs else _INK
    filled = ink if differs or full else "white"
    said = f"{row.report.name}: {panel.written(round(point.value, 3))}" + (f"; {test.says}" if test else "")
    return [
        svg.Line(x1=x(point.low), x2=x(point.high), y1=row.y, y2=row.y, stroke=ink, stroke_width=1.5),
        svg.Circle(
            cx=x(point.value),
            cy=row.y,
            r=4.5,
            fill=filled,
            stroke=ink,
            stroke_width=1.5,
            elements=[svg.Title(text=escape(said))],
        ),
    ]


def _point(each: VariantReport, measure: Measure) -> _Point | None:
    """Where the dot and its whiskers are; None where there is no number."""
    measured: dict[Measure, Rate | Score] = {
        "pass_rate": each.pass_rate,
        "false_positive_rate": each.false_positive_rate,
        "coverage_multiple": each.coverage_multiple,
        "difficulty_deviation": each.difficulty_deviation,
    }
    found = measured[measure]
    if found.value is None:
        return None
    low, high = (found.value if end is None else end for end in (found.low, found.high))
    return _Point(found.value, low, high)


def _axis(highest: float) -> tuple[float, float]:
    """A round step, and the end of an axis of at most five of them."""
    rough = highest / 4
    size = 10.0 ** floor(log10(rough))
    step = next(size * part for part in (1, 2, 2.5, 5, 10) if size * part >= rough * 0.999)
    return step, step * ceil(highest / step - 1e-9)


def _label(row: _Row) -> svg.Element:
    each = row.report
    same = f" (= {each.same_as.replace('_', ' ')})" if each.same_as else ""
    words = _shortened(each.name.replace("_", " ") + same, 28)
    return _text(_SIDE + 10, row.y + 4, words, _Type(12, "bold" if each is row.full else "normal", _INK))


def _legend(report: AblationReport, height: float) -> list[svg.Element]:
    y, alpha = height - 20, report.statistics.alpha
    entries = (
        (_ACCENT, _ACCENT, f"differs from full (corrected p < {alpha:g})"),
        (_INK, "white", "no difference shown"),
    )
    legend: list[svg.Element] = []
    x = float(_SIDE)
    for ink, fill, words in entries:
        legend.append(svg.Circle(cx=x + 5, cy=y - 4, r=4.5, fill=fill, stroke=ink, stroke_width=1.5))
        legend.append(_text(x + 16, y, words, _Type()))
        x += 40 + 6.2 * len(words)
    return [*legend, _text(x, y, "dashed: full, on the same plugins; lines: 95 % intervals", _Type())]


class _Type(NamedTuple):
    """How words look."""

    size: float = 11
    weight: str = "normal"
    fill: str = _PALE
    anchor: str = "start"


def _text(x: float, y: float, words: str, kind: _Type) -> svg.Element:
    # The library writes what it is given: names are somebody's words, and must not become markup.
    style = f"font-weight:{kind.weight};text-anchor:{kind.anchor}"
    return svg.Text(x=x, y=y, text=escape(words), font_size=kind.size, fill=kind.fill, style=style)


def _shortened(words: str, longest: int) -> str:
    return words if len(words) <= longest else words[: longest - 1] + "…"
