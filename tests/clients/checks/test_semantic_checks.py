"""A person's own checks: loaded and proven before a run, bounded in time, and never able to break one."""

import importlib.metadata
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from plugineval.clients.checks.loading import LoadedCheck, open_checks
from plugineval.clients.checks.process import CheckBrokenError
from plugineval.harness.cases import Case
from plugineval.harness.semantic_checks import SemanticCheck, checked
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

HEAD = "from plugineval.clients.checks import semantic_check\n"
CITY = """
@semantic_check("weather", examples=[({"city": "A"}, {"city": "a"}, True), ({"city": "A"}, {"city": "B"}, False)])
def same_city(case, gold, predicted):
    return gold["city"].lower() == predicted["city"].lower()
"""


def _second(example: str) -> str:
    """The file with another second example."""
    return CITY.replace('({"city": "A"}, {"city": "B"}, False)', example)


class Row(NamedTuple):
    """As much of a case as a check needs."""

    id: str
    query: Query


ROW = Row("c1", Query.of_text("in Rome?", now=datetime(2026, 3, 1, 9, tzinfo=UTC)))


def ask(check: LoadedCheck, gold: dict[str, Json], predicted: dict[str, Json]) -> bool:
    call = EmittedCall(name=check.tool, arguments=predicted)
    return check(ROW, Invocation(tool=check.tool, arguments=gold), call)


@contextmanager
def check_in(folder: Path, body: str, *, timeout_s: float = 5.0) -> Generator[LoadedCheck]:
    """The only check of a file with `body`."""
    path = folder / "my_checks.py"
    path.write_text(HEAD + body)
    with open_checks([path], timeout_s=timeout_s) as checks:
        (found,) = checks.values()
        yield found


@pytest.mark.requirement("B5")
def test_a_decorated_function_decides_its_tool(tmp_path: Path) -> None:
    with check_in(tmp_path, CITY) as check:
        assert (check.tool, Path(check.source).name) == ("weather", "my_checks.py")
        assert ask(check, {"city": "Rome"}, {"city": "ROME"})
        assert not ask(check, {"city": "Rome"}, {"city": "Oslo"})


