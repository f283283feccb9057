"""APIBench: which API of a hub serves a request. Every API is a tool without arguments, beside some of other domains.

Whoever picks another API of the same domain is right by the published numbers; here the one API is gold, which is
stricter.
"""

import re
from pathlib import Path

from plugineval.clients.formats.fields import Refused, mapping, text
from plugineval.clients.formats.lines import lines_of, parsed
from plugineval.clients.formats.public.converting import Read, case
from plugineval.clients.formats.records import CaseRecord
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.values import Json, content_hash

DISTRACTORS = 7
_ASKED = re.compile(r"###\s*Instruction:(.*?)###\s*Output:", re.DOTALL)
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


class ApiBench:
    """Rows of a request and its API; `tools` is the data base of APIs that distractors come from."""

    def __init__(self, tools: Path) -> None:
        self._apis = _apis(tools)

    def id_of(self, read: Read) -> str:
        """The provider and the line: the records have no ids."""
        return f"{read.record.get('provider', 'api')}-{read.number}"

    def case_of(self, read: Read) -> CaseRecord:
        """The words between the two marks are the request."""
        record = read.record
        found = _ASKED.search(text(record.get("code"), "code"))
        if found is None:
            raise Refused("code", "lacks the mark ###Instruction: or ###Output:")
        api = mapping(record.get("api_data"), "api_data")
        name, tool = _tool(api)
        toolset = read.tools.toolset([tool, *self._others(api, name, read.number)])
        asked: dict[str, Json] = {"query": found[1].strip()}
        return case(self.id_of(read), asked, toolset, [GoldCall(tool=name, arguments={})])

    def _others(self, api: dict[str, Json], name: str, number: int) -> list[Json]:
        """APIs of other domains, each under its own name, the same ones for the same row."""
        other = {each: tool for each, (domain, tool) in self._apis.items() if domain != api.get("domain")}
        other.pop(name, None)
        chosen = sorted(other, key=lambda each: content_hash([number, each]))[:DISTRACTORS]
        return [other[each] for each in sorted(chosen)]


def _apis(path: Path) -> dict[str, tuple[Json, Json]]:
    found: dict[str, tuple[Json, Json]] = {}
    for number, line in enumerate(lines_of(path), start=1):
        if not line.strip():
            continue
        try:
            api = mapping(parsed(line), "line")
            name, tool = _tool(api)
        except Refused as refused:
            raise InvalidRecordError(f"line {number}, {refused.field}: {refused.problem}", field=str(path)) from refused
        found.setdefault(name, (api.get("domain"), tool))
    return found


def _tool(api: dict[str, Json]) -> tuple[str, Json]:
    name = _UNSAFE.sub("_", text(api.get("api_name"), "api_name")).strip("_")[:64]
    said = [_words(api.get(field), field) for field in ("functionality", "description")]
    schema: Json = {"type": "object", "properties": {}, "additionalProperties": False}
    return name, {"name": name, "description": ": ".join(filter(None, said)), "input_schema": schema}


def _words(value: Json, field: str) -> str:
    """A text, which some records have as a list."""
    parts = value if isinstance(value, list) else [value]
    return ", ".join(text(part, field, default="") for part in parts)
