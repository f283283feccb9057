"""The official conformance suite, over HTTP, against the app that is shipped: every scenario of both requirement sets.

The suite calls tools, prompts and resources by names of its own; `foreign.suite` adds them to our server. Also run is
what the suite does not score: the tasks extension, JSON Schema 2020-12, headers.
"""

import sys

import pytest

from foreign.conformance_run import broken, checks_of, counted, untested
from foreign.nodejs import Node

pytestmark = pytest.mark.foreign

EXPECTED_FAILURES = {
    "server-sse-polling": "streams are not resumed: 2026-07-28 removed it, and a job is asked for again with job_get"
}
SKIPPED_BY_THE_SUITE = {"tasks-status-notifications"}
TASKS = {
    *("tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal"),
    *("tasks-mrtr-input", "tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-required-task-error"),
    "tasks-mrtr-composition",
}


@pytest.mark.parametrize(("revision", "scenarios"), [("2025-11-25", 33), ("2026-07-28", 50)])
def test_the_server_conforms(
    revision: str, scenarios: int, node: Node, suite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = checks_of(node, suite_url, revision)
    failures = broken(checks)
    with capsys.disabled():
        sys.stdout.write(f"\n{revision}: {len(checks)} scenarios, checks {counted(checks)}\n")
    assert len(checks) == scenarios
    assert untested(checks) <= SKIPPED_BY_THE_SUITE
    assert set(failures) == set(EXPECTED_FAILURES) & set(checks), failures
    assert revision == "2025-11-25" or checks.keys() >= TASKS
