"""Every reason for which a report may no longer be quoted, and nothing that could not be checked called fresh."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from doubles.harness import AT
from doubles.reports import FIND, KEEP, case_of, little_report
from plugineval.harness.cases import Case
from plugineval.harness.expiry import ExpiryKind, ExpiryReason, Today, expiry_of_report
from plugineval.harness.gold_changes import gold_changes
from plugineval.harness.rendering.markdown import render_markdown
from plugineval.harness.scope import gold_hash, tool_prints
from plugineval.pccf.tools import ToolSpec

CASES = [case_of(index) for index in range(3)]
REPORT = little_report({"m": ["1"] * 3}, cases=CASES)


def today(tools: Sequence[ToolSpec] = (FIND, KEEP), cases: Sequence[Case] = CASES, served: str = "m-2026-01") -> Today:
    return Today(tools=tool_prints(tools), gold_hash=gold_hash(cases), served_models={"m": served})


def reasons(now: Today, *, days: int = 0) -> list[tuple[ExpiryKind, str]]:
    found = expiry_of_report(REPORT, now, now=AT + timedelta(days=days)).reasons
    return [(reason.kind, reason.what) for reason in found]


@pytest.mark.requirement("X4")
def test_what_has_not_changed_does_not_expire() -> None:
    found = expiry_of_report(REPORT, today(), now=AT)
    assert (found.expired, found.reasons, found.unchecked) == (False, (), ())


@pytest.mark.requirement("X4", "B18")
def test_a_date_passes() -> None:
    assert reasons(today(), days=90) == [(ExpiryKind.DATE_PASSED, "2026-04-02")]
    assert reasons(today(), days=89) == []


@pytest.mark.requirement("X4", "B19")
def test_a_description_and_a_schema_change_apart() -> None:
    reworded = FIND.model_copy(update={"description": "Finds."})
    wider = FIND.model_copy(update={"input_schema": {"type": "object"}})
    assert reasons(today(tools=(reworded, KEEP))) == [(ExpiryKind.TOOL_DESCRIPTION_CHANGED, "find")]
    assert reasons(today(tools=(KEEP, wider))) == [(ExpiryKind.TOOL_SCHEMA_CHANGED, "find")]


@pytest.mark.requirement("X4")
def test_tools_come_and_go() -> None:
    other = KEEP.model_copy(update={"name": "other"})
    assert reasons(today(tools=(FIND, other))) == [(ExpiryKind.TOOL_GONE, "keep"), (ExpiryKind.TOOL_ADDED, "other")]


@pytest.mark.requirement("X4")
def test_an_alias_moves_to_another_model() -> None:
    (reason,) = expiry_of_report(REPORT, today(served="m-2026-05"), now=AT).reasons
    assert reason == ExpiryReason(
        kind=ExpiryKind.MODEL_MOVED, what="m", detail="answered by m-2026-01 then, by m-2026-05 now"
    )


@pytest.mark.requirement("X4")
def test_gold_is_revised_but_not_by_another_order_of_the_cases() -> None:
    assert reasons(today(cases=CASES[::-1])) == []
    revised = [CASES[0].model_copy(update={"gold": CASES[1].gold}), *CASES[1:]]
    assert reasons(today(cases=revised)) == [(ExpiryKind.GOLD_REVISED, "little")]


@pytest.mark.requirement("X4")
def test_cases_that_came_and_went_are_no_revised_gold_and_a_revised_one_is_named() -> None:
    revised = CASES[0].model_copy(update={"gold": CASES[1].gold})
    cases = [revised, CASES[1], *(case_of(index) for index in (7, 8))]
    now = today(cases=cases).model_copy(update={"gold_changes": gold_changes(CASES, cases)})
    found = expiry_of_report(REPORT, now, now=AT).reasons
    assert [(reason.kind, reason.detail) for reason in found] == [
        (ExpiryKind.GOLD_REVISED, f"of {CASES[0].id}"),
        (ExpiryKind.CASES_CHANGED, f"gone since: {CASES[2].id}; added since: 2"),
    ]


@pytest.mark.requirement("X4", "B18")
def test_the_first_line_of_an_old_report_names_what_else_has_changed() -> None:
    late = AT + timedelta(days=90)
    expiry = expiry_of_report(REPORT, today(tools=(FIND,)), now=late)
    shown = render_markdown(REPORT, now=late, expiry=expiry)
    assert shown.startswith("**EXPIRED on 2026-04-02 (tool gone: keep): measure again before quoting a number.")


@pytest.mark.requirement("X4")
def test_what_is_not_known_is_said_to_be_unchecked() -> None:
    assert expiry_of_report(REPORT, Today(), now=AT).unchecked == ("tools", "gold", "model m")
    scope = REPORT.run.scope.model_copy(update={"tool_prints": {}, "gold_hash": ""})
    old = REPORT.model_copy(update={"run": REPORT.run.model_copy(update={"scope": scope})})
    found = expiry_of_report(old, today().model_copy(update={"toolset_hashes": ("another",)}), now=AT)
    assert [reason.kind for reason in found.reasons] == [ExpiryKind.TOOLS_CHANGED]
    assert found.unchecked == ("gold",)


@pytest.mark.requirement("X4", "B18")
def test_the_first_line_says_why_a_report_has_expired_before_its_date() -> None:
    expiry = expiry_of_report(REPORT, today(tools=(FIND,)), now=AT)
    shown = render_markdown(REPORT, now=AT, expiry=expiry)
    assert shown.startswith("**EXPIRED (tool gone: keep): measure again before quoting a number. Scope:")
    assert "## Whether these numbers still hold" in shown
