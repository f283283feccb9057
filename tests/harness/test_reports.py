from datetime import timedelta

import pytest

from doubles.harness import AT, INTEGER, TEXT, attempt, call, defined, gold, negative, positive, run_info, schema, tool
from plugineval.harness.cases import Case
from plugineval.harness.construction import Construction, CoverageUnit
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import Confusion, Outcome
from plugineval.harness.rendering.markdown import render_markdown, report_tables
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.scope import expiry_of, schema_depth, scope_of
from plugineval.harness.verdict import Finding
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind, RouterReply

F = tool("f", schema("n", n=INTEGER, note=TEXT))
RIGHT = RouterReply(calls=(call("f", n=1),))
SILENT = RouterReply()
DOWN = RouterReply(failure=Failure(kind=FailureKind.TIMEOUT, detail="30 s"))
NEVER = "degenerate:never-call"


def case_of(index: int) -> Case:
    return positive(gold("f", n=1), tools=(F,), case_id=f"c{index}")


def report_of(replies: dict[str, list[RouterReply]], *, construction: Construction | None = None) -> Report:
    """One reply per case and model, and the never-call floor."""
    number = max(map(len, replies.values()))
    cases = tuple(map(case_of, range(number)))
    answers = {**replies, NEVER: [SILENT] * number}
    builder = ReportBuilder(run_info(cases, *answers), construction=construction)
    for model, given in answers.items():
        for case, reply in zip(cases, given, strict=True):
            found = attempt(case, reply, model=model)
            builder.add(case, found, grade(case, found, policy=GradingPolicy()))
    return builder.build(now=AT)


@pytest.mark.requirement("X8")
def test_models_that_know_nothing_are_graded_beside_on_the_cells_of_the_first_model() -> None:
    cases = [case_of(0), negative(tools=(F,))]
    run = run_info(tuple(cases), "m", "other")
    builder = ReportBuilder(run, beside=degenerate_models())
    for model, reply in (("m", RIGHT), ("other", DOWN)):
        for case in cases:
            found = attempt(case, reply, model=model)
            builder.add(case, found, grade(case, found, policy=GradingPolicy()))
    report = builder.build(now=AT)
    never = next(model for model in report.models if model.id == NEVER)
    assert never.floor is not None
    assert (never.rows, never.confusion[Confusion.FN], never.confusion[Confusion.TN]) == (2, 1, 1)
    assert report.comparison.rows == 2


@pytest.mark.requirement("B18", "B19")
def test_the_first_line_is_scope_date_and_expiry() -> None:
    first = render_markdown(report_of({"m": [RIGHT] * 10}), now=AT).splitlines()[0]
    assert first == (
        "**Scope: little (abcdef012345) on a cases file; 1 tool, schema depth 1, 1 optional argument; 10 cases: "
        "10 positive, negatives: none; real traffic. Measured 2026-01-02, expires 2026-04-02.**"
    )


@pytest.mark.requirement("B18")
def test_an_expired_report_says_so_before_anything_else() -> None:
    report = report_of({"m": [RIGHT]})
    assert report.expires_at == expiry_of(report.run) == AT + timedelta(days=90)
    late = render_markdown(report, now=report.expires_at)
    assert late.startswith("**EXPIRED on 2026-04-02: measure again before quoting a number. Scope:")
    assert "EXPIRED" not in render_markdown(report, now=report.expires_at - timedelta(seconds=1))


@pytest.mark.requirement("P17")
@pytest.mark.parametrize(
    ("roles", "remark"),
    [
        ({"writer": "m", "generators": "x, m"}, "m wrote the queries and proposed the gold of this benchmark, which "),
        ({"writer": "x", "generators": "m"}, "m proposed the gold of this benchmark, which favours it."),
        ({"writer": "mm", "generators": "x", "router": "m"}, ""),
        ({"writer": NEVER}, ""),
    ],
)
def test_the_headline_says_of_a_model_that_it_made_what_it_is_measured_on(roles: dict[str, str], remark: str) -> None:
    plain = report_of({"m": [RIGHT] * 20}).verdict.sentence
    found = report_of({"m": [RIGHT] * 20}, construction=Construction(roles=roles)).verdict.sentence
    assert found.startswith(f"{plain} {remark}") if remark else found == plain


