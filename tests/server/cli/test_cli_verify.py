"""`plugineval verify`: stored gold executed again on a real plugin, and what it says when the world has changed."""

import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from doubles.cli import Called, plugineval, started
from doubles.notes import CLOCK, LIST, READ, counts, store_notes, write_settings

WITHOUT_SANDBOX = "[plugins.notes.sandbox]"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_settings(tmp_path)
    return tmp_path


def verified(home: Path, *options: str) -> Called:
    return plugineval("verify", "notes", "--home", home, "--json", *options)


def details(called: Called) -> list[tuple[str, str, str]]:
    return [(each["case"], each["tool"], each["verdict"]) for each in called.printed["details"]]


def why(called: Called, case: str) -> str:
    found: list[dict[str, Any]] = [each for each in called.printed["details"] if each["case"] == case]
    return str(found[0]["reason"])


@pytest.mark.requirement("X1", "P14")
def test_gold_that_holds_is_executed_again_and_the_fixture_stays_as_it_is(home: Path) -> None:
    store_notes(home)
    called = verified(home)
    assert called.code == 0, called.err
    assert counts(called.printed) == {"cases": 4, "reexecuted": 4, "same": 3, "moved": 1}
    assert called.printed["without_call"] == 1
    assert details(called) == [("case-1", "get_clock", "moved")]
    assert called.printed["details"][0]["parts"] == ["/id", "/now"]
    assert called.printed["calls"] == 5
    assert [path.name for path in (home / "fixture").iterdir()] == ["a.txt"]
    assert (home / "fixture" / "a.txt").read_text() == "milk"
    assert list((home / "plugins" / "notes" / "copies").iterdir()) == []


def test_a_benchmark_without_repetitions_learns_today_what_moves(home: Path) -> None:
    store_notes(home, repeated=False, gold=[(READ,), (CLOCK,)])
    called = verified(home)
    assert called.code == 0, called.err
    assert counts(called.printed) == {"cases": 2, "reexecuted": 2, "same": 1, "moved": 1}
    assert why(called, "case-1") == "differs at /id, /now, as two executions today do"


def test_what_is_declared_as_moving_is_executed_and_not_compared(home: Path) -> None:
    store_notes(home, repeated=False, gold=[(CLOCK,)])
    write_settings(home, more="moving = ['get_clock']")
    called = verified(home)
    assert called.code == 0
    assert why(called, "case-0") == "declared as moving; not compared"
    assert called.printed["calls"] == 1


def test_a_result_that_differs_elsewhere_has_drifted(home: Path) -> None:
    store_notes(home)
    (home / "fixture" / "a.txt").write_text("oats")
    called = verified(home)
    assert called.code == 1
    assert counts(called.printed) == {"cases": 4, "reexecuted": 4, "same": 2, "moved": 1, "drifted": 1}
    assert why(called, "case-0") == "its result differs at text: returned 'milk' before, returned 'oats' now"


def test_what_may_be_a_slow_clock_is_looked_at_once_more_after_the_others(home: Path) -> None:
    (home / "fixture" / "a.txt").write_text("at 12:04")
    store_notes(home, gold=[(READ,), (LIST,)])
    (home / "fixture" / "a.txt").write_text("at 12:05")
    called = verified(home, "--apart", "0.2")
    assert (called.code, counts(called.printed)["drifted"]) == (1, 1)
    assert why(called, "case-0").endswith("'at 12:04' before, returned 'at 12:05' now, and the same 0.2 s later")
    assert called.printed["calls"] == 4, "one each, the second look, and the later one"
    at_once = verified(home, "--apart", "0")
    assert (at_once.printed["calls"], "later" in why(at_once, "case-0")) == (3, False)
    assert verified(home, "--apart", "inf").code == 2


@pytest.mark.requirement("X4")
def test_a_tool_that_is_described_differently_has_drifted_though_its_result_is_the_same(home: Path) -> None:
    store_notes(home)
    write_settings(home, env={"NOTEBOOK_WORDS": "Read any note."})
    called = verified(home)
    assert called.code == 1
    assert counts(called.printed)["drifted"] == 2
    assert why(called, "case-0") == "its description changed"
    people = plugineval("verify", "notes", "--home", home)
    assert people.code == 1
    assert "2 drifted" not in people.out
    assert "drifted 2" in people.out
    assert "its description changed" in people.out


