"""The formats by name, and the one way to read a file of any of them."""

import hashlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from plugineval.clients.formats.jsonl import CaseReader, read_cases
from plugineval.clients.formats.lines import lines_of
from plugineval.clients.formats.public.acebench import AceBench
from plugineval.clients.formats.public.apibench import ApiBench
from plugineval.clients.formats.public.bfcl import Bfcl
from plugineval.clients.formats.public.converting import Converter, converted
from plugineval.clients.formats.public.mcpeval import McpEval
from plugineval.clients.formats.public.nexusraven import NexusRaven
from plugineval.clients.formats.public.when2call import When2Call
from plugineval.clients.formats.records import CaseFile, CaseRecord, Remark, packed_records
from plugineval.pccf.errors import ConfigurationError, InvalidRecordError
from plugineval.pccf.values import Value

_SHOWN = 3


class CaseFormat(StrEnum):
    """What a file of cases is written in."""

    JSONL = "jsonl"
    """Our own: a case a line."""
    BFCL = "bfcl"
    NEXUSRAVEN = "nexusraven"
    APIBENCH = "apibench"
    MCPEVAL = "mcpeval"
    WHEN2CALL = "when2call"
    ACEBENCH = "acebench"


class CaseSource(Value):
    """A file of cases, and what belongs to it."""

    path: Path
    format: CaseFormat = CaseFormat.JSONL
    answers: Path | None = None
    """BFCL and ACEBench: the file of answers; else the one of the same name in `possible_answer`."""
    tools: Path | None = None
    """NexusRaven: the functions. APIBench: the data base of APIs."""


def read_source(source: CaseSource, seen: Callable[[bytes], None] = lambda line: None) -> Iterator[CaseRecord | Remark]:
    """Every case and every remark, in order, as the file is read; its lines are shown to `seen`."""
    if source.format is CaseFormat.JSONL:
        return CaseReader().read(lines_of(source.path, seen))
    return converted(source.path, _converter(source), seen)


def read_case_file(source: CaseSource) -> CaseFile:
    """Everything in the file; `InvalidRecordError` where none of it is a case."""
    if source.format is CaseFormat.JSONL:
        return read_cases(source.path)
    digest, cases, remarks = hashlib.sha256(), packed_records(), list[Remark]()
    for found in read_source(source, digest.update):
        if isinstance(found, CaseRecord):
            cases.add(found)
        else:
            remarks.append(found)
    if not cases:
        first = "; ".join(remark.sentence for remark in remarks[:_SHOWN]) or "holds no records"
        step = f"check that it is a file of {source.format}"
        raise InvalidRecordError(f"nothing in it is a case: {first}", field=str(source.path), next_step=step)
    lines = len(cases) + len(remarks)
    return CaseFile(cases=cases, remarks=tuple(remarks), lines=lines, content_hash=digest.hexdigest())


def _converter(source: CaseSource) -> Converter:
    match source.format:
        case CaseFormat.BFCL:
            return Bfcl(source.path, source.answers)
        case CaseFormat.ACEBENCH:
            return AceBench(source.path, source.answers)
        case CaseFormat.NEXUSRAVEN:
            return NexusRaven(_tools(source))
        case CaseFormat.APIBENCH:
            return ApiBench(_tools(source))
        case CaseFormat.MCPEVAL:
            return McpEval()
        case _:
            return When2Call()


def _tools(source: CaseSource) -> Path:
    if source.tools is None:
        problem, step = f"is needed for {source.format}", "name the file that holds the tools"
        raise ConfigurationError(problem, field="--tools", next_step=step)
    return source.tools