def test_a_report_goes_to_json_and_back_without_loss() -> None:
    facts = Construction(parameters={"tau": 0.8}, coverage=(CoverageUnit(unit="s|easy", budget=2, verified=1),))
    report = report_of({"m": [RIGHT, SILENT, DOWN]}, construction=facts)
    assert Report.model_validate_json(report.model_dump_json()) == report


@pytest.mark.requirement("B1", "P49")
def test_scripts_find_the_numbers_of_every_model_in_the_json() -> None:
    first = report_of({"m": [RIGHT, SILENT, DOWN]}).model_dump(mode="json")["models"][0]
    assert first["id"] == "m"
    assert (first["recall"]["value"], first["accuracy"]["denominator"]) == (0.5, 2)
    assert first["confusion"] == {"TP": 1, "FN": 1, "TN": 0, "FP": 0}
    assert first["outcomes"] == {
        outcome.value: int(outcome in {Outcome.CORRECT, Outcome.NO_CALL}) for outcome in Outcome
    }
    assert first["exclusions"] == {"timeout": 1}


@pytest.mark.requirement("X8")
def test_floors_are_marked_and_come_last() -> None:
    report = report_of({"zeta": [RIGHT] * 20})
    assert [(model.id, model.floor) for model in report.models] == [("zeta", None), (NEVER, "calls nothing, ever")]
    assert f"`{NEVER} (floor)`" in render_markdown(report)


@pytest.mark.requirement("X8", "X10")
@pytest.mark.parametrize(
    ("replies", "finding"),
    [
        ({"m": [RIGHT] * 20}, Finding.ABOVE_FLOOR),
        ({"m": [RIGHT, *[SILENT] * 19]}, Finding.NOT_ABOVE_FLOOR),
        ({"m": [RIGHT] * 2}, Finding.NOT_ABOVE_FLOOR),
        ({"m": [DOWN] * 20}, Finding.NOTHING_GRADED),
        ({"a": [RIGHT] * 20, "b": [RIGHT] * 17 + [SILENT] * 3}, Finding.NO_DIFFERENCE),
        ({"a": [RIGHT] * 60, "b": [RIGHT] * 30 + [SILENT] * 30}, Finding.AHEAD),
        ({"a": [RIGHT] * 60, "b": [RIGHT] * 30 + [DOWN] * 30}, Finding.NO_DIFFERENCE),
    ],
)
def test_the_verdict_claims_only_what_the_intervals_allow(
    replies: dict[str, list[RouterReply]], finding: Finding
) -> None:
    assert report_of(replies).verdict.finding is finding


@pytest.mark.requirement("X10")
def test_the_verdict_counts_beside_every_rate_and_says_what_it_rests_on() -> None:
    sentence = report_of({"a": [RIGHT] * 60, "b": [RIGHT] * 30 + [SILENT] * 30}).verdict.sentence
    assert sentence == (
        "a 100.0 % (60/60) is ahead of b 50.0 % (30/60) (accuracy on 60 common rows; exact McNemar p < 0.001; "
        "one repeat, noise not measured)."
    )


@pytest.mark.requirement("X11", "E3")
def test_excluded_rows_are_listed_with_model_reason_and_cause() -> None:
    report = report_of({"m": [DOWN, RIGHT]})
    tables = {table.key: table for table in report_tables(report)}
    assert tables["exclusions"].rows == (("m", "timeout", "1", "2"),)
    assert tables["excluded_examples"].rows == (("c0", "m", "timeout", "30 s"),)


