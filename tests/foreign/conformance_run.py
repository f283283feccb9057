"""One run of the conformance suite: what each scenario's checks said."""

import json
import tempfile
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from foreign.nodejs import CONFORMANCE, Node

Checks: TypeAlias = dict[str, list[dict[str, str]]]


class Counts(NamedTuple):
    """Of checks."""

    passed: int
    failed: int
    skipped: int


def checks_of(node: Node, url: str, revision: str) -> Checks:
    """Scenario -> checks of a requirement set, those included that the suite runs and does not score."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ("server", "--url", url, "--requirements", revision, "--output-dir", folder)
        ended = node.run(CONFORMANCE, *arguments, home=Path(folder))
        found = {_scenario(path): _checks(path) for path in sorted(Path(folder).glob("server-*/checks.json"))}
    assert found, f"{ended.stdout}\n{ended.stderr}"
    return found


def broken(checks: Checks) -> dict[str, list[str]]:
    """Scenario -> what is not as it should be; a warning is not, either."""
    told = {
        scenario: [f"{check['id']}: {check.get('errorMessage', '')}" for check in found if _bad(check)]
        for scenario, found in checks.items()
    }
    return {scenario: sentences for scenario, sentences in told.items() if sentences}


def untested(checks: Checks) -> set[str]:
    """Ids of checks that were not made."""
    return {check["id"] for found in checks.values() for check in found if check["status"] == "SKIPPED"}


def counted(checks: Checks) -> Counts:
    """How many checks there were of each kind."""
    every = [check for found in checks.values() for check in found]
    passed = sum(check["status"] in ("SUCCESS", "INFO") for check in every)
    return Counts(passed, sum(map(_bad, every)), sum(check["status"] == "SKIPPED" for check in every))


def _bad(check: dict[str, str]) -> bool:
    return check["status"] in ("FAILURE", "WARNING")


def _checks(path: Path) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", json.loads(path.read_text(encoding="utf-8")))


def _scenario(path: Path) -> str:
    """`server-tools-list-2026-11-30T11-48-30-563Z` is `tools-list`."""
    return path.parent.name.removeprefix("server-")[: -len("-2026-11-30T11-48-30-563Z")]
