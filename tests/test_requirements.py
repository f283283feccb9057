"""The manifest and the tests agree: no `tested` promise without a test, no test for an unknown promise."""

import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from requirements import REQUIREMENTS

TESTS = Path(__file__).parent
ALL_IDS = {
    f"{letter}{number}"
    for letter, last in (("P", 68), ("B", 27), ("E", 8), ("D", 15), ("X", 11))
    for number in range(1, last + 1)
}


def _named_ids() -> dict[str, set[str]]:
    """Requirement id -> test files whose `requirement` marks name it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
                for argument in node.args:
                    found[str(ast.literal_eval(argument))].add(str(path.relative_to(TESTS)))
    return found


def test_the_manifest_holds_every_id_once_with_a_sentence() -> None:
    assert set(REQUIREMENTS) == ALL_IDS
    assert all(len(requirement.sentence) > 10 for requirement in REQUIREMENTS.values())


def test_every_tested_promise_has_a_test() -> None:
    named = _named_ids()
    missing = [key for key, requirement in REQUIREMENTS.items() if requirement.state == "tested" and key not in named]
    assert not missing, f"promises marked `tested` that no test names: {missing}"


def test_no_test_names_an_unknown_promise() -> None:
    # A promise that still waits may have tests already: of the part of it that is there.
    unknown = {key: sorted(files) for key, files in _named_ids().items() if key not in REQUIREMENTS}
    assert not unknown


def test_the_counts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter(requirement.state for requirement in REQUIREMENTS.values())
    with capsys.disabled():
        sys.stdout.write("\nrequirements: " + ", ".join(f"{key} {n}" for key, n in counts.most_common()) + "\n")
    assert counts.total() == len(ALL_IDS)
    assert all(re.fullmatch(r"[a-z ]+", state) for state in counts)
