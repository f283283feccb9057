"""When2Call: whether to call, to ask for what is missing, or to say that nothing fits."""

from plugineval.clients.formats.fields import Refused, items, mapping, text
from plugineval.clients.formats.lines import parsed
from plugineval.clients.formats.public.converting import Read, case, one_id
from plugineval.clients.formats.public.schemas import tools_of
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json


class When2Call:
    """`tool_call` is a positive, `request_for_info` a targeted negative, `cannot_answer` a global one."""

    def id_of(self, read: Read) -> str:
        """`uuid`."""
        return one_id(read, "uuid", "id")

    def case_of(self, read: Read) -> CaseRecord:
        """By `correct_answer`."""
        record, record_id = read.record, one_id(read, "uuid", "id")
        asked: dict[str, Json] = {"query": text(record.get("question"), "question")}
        tools: Json = [_json(each, f"tools[{n}]") for n, each in enumerate(items(record.get("tools"), "tools"))]
        toolset = read.tools.toolset(tools_of(tools, "tools"))
        match record.get("correct_answer"):
            case "tool_call":
                return case(record_id, asked, toolset, [_gold(record)])
            case "request_for_info":
                kind, target = SampleType.TARGETED_NEGATIVE, _target(record, toolset)
                return case(record_id, asked, toolset, (), kind=kind, target=target)
            case "cannot_answer":
                return case(record_id, asked, toolset, (), kind=SampleType.GLOBAL_NEGATIVE)
            case other:
                raise Refused("correct_answer", f"{other!r} says neither to call nor not to call")


def _gold(record: dict[str, Json]) -> GoldCall:
    answers = mapping(record.get("answers"), "answers")
    call = mapping(_json(answers.get("tool_call"), "answers.tool_call"), "answers.tool_call")
    name = text(call.get("name"), "answers.tool_call.name")
    return GoldCall(tool=name, arguments=mapping(call.get("arguments"), "answers.tool_call.arguments"))


def _target(record: dict[str, Json], toolset: Toolset) -> str:
    target = mapping(_json(record.get("target_tool"), "target_tool"), "target_tool")
    name = text(target.get("name"), "target_tool.name")
    if name not in toolset.by_name:
        raise Refused("target_tool", f"{name!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    return name


def _json(value: Json, field: str) -> Json:
    """A document that is written as a text."""
    if not isinstance(value, str):
        return value
    try:
        return parsed(value.encode())
    except Refused as refused:
        raise Refused(field, refused.problem) from refused