@pytest.mark.requirement("X11")
def test_examples_are_bounded_and_the_same_whatever_the_order_of_rows() -> None:
    report = report_of({"m": [SILENT] * 9})
    assert [sample.case_id for sample in report.errors] == ["c0", "c1", "c2", "c3", "c4"]


@pytest.mark.requirement("B10", "X10")
def test_no_percentage_stands_without_its_counts() -> None:
    for table in report_tables(report_of({"m": [RIGHT, SILENT]})):
        for row in table.rows:
            alone = [i for i, cell in enumerate(row) if cell.endswith("%")]
            assert all("/" in row[i + 1] for i in alone)


def test_what_plugins_and_models_wrote_cannot_become_markup_or_steer_a_terminal() -> None:
    evil = "x`|</td><script>alert(1)</script>\x1b[2J\u202e\n# heading [link](http://evil.example)"
    case = Case.model_validate({**dict(case_of(0)), "id": evil})
    builder = ReportBuilder(run_info((case,), "m"))
    found = attempt(case, RouterReply(calls=(EmittedCall(name=evil, arguments=None, raw_arguments=evil),)), model="m")
    builder.add(case, found, grade(case, found, policy=GradingPolicy()))
    shown = render_markdown(builder.build(now=AT))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\n# heading" not in shown
    row = next(line for line in shown.splitlines() if "wrong_tool" in line and "script" in line)
    assert row.replace(r"\|", "").count("|") == 8
    assert all("<" not in outside for outside in row.replace(r"\|", "").replace("``", "\0").split("\0")[::2])


def test_model_ids_in_running_text_are_neutralised_too() -> None:
    shown = render_markdown(report_of({"<b>*m*</b>": [RIGHT] * 20}))
    assert r"&lt;b&gt;\*m\*&lt;/b&gt; 100.0 %" in shown
    assert "<b>" not in shown.replace("`<b>*m*</b>`", "")


def test_markdown_rows_have_as_many_cells_as_their_heading() -> None:
    lines = render_markdown(report_of({"m": [RIGHT, SILENT, DOWN]})).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) > 20
    widths = [line.replace(r"\|", "").count("|") for line in tables]
    starts = [i for i, line in enumerate(lines) if line.startswith("|") and not lines[i - 1].startswith("|")]
    assert sorted(set(widths)) == sorted({lines[i].replace(r"\|", "").count("|") for i in starts})


@pytest.mark.requirement("B19")
def test_the_scope_counts_tools_depth_optional_arguments_and_negatives() -> None:
    person = schema(home=schema(zip=TEXT))
    deep = tool("deep", defined(schema("who", who={"$ref": "#/$defs/P"}), P=person))
    cases = [case_of(0), case_of(1), negative(tools=(F, deep)), negative(tools=(F, deep), target="f", case_id="n2")]
    scope = scope_of("b", "h", cases)
    assert (scope.tools, scope.schema_depth, scope.optional_fields) == (2, 3, 1)
    assert (scope.cases, scope.positives) == (4, 2)
    assert scope.negatives == {"global_negative": 1, "targeted_negative": 1}
    assert len(scope.toolset_hashes) == 2
    assert (schema_depth(tool("none")), scope.traffic) == (0, "real")


def test_a_schema_that_contains_itself_has_a_depth() -> None:
    tree = schema(children={"type": "array", "items": {"$ref": "#/$defs/T"}})
    assert schema_depth(tool("t", defined(schema(root={"$ref": "#/$defs/T"}), T=tree))) == 2


def test_confusion_counts_keep_their_order_in_the_table() -> None:
    table = next(table for table in report_tables(report_of({"m": [RIGHT, SILENT]})) if table.key == "confusion")
    assert [column.name for column in table.columns][1:5] == [cell.value for cell in Confusion]
    assert table.rows[0][1:] == ("1", "1", "0", "0", "2", "0")
