"""NexusRaven: Python calls over the functions of one data set, which come in a file of their own."""

import json
from collections import defaultdict
from pathlib import Path

from plugineval.clients.formats.fields import Refused, items, mapping, text
from plugineval.clients.formats.public.converting import Read, case, one_id
from plugineval.clients.formats.public.python_calls import bound, call_of, schema_of_signature
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

_QUERY = ("Input", "query", "generated_question", "prompt")
_CALLS = ("Output", "reference", "fncall", "answer")


class NexusRaven:
    """Rows of a request and its Python calls; the functions stand in the file `tools`, by their data set."""

    def __init__(self, tools: Path) -> None:
        self._tools = _functions(tools)

    def id_of(self, read: Read) -> str:
        """`id`, or the data set and the line."""
        given = read.record.get("id")
        return str(given) if given is not None else f"{read.record.get('dataset', 'nexusraven')}-{read.number}"

    def case_of(self, read: Read) -> CaseRecord:
        """Nested calls are refused: what the inner one gives is no gold value."""
        record = read.record
        wanted = str(record.get("dataset", ""))
        if wanted not in self._tools:
            known = ", ".join(sorted(self._tools))
            raise Refused("dataset", f"{wanted!r} is not among those of the functions: {known}")
        toolset = read.tools.toolset(self._tools[wanted])
        asked: dict[str, Json] = {"query": one_id(read, *_QUERY)}
        calls = [_call(each, toolset) for each in _written(record)]
        return case(self.id_of(read), asked, toolset, calls)


def _written(record: dict[str, Json]) -> list[str]:
    name = next((name for name in _CALLS if record.get(name) is not None), _CALLS[0])
    value = record.get(name)
    parts = value.split(";") if isinstance(value, str) else [text(each, name) for each in items(value, name)]
    found = [part.strip() for part in parts if part.strip()]
    if not found:
        raise Refused(name, "is missing" if value is None else "holds no call")
    return found


def _call(written: str, toolset: Toolset) -> GoldCall:
    call = call_of(written, "Output")
    name = call.name.split(".")[-1]
    if name not in toolset.by_name:
        raise Refused("Output", f"{name!r} is not among the functions: {', '.join(toolset.by_name)}")
    return GoldCall(tool=name, arguments=bound(call, list(toolset.by_name[name].properties), "Output"))


def _functions(path: Path) -> dict[str, list[Json]]:
    found: defaultdict[str, list[Json]] = defaultdict(list)
    try:
        listed: Json = json.loads(path.read_text(encoding="utf-8"))
        for number, each in enumerate(items(listed, "line")):
            function = mapping(each, f"[{number}]")
            found[text(function.get("dataset"), "dataset", default="")].append(_function(function))
    except (OSError, ValueError) as error:
        step = "name a JSON list of functions: dataset, name, signature, description"
        raise InvalidRecordError(f"cannot be read: {error}", field=str(path), next_step=step) from error
    except Refused as refused:
        raise InvalidRecordError(f"{refused.field}: {refused.problem}", field=str(path)) from refused
    return dict(found)


def _function(function: dict[str, Json]) -> Json:
    schema = function.get("input_schema")
    if schema is None:
        schema = schema_of_signature(text(function.get("signature"), "signature"), "signature")
    return {
        "name": text(function.get("name"), "name"),
        "description": text(function.get("description"), "description", default=""),
        "input_schema": schema,
    }