def test_a_mapping_registers_plain_functions_with_examples_per_tool(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text(
        "def check(case, gold, predicted):\n    return gold == predicted\n"
        "CHECKS = {'a': check, 'b': check}\nEXAMPLES = {'b': [({'x': 1}, {'x': 1}, True)]}\n"
    )
    with open_checks([path]) as checks:
        assert sorted(checks) == ["a", "b"]
        assert ask(checks["a"], {"x": [1]}, {"x": [1]})


def test_a_check_sees_the_query_and_its_clock(tmp_path: Path) -> None:
    body = "@semantic_check('t')\ndef f(case, gold, predicted):\n"
    body += "    return (case.id, case.query, case.tool, case.now.year) == ('c1', 'in Rome?', 't', 2026)\n"
    with check_in(tmp_path, body) as check:
        assert ask(check, {}, {})


def test_what_a_check_prints_or_reads_disturbs_nothing(tmp_path: Path) -> None:
    body = "import sys\n@semantic_check('t')\ndef f(case, gold, predicted):\n"
    body += "    print('noise'); sys.stdout.write('{}\\n'); return sys.stdin.read() == ''\n"
    with check_in(tmp_path, body) as check:
        assert [ask(check, {}, {}) for _ in range(3)] == [True] * 3


@pytest.mark.requirement("B5", "X11")
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("return gold['nothing']", "KeyError: 'nothing' (line 5 of my_checks.py)"),
        ("return 'yes'", "'yes' (str), not True or False"),
        ("return None", "not True or False"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_crashing_check_is_data_with_the_last_line_of_its_traceback(
    tmp_path: Path, statement: str, said: str
) -> None:
    body = f"@semantic_check('t')\ndef f(case, gold, predicted):\n    if predicted: return True\n    {statement}\n"
    with check_in(tmp_path, body) as check:
        with pytest.raises(CheckBrokenError) as caught:
            ask(check, {}, {})
        assert said in str(caught.value)
        assert ask(check, {}, {"x": 1})


@pytest.mark.requirement("B5")
@pytest.mark.parametrize("statement", ["while True: pass", "__import__('os')._exit(7)"])
def test_a_check_that_hangs_or_ends_its_process_is_started_again_and_given_up_after_three_times(
    tmp_path: Path, statement: str
) -> None:
    body = f"@semantic_check('t')\ndef f(case, gold, predicted):\n    if predicted: return True\n    {statement}\n"
    with check_in(tmp_path, body, timeout_s=0.5) as check:
        for _ in range(2):
            with pytest.raises(CheckBrokenError, match=r"no answer within 0.5 s|exit code 7"):
                ask(check, {}, {})
            assert ask(check, {}, {"x": 1})
        with pytest.raises(CheckBrokenError, match=r"no answer within 0.5 s|exit code 7"):
            ask(check, {}, {})
        started = time.monotonic()
        with pytest.raises(CheckBrokenError, match="not tried again"):
            ask(check, {}, {"x": 1})
        assert time.monotonic() - started < 0.4


@pytest.mark.requirement("B5")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (_second('({"city": "A"}, {"city": "B"}, True)'), "example 2: the check says False, the example says True"),
        (_second('({"city": "A"}, {}, False)'), "example 2: crashed: KeyError: 'city'"),
        (_second('({"city": "A"}, {"city": "B"})'), "example 2 of 'weather' must be (gold, predicted, expected)"),
        (CITY + CITY, "two checks are registered for 'weather'"),
        ("", "registers no check"),
        ("CHECKS = {'t': 5}", "is not a function"),
        ("CHECKS = 5", "must map tool names"),
        (CITY + "EXAMPLES = {'other': []}", "'other', for which there is no check"),
        ("def f(:", "SyntaxError: invalid syntax (line 2 of my_checks.py)"),
        ("1/0", "ZeroDivisionError: division by zero (line 2 of my_checks.py)"),
        ("__import__('os')._exit(0)", "ended its process"),
    ],
)  # fmt: skip
def test_a_check_that_cannot_be_trusted_is_refused_before_the_run(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught, check_in(tmp_path, body):
        pass
    assert said in str(caught.value)
    assert "my_checks.py" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.py"), open_checks([tmp_path / "nowhere.py"]):
        pass


def test_two_files_for_one_tool_are_refused(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.py", "two.py")]
    for path in paths:
        path.write_text(HEAD + CITY)
    with pytest.raises(ConfigurationError, match="a second check of weather"), open_checks(paths):
        pass


def test_an_installed_package_offers_checks_and_a_file_wins_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packaged_checks.py"
    package.write_text("def weather(case, gold, predicted):\n    return True\nweather.EXAMPLES = [({}, {}, True)]\n")
    metadata = tmp_path / "packaged-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: packaged\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[plugineval.checks]\nweather = packaged_checks:weather\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert importlib.metadata.entry_points(group="plugineval.checks")
    with open_checks() as checks:
        assert ask(checks["weather"], {"city": "A"}, {"city": "B"})
        assert checks["weather"].source == "entry point weather"
    mine = tmp_path / "mine.py"
    mine.write_text(HEAD + CITY)
    with open_checks([mine]) as checks:
        assert not ask(checks["weather"], {"city": "A"}, {"city": "B"})


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    with check_in(
        tmp_path, "import os\n@semantic_check('t')\ndef f(case, gold, predicted):\n    return os.getpid() == 0\n"
    ):
        pass
    if sys.platform == "linux":
        mine = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
        assert not [line for line in mine if str(tmp_path).encode() in line]


@pytest.mark.requirement("B5")
def test_grading_takes_a_loaded_check_and_keeps_its_crash_as_data(tmp_path: Path) -> None:
    case = Case(id="c", query=Query.of_text("q"), toolset=Toolset(), sample_type=SampleType.POSITIVE)
    gold = GoldCall(tool="weather", arguments={"city": "Rome"})
    with check_in(tmp_path, CITY) as loaded:
        check: SemanticCheck = loaded
        same = checked(check, case, gold, EmittedCall(name="weather", arguments={"city": "rome"}))
        broken = checked(check, case, gold, EmittedCall(name="weather", arguments={}))
    assert same.equal
    assert "KeyError: 'city'" in broken.crashed
