"""The official client of the tasks extension follows a build as a task: to its end, to its stop, and after it was gone.

Over stdio the server goes with the client, and another one finds the task where it was left.
"""

from collections.abc import Callable

import pytest

from doubles.mcp_client import Home
from foreign.conftest import Transport
from foreign.nodejs import Node
from plugineval.pccf.values import Json

pytestmark = pytest.mark.foreign


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_long_work_is_followed_as_a_task(
    transport: Transport, node: Node, slow: Home, reach: Callable[[Transport], dict[str, Json]]
) -> None:
    seen = node.observed("tasks.mjs", reach(transport), home=slow.path)
    assert (seen["kind"], seen["states"]) == ("task", ["working", "completed", "outcome"])
    outcome = seen["outcome"]
    assert isinstance(outcome, dict)
    assert isinstance(outcome["result"], dict)
    card = outcome["result"]["structuredContent"]
    assert isinstance(card, dict)
    assert (card["job_id"], card["state"]) == (seen["taskId"], "completed")
    assert seen["stopped"] == {"outcome": "cancelled", "job": "cancelled"}
    assert seen["found"] == {"status": "completed", "state": "completed"}
