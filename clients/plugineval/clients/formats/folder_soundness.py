"""Whether what a folder says of a benchmark hangs together: a folder may come from anywhere.

Seals show that a file was touched; they do not show that whoever made the seals made a benchmark.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.records import VerificationRecord

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def refuse_unsound(folder: Path, benchmark: Benchmark, records: Iterable[VerificationRecord]) -> None:
    """`InvalidRecordError` with the first thing that names what is not there."""
    problem = next(_problems(benchmark, {record.id for record in records}), None)
    if problem is not None:
        step = "export the benchmark again, with the version that holds it"
        raise InvalidRecordError(problem, field=str(folder), next_step=step)


def _problems(benchmark: Benchmark, records: set[str]) -> Iterator[str]:
    if _ID.fullmatch(benchmark.id) is None:
        yield f"{benchmark.id!r} is no id of a benchmark"
    release = benchmark.release
    if (release.version == 1) != (release.parent is None) or (release.parent is None) != (release.root is None):
        yield f"version {release.version} cannot be made from {release.parent!r} in the history of {release.root!r}"
    scenarios = {scenario.id for scenario in benchmark.scenarios}
    seen: set[str] = set()
    for example in benchmark.examples:
        yield from _of_example(benchmark, example, scenarios, records)
        if example.id in seen:
            yield f"{example.id} is there twice"
        seen.add(example.id)


def _of_example(benchmark: Benchmark, example: Example, scenarios: set[str], records: set[str]) -> Iterator[str]:
    if example.scenario not in scenarios:
        yield f"{example.id} is of scenario {example.scenario!r}, which is not there"
    if example.record_id not in records:
        yield f"{example.id} rests on record {example.record_id!r}, which is not there"
    for name in (example.target, *(call.tool for call in example.gold)):
        if name not in benchmark.toolset.by_name:
            yield f"{example.id} names the tool {name!r}, which is not there"
