"""An ablation as tables: the measures of every variant, then what it differs in from the full pipeline (P62-P68)."""

from collections.abc import Iterable, Sequence

from plugineval.harness.ablation.report import AblationReport, AblationTest, Score, VariantReport
from plugineval.harness.rendering.tables import NOTHING, Table, interval, numbers, percent_of, table_of, text
from plugineval.harness.uncertainty import Rate


def ablation_tables(report: AblationReport) -> tuple[Table, ...]:
    """Measures, differences and cost in reading order, for one set of plugins after the other."""
    tables: list[Table] = []
    for base in report.bases:
        level = tuple(each for each in report.variants if each.plugins == base.plugins)
        on = ", ".join(base.plugins)
        tables += [_measures(level, on), _differences(level, on, report.statistics.alpha), _cost(level, on)]
    return tuple(table for table in tables if table.rows)


def ablation_sentences(report: AblationReport) -> tuple[str, ...]:
    """For every variant the differences that are shown; where there is none, what it would take to show one."""
    told: list[str] = []
    alike: list[str] = []
    for each in report.variants:
        if each.same_as or not each.tests:
            continue
        shown = [test for test in each.tests if test.differs] or [test for test in each.tests if test.needed]
        if shown:
            told.append(f"{_name(each, report)}: {'; '.join(test.says for test in shown)}.")
        else:
            alike.append(_name(each, report))
    return (*told, *([f"No difference in any measure: {', '.join(alike)}."] if alike else []))


def ablation_notes(report: AblationReport) -> tuple[str, ...]:
    """What must be known to read the tables."""
    cut = [_name(each, report) for each in report.variants if each.cut_short]
    unknown = sum(each.unknown_truth for each in report.variants)
    bases = [
        f"{base.units} {base.of}" + (f" ({_counted(base.plugins)})" if len(report.bases) > 1 else "")
        for base in report.bases
    ]
    notes = [
        f"Wrong gold: accepted gold that is wrong as judged by {report.judged_by}. Evaluators cannot find wrong what "
        "they accepted themselves: where they judge, the full pipeline has none by construction.",
        f"Coverage multiples are of {'; '.join(dict.fromkeys(bases))}.",
    ]
    notes += [f"Gold whose truth nobody knows, left out: {unknown}."] if unknown else []
    notes += [f"Cut short by a limit, so of what there was until then: {', '.join(cut)}."] if cut else []
    return tuple(notes)


def _measures(level: Sequence[VariantReport], on: str) -> Table:
    """Every variant: rates with what they are of, and their intervals."""
    rows = [
        (
            _label(each),
            _rate(each.pass_rate),
            " ".join(_short(rate) for rate in each.cumulative_pass_rate),
            _rate(each.false_positive_rate),
            _score(each.coverage_multiple, "×"),
            _score(each.difficulty_deviation, ""),
        )
        for each in level
    ]
    columns = (
        text("Variant"),
        *numbers("Passed Stage I", "by round 1..R", "Wrong gold", "Coverage multiple", "Difficulty off"),
    )
    named = {each.name: each.without for each in level if each.without not in {"", each.name}}
    meant = "; ".join(f"{name}: {without}" for name, without in named.items())
    note = f"In brackets: 95 %. Difficulty off: mean steps, from 0 to 2. {meant}".strip()
    return table_of("ablation", f"Variants on {on}", columns, rows, note=note)


def _differences(level: Sequence[VariantReport], on: str, alpha: float) -> Table:
    """Every variant against full, by measure: difference, corrected p, and what may be said."""
    rows = [
        (
            _label(each),
            *(_difference(test) for test in each.tests),
        )
        for each in level
        if each.tests
    ]
    columns = (text("Against full"), *numbers("Passed", "Wrong gold let through", "Units covered", "Difficulty off"))
    note = (
        f"Difference, corrected p and n; * p < {alpha:g}. Holm's correction by measure over the named variants, "
        "and over each sweep. Paired: exact McNemar on common candidates or units, a permutation test over units for "
        "the difficulty; where Stage I is the same, rates are compared unpaired (Fisher). ≥N: how many would settle it."
    )
    return table_of("ablation_differences", f"What each leaves out is worth, on {on}", columns, rows, note=note)


def _cost(level: Sequence[VariantReport], on: str) -> Table:
    """What each asked, and what it built."""
    rows = [
        (
            _label(each),
            f"{each.calls:,}",
            f"{each.calls_replayed:,}",
            f"{each.judging_calls:,}",
            NOTHING if each.spent.cost is None else f"{each.spent.cost:.4g}",
            f"{each.candidates}",
            f"{each.examples}/{each.size}",
            f"{each.undecided}",
            each.stop_reason.replace("_", " "),
        )
        for each in level
    ]
    columns = (
        text("Variant"),
        *numbers("Calls", "Replayed", "For the truth", "Dollars alone", "Queries", "Examples", "Undecided"),
        text("Ended by"),
    )
    note = "Replayed: asked by an earlier variant already, and free."
    return table_of("ablation_cost", f"Calls and candidates, on {on}", columns, rows, note=note)


def _name(each: VariantReport, report: AblationReport) -> str:
    name = _label(each)
    return f"{_counted(each.plugins)}: {name}" if len(report.bases) > 1 else name


def _label(each: VariantReport) -> str:
    return f"{each.name} (= {each.same_as})" if each.same_as else each.name


def _counted(plugins: Iterable[str]) -> str:
    number = len(tuple(plugins))
    return "1 plugin" if number == 1 else f"{number} plugins"


def _rate(rate: Rate) -> str:
    return NOTHING if rate.value is None else f"{percent_of(rate)} [{interval(rate)}]"


def _short(rate: Rate) -> str:
    return NOTHING if rate.value is None else f"{100 * rate.value:.0f}"


def _score(score: Score, sign: str) -> str:
    if score.value is None:
        return NOTHING
    span = f" [{score.low:.2f}–{score.high:.2f}]" if score.low is not None and score.high is not None else ""
    return f"{score.value:.2f}{sign} of {score.of}{span}"


def _difference(test: AblationTest) -> str:
    if test.delta is None or test.p_adjusted is None:
        return NOTHING
    steps = test.measure == "difficulty_deviation"
    gap = f"{test.delta:+.2f}" if steps else f"{100 * test.delta:+.1f} pp"
    more = f" ≥{test.needed.settles}" if test.needed is not None else ""
    star = "*" if test.differs else ""
    return f"{gap}{star} p {test.p_adjusted:.2g} n {test.pairs}{more}"