def test_gold_that_fails_says_what_the_plugin_answered_and_ends_the_calls_that_need_it(home: Path) -> None:
    store_notes(home)
    (home / "fixture" / "b.txt").mkdir()
    called = verified(home)
    assert called.code == 1
    assert counts(called.printed)["failed"] == 1
    assert [each for each in details(called) if each[2] == "failed"] == [("case-2", "write_note", "failed")]
    assert "tool_error" in why(called, "case-2")
    assert "directory" in why(called, "case-2")


def test_a_tool_or_plugin_that_is_gone_has_failed(home: Path) -> None:
    store_notes(home)
    write_settings(home, env={"NOTEBOOK_LACKS": "delete_note"})
    lacking = verified(home)
    assert lacking.code == 1
    assert why(lacking, "case-3") == "its plugin 'notes' offers no tool 'delete_note' any more"
    (home / "plugineval.toml").write_text("")
    gone = verified(home)
    assert (gone.code, counts(gone.printed)) == (1, {"cases": 4, "failed": 4})
    assert why(gone, "case-0") == "its plugin 'notes' is not registered any more"


def test_what_the_policy_forbids_by_now_is_not_executed_and_told(home: Path) -> None:
    store_notes(home)
    write_settings(home, policy="read_only")
    called = verified(home)
    assert called.code == 1
    assert counts(called.printed) == {"cases": 4, "reexecuted": 2, "same": 1, "moved": 1, "not_executed": 2}
    assert why(called, "case-3") == "not known to be read-only: its name says 'delete'"


@pytest.mark.requirement("X3")
def test_a_plugin_that_is_not_there_leaves_it_incomplete_and_resume_goes_on(home: Path) -> None:
    store_notes(home)
    text = (home / "plugineval.toml").read_text()
    (home / "plugineval.toml").write_text(text.replace("args = ['-S', ", "args = ['-S', '/none', "))
    called = verified(home)
    assert (called.code, counts(called.printed)) == (3, {"cases": 4, "failed": 4, "unreachable": 4})
    (home / "plugineval.toml").write_text(text)
    resumed = plugineval("resume", "--last", "--home", home, "--json")
    assert resumed.code == 0, resumed.err
    assert counts(resumed.printed)["reexecuted"] == 4


def test_a_missing_fixture_is_a_mistake_in_the_settings_that_is_named_first(home: Path) -> None:
    store_notes(home)
    shutil.rmtree(home / "fixture")
    called = verified(home)
    assert called.code == 2
    assert called.error["field"] == "plugins.notes.sandbox.copy"
    doctor = plugineval("doctor", "--plugins", "--home", home, "--json")
    assert doctor.code == 1
    found = {finding["name"]: finding for finding in doctor.printed["findings"]}
    assert found["plugin notes"]["status"] == "fail"
    assert "there is no " in found["plugin notes"]["detail"]
    assert "tools of notes" not in found


def test_an_unknown_benchmark_is_a_usage_error(home: Path) -> None:
    assert verified(home).code == 2


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.requirement("X3")
def test_a_killed_verification_repeats_no_call_that_was_answered(home: Path) -> None:
    store_notes(home, gold=[(READ,)] * 30)
    text = (home / "plugineval.toml").read_text()
    (home / "plugineval.toml").write_text(text + "copies = 1\n")
    with started("verify", "notes", "--home", home, "--json") as process:
        assert process.stderr is not None
        job = process.stderr.readline().split()[-1]
        _until_some_are_answered(home, job)
        process.send_signal(signal.SIGKILL)
    resumed = plugineval("resume", job, "--home", home, "--json")
    assert resumed.code == 0, resumed.err
    assert counts(resumed.printed) == {"cases": 30, "reexecuted": 30, "same": 30}
    assert resumed.printed["calls_replayed"] >= 3
    assert resumed.printed["calls"] + resumed.printed["calls_replayed"] == 30
    assert list((home / "plugins" / "notes" / "copies").iterdir()) == []


def _until_some_are_answered(home: Path, job: str) -> None:
    import sqlite3

    deadline = time.monotonic() + 30
    with sqlite3.connect(home / "plugineval.db") as database:
        while time.monotonic() < deadline:
            (found,) = database.execute("select count(*) from calls where scope = ?", (job,)).fetchone()
            if found >= 3:
                return
    raise AssertionError("nothing was answered in time")
