"""The house rules that a machine can hold: size budgets, names, and what the repository must not contain."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("server", "pccf", "harness", "clients")
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
TOP_LEVEL = {*ROOMS, "tests", "pyproject.toml", "README.md", "LICENSE", "constraints.txt"}


def _sources(*roots: str) -> list[Path]:
    return [path for root in roots for path in sorted((ROOT / root).rglob("*.py"))]


def _functions(paths: list[Path]) -> Iterator[tuple[str, int]]:
    """`file:name` and length in lines, docstring apart, of every function and method."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                docstring = node.body[0] if ast.get_docstring(node) else None
                spoken = (docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0
                yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1 - spoken


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_longer_than_300_lines() -> None:
    long = {str(path.relative_to(ROOT)): _lines(path) for path in _sources(*ROOMS, "tests") if _lines(path) > 300}
    assert not long


def test_the_median_file_of_a_room_is_at_most_120_lines() -> None:
    for room in ROOMS:
        assert statistics.median(_lines(path) for path in _sources(room)) <= 120, room


def test_no_function_is_longer_than_50_lines() -> None:
    long = {name: length for name, length in _functions(_sources(*ROOMS, "tests")) if length > 50}
    assert not long


def test_the_median_function_is_at_most_10_lines() -> None:
    assert statistics.median(length for _, length in _functions(_sources(*ROOMS))) <= 10


def test_no_module_is_named_after_nothing() -> None:
    named = [path for path in _sources(*ROOMS, "tests") if {path.stem, path.parent.name} & FORBIDDEN_NAMES]
    assert not named


def test_every_module_opens_with_its_idea() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in _sources(*ROOMS)
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_plugineval_is_a_namespace_without_an_init() -> None:
    assert not [room for room in ROOMS if (ROOT / room / "plugineval" / "__init__.py").exists()]
    assert not [room for room in ROOMS if (ROOT / room / "__init__.py").exists()]


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """Paths git tracks; outside a checkout (an unpacked archive) there is nothing to say."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return listed.stdout.splitlines()


def test_the_top_level_holds_the_rooms_and_nothing_else(tracked: list[str]) -> None:
    assert {path.split("/")[0] for path in tracked if not path.startswith(".")} <= TOP_LEVEL


def test_no_lock_file_and_no_path_of_a_machine_is_tracked(tracked: list[str]) -> None:
    assert not [path for path in tracked if path.endswith(("uv.lock", "poetry.lock", "package-lock.json"))]
    machine = re.compile(r"(?:^|[\s\"'(=])/(?:home|root|Users|opt)/[a-z]")
    texts = [ROOT / path for path in tracked if path.endswith((".py", ".toml", ".md", ".txt", ".json", "run"))]
    assert not [str(path) for path in texts if path.exists() and machine.search(path.read_text(encoding="utf-8"))]
