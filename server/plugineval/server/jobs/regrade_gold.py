"""Revised gold for a stored run: that of a cases file, or of a benchmark, for the cases with the same ids."""

from collections.abc import Iterable
from pathlib import Path

from plugineval.clients.formats.jsonl import read_cases
from plugineval.clients.formats.records import CaseFile, CaseRecord
from plugineval.harness.cases import Case
from plugineval.harness.scope import gold_hash
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.values import Value
from plugineval.server.jobs.cases import cases_of_benchmark
from plugineval.server.jobs.params import GoldFile

_REVISED = ("gold", "sample_type", "target_tool", "ordered")
_SHOWN = 3


class GoldRevision(Value):
    """The cases of a run as they are graded now, and what was revised in words."""

    cases: tuple[Case, ...]
    note: str = ""


def gold_file(path: Path) -> GoldFile:
    """The file as it is now; `ConfigurationError` where a line of it cannot be used."""
    return GoldFile(path=path.absolute(), content_hash=_read(path).content_hash)


def revised(cases: Iterable[Case], gold: GoldFile | None) -> GoldRevision:
    """The cases with the gold of the file.

    `ConfigurationError` where the file was changed since the job was planned, names no case of the run, requires a
    tool that a case does not offer, or revises nothing.
    """
    kept = tuple(cases)
    if gold is None:
        return GoldRevision(cases=kept)
    found, field = _read(gold.path), str(gold.path)
    if found.content_hash != gold.content_hash:
        problem = "it is not the file that this work was started with"
        raise ConfigurationError(problem, field=field, next_step="start the work again")
    records = {record.id: record for record in found.cases}
    if unknown := sorted(records.keys() - {case.id for case in kept}):
        problem = f"the run has no case {unknown[0]!r} ({len(unknown)} such lines)"
        raise ConfigurationError(problem, field=field, next_step="keep the ids of the cases that were measured")
    changed = tuple(_revise(case, records[case.id], field) if case.id in records else case for case in kept)
    return _told(kept, changed, field, gold.path.name)


def revised_by(cases: Iterable[Case], benchmark: Benchmark) -> GoldRevision:
    """The cases with the gold that a benchmark has for them; those that it does not hold keep theirs.

    `ConfigurationError` where it revises nothing, or requires a tool that a case does not offer.
    """
    kept, records = tuple(cases), {case.id: case for case in cases_of_benchmark(benchmark)}
    changed = tuple(_revise(case, records[case.id], "gold") if case.id in records else case for case in kept)
    return _told(kept, changed, "gold", benchmark.id)


def _told(kept: tuple[Case, ...], changed: tuple[Case, ...], field: str, origin: str) -> GoldRevision:
    ids = [new.id for old, new in zip(kept, changed, strict=True) if gold_hash([old]) != gold_hash([new])]
    if not ids:
        raise ConfigurationError("it revises no gold of this run", field=field)
    shown = ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")
    return GoldRevision(cases=changed, note=f"gold of {len(ids)} cases revised from {origin}: {shown}")


def _read(path: Path) -> CaseFile:
    found = read_cases(path)
    if found.refused:
        raise ConfigurationError(found.refused[0].sentence, field=str(path), next_step="correct the line")
    return found


def _revise(case: Case, record: CaseRecord | Case, field: str) -> Case:
    unknown = [call.tool for call in record.gold if call.tool not in case.toolset.by_name]
    if unknown:
        problem = f"gold of {case.id} calls {unknown[0]!r}, which was not offered"
        raise ConfigurationError(problem, field=field, allowed=sorted(case.toolset.by_name))
    return case.model_copy(update={name: getattr(record, name) for name in _REVISED})
