"""MCPEval: tasks with their MCP tools and the calls that solved them, in order; all of them positives."""

from plugineval.clients.formats.fields import Refused, mapping, text
from plugineval.clients.formats.public.converting import Read, case, objects, one_id
from plugineval.clients.formats.public.schemas import tools_of
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.values import Json


class McpEval:
    """Files of tasks. Files of results hold neither request nor tools, and are answers, not cases."""

    def id_of(self, read: Read) -> str:
        """`id`; a result has its model and task."""
        if "prediction_calls" in read.record:
            return f"{one_id(read, 'task_id')} {one_id(read, 'model')}"
        return one_id(read, "id", "task_id")

    def case_of(self, read: Read) -> CaseRecord:
        """The description is the request."""
        record = read.record
        if "prediction_calls" in record:
            raise Refused("prediction_calls", "is a result: it holds no request and no tools")
        asked: dict[str, Json] = {"query": text(record.get("description"), "description")}
        toolset = read.tools.toolset(tools_of(record.get("tools"), "tools"))
        calls = [_call(each) for each in objects(record.get("tool_calls"), "tool_calls")]
        if not calls:
            raise Refused("tool_calls", "is empty: a task is solved by calls")
        found = case(one_id(read, "id", "task_id"), asked, toolset, calls)
        return found.model_copy(update={"ordered": len(calls) > 1})


def _call(call: dict[str, Json]) -> GoldCall:
    arguments = call.get("tool_parameters")
    return GoldCall(
        tool=text(call.get("tool_name"), "tool_calls.tool_name"),
        arguments={} if arguments is None else mapping(arguments, "tool_calls.tool_parameters"),
    )
