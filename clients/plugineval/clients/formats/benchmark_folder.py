"""A benchmark as one folder: JSON lines for what there are many of, one header, a card for people, and their hashes.

    benchmark.json    plugins, tools, scenarios, router, numbers, release, the sha256 and lines of the other files, and
                      its own sha256, as canonical JSON without that
    examples.jsonl    the verified cases, in order
    records.jsonl     the verification record of every case
    rounds.jsonl      what each round of the construction did
    CARD.md           the card

Read back it is the same benchmark to the last byte of its content hash; a file that was touched is refused by name.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from plugineval.clients.formats.folder_soundness import refuse_unsound
from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.errors import ConfigurationError, InvalidRecordError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Json, Value, canonical_json

V = TypeVar("V", bound=Value)

FORMAT = "plugineval-benchmark/1"
HEADER, EXAMPLES, RECORDS, ROUNDS, CARD = (
    "benchmark.json",
    "examples.jsonl",
    "records.jsonl",
    "rounds.jsonl",
    "CARD.md",
)
_EXPORTED = "name a folder that `plugineval export` wrote"


class FileSeal(Value):
    """What a file of the folder must be."""

    sha256: str
    lines: int


class BenchmarkHeader(Value):
    """`benchmark.json`."""

    format: str
    content_hash: str
    files: dict[str, FileSeal]
    benchmark: Benchmark
    """Without its examples."""
    sha256: str = ""
    """Of the canonical JSON of all the above."""

    @property
    def seal(self) -> str:
        """What `sha256` must be."""
        return hashlib.sha256(canonical_json(self.model_copy(update={"sha256": ""})).encode()).hexdigest()


class BenchmarkFolder(Value):
    """Everything that a folder holds."""

    benchmark: Benchmark
    records: tuple[VerificationRecord, ...] = ()
    rounds: tuple[Json, ...] = ()
    card: str = ""


def write_folder(folder: Path, content: BenchmarkFolder) -> tuple[Path, ...]:
    """Write `content` into `folder`, which is made, and must be empty; the files that were written.

    `ConfigurationError` for a folder that holds something, or cannot be written.
    """
    benchmark = content.benchmark
    files = {
        EXAMPLES: _lines(benchmark.examples),
        RECORDS: _lines(content.records),
        ROUNDS: _lines(content.rounds),
        CARD: content.card,
    }
    header = BenchmarkHeader(
        format=FORMAT,
        content_hash=benchmark.content_hash,
        files={name: _seal(text) for name, text in files.items()},
        benchmark=benchmark.model_copy(update={"examples": ()}),
    )
    header = header.model_copy(update={"sha256": header.seal})
    files[HEADER] = json.dumps(header.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    return _write(folder, files)


def read_folder(folder: Path) -> BenchmarkFolder:
    """What `folder` holds; `InvalidRecordError` names the file, and the line, that cannot be used."""
    header = _header(folder / HEADER)
    texts = {name: _sealed(folder / name, seal) for name, seal in _known(header.files, folder).items()}
    examples = tuple(_values(Example, texts[EXAMPLES], folder / EXAMPLES))
    benchmark = header.benchmark.model_copy(update={"examples": examples})
    if benchmark.content_hash != header.content_hash:
        problem = "its content hash is not that of the tools and examples beside it"
        raise InvalidRecordError(problem, field=str(folder / HEADER), next_step="export the benchmark again")
    content = BenchmarkFolder(
        benchmark=benchmark,
        records=tuple(_values(VerificationRecord, texts[RECORDS], folder / RECORDS)),
        rounds=tuple(_rounds(texts[ROUNDS], folder / ROUNDS)),
        card=texts[CARD],
    )
    refuse_unsound(folder, benchmark, content.records)
    return content


def _lines(values: Sequence[Value] | Sequence[Json]) -> str:
    return "".join(canonical_json(value) + "\n" for value in values)


def _seal(text: str) -> FileSeal:
    data = text.encode()
    return FileSeal(sha256=hashlib.sha256(data).hexdigest(), lines=data.count(b"\n"))


def _write(folder: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigurationError("is not empty", field=str(folder), next_step="name a new folder")
        for name, text in files.items():
            (folder / name).write_bytes(text.encode())
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise ConfigurationError(problem, field=str(folder), next_step="name a folder that you may write") from error
    return tuple(folder / name for name in files)


def _header(path: Path) -> BenchmarkHeader:
    found = _json(_text(_read(path), path), path, 1)
    told = found.get("format") if isinstance(found, dict) else None
    if told != FORMAT:
        step = "name a folder that `plugineval export` wrote; a newer one needs a newer version"
        raise InvalidRecordError(f"format is {told!r}", field=str(path), allowed=(FORMAT,), next_step=step)
    header = _value(BenchmarkHeader, found, path, 1)
    if header.sha256 != header.seal:
        raise _changed(path, header.sha256)
    return header


def _known(files: Mapping[str, FileSeal], folder: Path) -> dict[str, FileSeal]:
    expected = (EXAMPLES, RECORDS, ROUNDS, CARD)
    if set(files) != set(expected):
        raise InvalidRecordError("names other files", field=str(folder / HEADER), allowed=expected)
    return {name: files[name] for name in expected}


def _sealed(path: Path, seal: FileSeal) -> str:
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != seal.sha256:
        raise _changed(path, seal.sha256)
    return _text(data, path)


def _changed(path: Path, sha256: str) -> InvalidRecordError:
    problem = f"was changed after it was exported (its sha256 is not {sha256[:12]}…)"
    step = "export the benchmark again; `plugineval revise` changes gold with a reason"
    return InvalidRecordError(problem, field=str(path), next_step=step)


def _text(data: bytes, path: Path) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidRecordError(f"is not UTF-8: {error.reason}", field=str(path), next_step=_EXPORTED) from error


def _read(path: Path) -> bytes:
    try:
        # What is no file might never end, or never begin.
        if path.exists() and not path.is_file():
            raise InvalidRecordError("is not a file", field=str(path), next_step=_EXPORTED)
        return path.read_bytes()
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise InvalidRecordError(problem, field=str(path), next_step=_EXPORTED) from error


def _numbered(text: str) -> Iterable[tuple[int, str]]:
    # Not splitlines: a JSON text may hold other characters that it takes for the end of a line.
    return enumerate(text.split("\n")[:-1], start=1)


def _values(kind: type[V], text: str, path: Path) -> Iterator[V]:
    for number, line in _numbered(text):
        yield _value(kind, _json(line, path, number), path, number)


def _rounds(text: str, path: Path) -> Iterator[Json]:
    for number, line in _numbered(text):
        found = _json(line, path, number)
        # The first line is the catalog that the rounds worked from.
        if number > 1:
            _value(ConstructionRound, found, path, number)
        yield found


def _value(kind: type[V], found: Json, path: Path, number: int) -> V:
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidRecordError(f"line {number}, {place}: {first['msg']}", field=str(path)) from error


def _json(line: str, path: Path, number: int) -> Json:
    try:
        return strict_loads(line)
    except NotJsonError as error:
        raise InvalidRecordError(f"line {number} is not JSON: {error.problem}", field=str(path)) from error
