"""ACEBench: single turn, normal and special. What speakers say, a profile and the time become messages."""

import re
from pathlib import Path

from plugineval.clients.formats.fields import Refused, items, mapping, text
from plugineval.clients.formats.public.bfcl import ANSWERS
from plugineval.clients.formats.public.converting import Read, answers_of, case, one_id
from plugineval.clients.formats.public.schemas import tools_of
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

_SPEAKER = re.compile(r"^(user|system):\s?", re.MULTILINE)
_NUMBERED = re.compile(r"_\d+$")


class AceBench:
    """One question file with its answers, those beside it in `possible_answer` unless others are named."""

    def __init__(self, path: Path, answers: Path | None = None) -> None:
        beside = path.parent / ANSWERS / path.name
        place = answers or (beside if beside.is_file() else None)
        self._answers = {} if place is None else answers_of(place, "ground_truth")

    def id_of(self, read: Read) -> str:
        """`id`."""
        return one_id(read, "id")

    def case_of(self, read: Read) -> CaseRecord:
        """By the category that the id begins with."""
        record, record_id = read.record, one_id(read, "id")
        if "multi_turn" in record_id or record_id.startswith("agent"):
            raise Refused("id", "several turns, and a case has one")
        if record_id not in self._answers:
            raise Refused("id", "has no answer in the file of answers")
        asked: dict[str, Json] = {"messages": _messages(record)}
        toolset = read.tools.toolset(tools_of(record.get("function"), "function"))
        answer = self._answers[record_id]
        if record_id.startswith("special_irrelevant"):
            return case(record_id, asked, toolset, (), kind=SampleType.GLOBAL_NEGATIVE)
        gold = mapping(answer, "ground_truth")
        if record_id.startswith("special"):
            incomplete = record_id.startswith("special_incomplete")
            target = _named(gold, toolset) if incomplete else _owner(gold, toolset)
            return case(record_id, asked, toolset, (), kind=SampleType.TARGETED_NEGATIVE, target=target)
        return case(record_id, asked, toolset, [_call(name, each, toolset) for name, each in gold.items()])


def _messages(record: dict[str, Json]) -> list[Json]:
    question = text(record.get("question"), "question")
    head, *spoken = _SPEAKER.split(question)
    pairs = list(zip(spoken[::2], spoken[1::2], strict=True)) or [("user", head)]
    if pairs[-1][0] != "user":
        raise Refused("question", "does not end with a user's words")
    # What the data calls the system is who answers the user.
    roles = {"user": "user", "system": "assistant"}
    said: list[Json] = [{"role": roles[who], "content": words.strip()} for who, words in pairs]
    around = [text(record.get(name), name, default="").strip() for name in ("time", "profile")]
    told: list[Json] = [{"role": "system", "content": each} for each in around if each]
    return [*told, *said]


def _call(name: str, arguments: Json, toolset: Toolset) -> GoldCall:
    bare = _NUMBERED.sub("", name)
    tool = bare if name not in toolset.by_name and bare in toolset.by_name else name
    return GoldCall(tool=tool, arguments=mapping(arguments, f"ground_truth.{name}"))


def _named(gold: dict[str, Json], toolset: Toolset) -> str:
    name = next(iter(gold), "")
    if name not in toolset.by_name:
        raise Refused("ground_truth", f"{name!r} is not among the tools: {', '.join(toolset.by_name) or 'none'}")
    return name


def _owner(gold: dict[str, Json], toolset: Toolset) -> str:
    """The one tool that has the wrong parameters."""
    owners = [tool.offered_name for tool in toolset.tools if gold.keys() <= tool.properties.keys()]
    if len(owners) != 1:
        found = ", ".join(owners) or "no tool"
        raise Refused("ground_truth", f"{', '.join(gold)} belongs to {found}: which tool is meant is not said")
    items(list(gold.values()), "ground_truth")
    return owners[0]
