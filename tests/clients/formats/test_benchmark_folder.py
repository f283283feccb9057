"""Folders of benchmarks that were touched, or made up: refused by name, whatever they hold."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from doubles.store import a_benchmark, a_record
from plugineval.clients.formats.benchmark_folder import (
    CARD,
    EXAMPLES,
    HEADER,
    RECORDS,
    ROUNDS,
    BenchmarkFolder,
    BenchmarkHeader,
    read_folder,
    write_folder,
)
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.releases import Release
from plugineval.pccf.values import Json

RECORDS_OF_IT = tuple(map(a_record, range(3)))


def folder_of(path: Path, benchmark: Benchmark | None = None, rounds: tuple[Json, ...] = ()) -> Path:
    benchmark = benchmark or a_benchmark(examples=3)
    write_folder(path, BenchmarkFolder(benchmark=benchmark, records=RECORDS_OF_IT, rounds=rounds, card="# A card\n"))
    return path


def first_example(**changes: object) -> Callable[[Benchmark], dict[str, object]]:
    def change(benchmark: Benchmark) -> dict[str, object]:
        first, *others = benchmark.examples
        return {"examples": (first.model_copy(update=changes), *others)}

    return change


def header_of(**changes: object) -> Callable[[Benchmark], dict[str, object]]:
    return lambda _: changes


def twice(benchmark: Benchmark) -> dict[str, object]:
    found: tuple[Example, ...] = benchmark.examples
    return {"examples": (*found, found[0])}


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    assert read_folder(folder_of(tmp_path / "a")).benchmark == a_benchmark(examples=3)


@pytest.mark.parametrize("key", ["name", "stop_reason"])
def test_a_header_that_was_touched_is_refused(tmp_path: Path, key: str) -> None:
    path = folder_of(tmp_path / "a") / HEADER
    said = cast("dict[str, dict[str, Json]]", json.loads(path.read_text()))
    said["benchmark"][key] = "another"
    path.write_text(json.dumps(said))
    with pytest.raises(InvalidRecordError, match=r"benchmark\.json: was changed after it was exported"):
        read_folder(path.parent)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (header_of(id="../../etc/passwd"), "is no id of a benchmark"),
        (header_of(id=""), "is no id of a benchmark"),
        (header_of(scenarios=()), "is of scenario 'forecast/ask', which is not there"),
        (header_of(release=Release(version=7)), "version 7 cannot be made from None"),
        (first_example(target="nope"), "names the tool 'nope'"),
        (first_example(record_id="record-x"), "rests on record 'record-x'"),
        (twice, "is there twice"),
    ],
)
def test_a_sealed_benchmark_that_names_what_is_not_there_is_refused(
    tmp_path: Path, change: Callable[[Benchmark], dict[str, object]], told: str
) -> None:
    sound = a_benchmark(examples=3)
    folder = folder_of(tmp_path / "a", sound.model_copy(update=change(sound)))
    with pytest.raises(InvalidRecordError, match=told):
        read_folder(folder)


def test_a_round_that_is_none_is_refused_by_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match=r"rounds\.jsonl: line 2"):
        read_folder(folder_of(tmp_path / "a", rounds=({}, [1])))


@pytest.mark.parametrize("name", [HEADER, EXAMPLES, RECORDS, ROUNDS, CARD])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    path = folder_of(tmp_path / "a") / name
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InvalidRecordError, match="is not a file"):
        read_folder(path.parent)


def test_bytes_that_are_no_text_are_refused_by_name(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "a") / HEADER
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InvalidRecordError, match=r"benchmark\.json: is not UTF-8"):
        read_folder(path.parent)


def test_sealed_bytes_that_are_no_text_are_refused_by_name(tmp_path: Path) -> None:
    path = folder_of(tmp_path / "a") / CARD
    path.write_bytes(b"\xff\xfe")
    header = BenchmarkHeader.model_validate(json.loads((path.parent / HEADER).read_text()))
    seal = header.files[CARD].model_copy(update={"sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    header = header.model_copy(update={"files": {**header.files, CARD: seal}})
    header = header.model_copy(update={"sha256": header.seal})
    (path.parent / HEADER).write_text(header.model_dump_json())
    with pytest.raises(InvalidRecordError, match=r"CARD\.md: is not UTF-8"):
        read_folder(path.parent)
