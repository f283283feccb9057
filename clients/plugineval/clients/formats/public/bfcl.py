"""BFCL: question files and answer files joined by id, single turn, Python and REST categories.

An answer lists, for every argument, all values that count as right, `""` among them for "may be left out". They stay
alternatives per argument, also inside objects and lists; their product is never written out.
"""

from pathlib import Path

from plugineval.clients.formats.fields import Refused, items, mapping
from plugineval.clients.formats.public.converting import Read, answers_of, case, objects, one_id
from plugineval.clients.formats.public.schemas import tools_of
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Arguments, Json

_LANGUAGES = ("java", "javascript", "simple_java", "simple_javascript")
ANSWERS = "possible_answer"


class Bfcl:
    """One question file with its answers: those that are named, or those beside it in `possible_answer`."""

    def __init__(self, path: Path, answers: Path | None = None) -> None:
        beside = path.parent / ANSWERS / path.name
        place = answers or (beside if beside.is_file() else None)
        if answers is not None and not answers.is_file():
            raise InvalidRecordError("there is no such file", field=str(answers), next_step="name the file of answers")
        self._answers = {} if place is None else answers_of(place, "ground_truth")

    def id_of(self, read: Read) -> str:
        """`id`."""
        return one_id(read, "id")

    def case_of(self, read: Read) -> CaseRecord:
        """Irrelevance becomes a global negative, everything else with an answer a positive."""
        record, record_id = read.record, one_id(read, "id")
        _refuse_category(record_id)
        messages = _first_turn(record.get("question"))
        if record.get("function") is None:
            raise Refused("function", "is missing: the tools of this category are no part of its records")
        toolset = read.tools.toolset(tools_of(record.get("function"), "function"))
        asked: dict[str, Json] = {"query": messages}
        if "irrelevance" in record_id:
            return case(record_id, asked, toolset, (), kind=SampleType.GLOBAL_NEGATIVE)
        if record_id not in self._answers:
            raise Refused("id", "has no answer in the file of answers")
        return case(record_id, asked, toolset, gold_of(self._answers[record_id], "ground_truth"))


def gold_of(value: Json, field: str) -> list[GoldCall]:
    """The gold calls of an answer."""
    return [
        _call(name, mapping(arguments, f"{field}[{number}].{name}"), f"{field}[{number}].{name}")
        for number, each in enumerate(objects(value, field))
        for name, arguments in each.items()
    ]


def _refuse_category(record_id: str) -> None:
    if record_id.startswith("live_relevance"):
        raise Refused("id", "this category has no gold: any call is right, which calls is not said")
    if record_id.startswith(_LANGUAGES):
        raise Refused("id", "values of this category are written in the syntax of another language")


def _first_turn(value: Json) -> Json:
    if isinstance(value, str):
        return value
    turns = items(value, "question")
    if len(turns) != 1:
        raise Refused("question", f"has {len(turns)} turns, and a case has one")
    return turns[0]


def _call(name: str, arguments: dict[str, Json], field: str) -> GoldCall:
    accepted = {argument: _accepted(values, f"{field}.{argument}") for argument, values in arguments.items()}
    given: Arguments = {}
    for argument, one in accepted.items():
        if (first := _first(one)) is not None:
            given[argument] = first[0]
    plain = {argument for argument, one in accepted.items() if _is_plain(one)}
    kept = {argument: one for argument, one in accepted.items() if argument not in plain}
    return GoldCall(tool=name, arguments=given, accepted=kept)


def _accepted(value: Json, field: str) -> Accepted:
    """What an argument may be, from its list of values."""
    values: list[Json] = []
    members: list[dict[str, Accepted]] = []
    lists: list[tuple[Accepted, ...]] = []
    for option in items(value, field):
        if option == "":
            continue
        if isinstance(option, dict):
            members.append({name: _accepted(_listed(each), f"{field}.{name}") for name, each in option.items()})
        elif isinstance(option, list) and any(isinstance(each, dict) for each in option):
            lists.append(tuple(_accepted([each], field) for each in option))
        else:
            values.append(option)
    return Accepted(
        values=tuple(values), members=tuple(members), items=tuple(lists), omittable="" in items(value, field)
    )


def _listed(value: Json) -> Json:
    """A member whose values are not listed has the one."""
    return value if isinstance(value, list) else [value]


def _first(accepted: Accepted) -> tuple[Json] | None:
    """The first right value; None where it is to be left out."""
    if accepted.values:
        return (accepted.values[0],)
    if accepted.members:
        found = {name: _first(each) for name, each in accepted.members[0].items()}
        return ({name: one[0] for name, one in found.items() if one is not None},)
    if accepted.items:
        listed = [_first(each) for each in accepted.items[0]]
        return ([one[0] for one in listed if one is not None],)
    return None


def _is_plain(accepted: Accepted) -> bool:
    """One value and nothing else: the call itself says it."""
    return len(accepted.values) == 1 and not (accepted.members or accepted.items or accepted.omittable)
