"""The running installation as a package: its facts, its files, and the versions that it works with."""

import re
from collections.abc import Collection, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from plugineval.pccf.values import Value

PACKAGE = "plugineval"
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[(?P<extras>[^\]]*)\])?")
_OF_EXTRA = re.compile(r""";.*\bextra\s*==\s*["'](?P<extra>[^"']+)["']""")


class Facts(Value):
    """What the project says about itself; one source for the bundle and the registry."""

    version: str
    description: str
    license: str
    python: str
    """The versions of Python it runs on, such as `>=3.11`."""
    keywords: tuple[str, ...]
    dependencies: tuple[str, ...]


def facts() -> Facts:
    """Of the installed package."""
    found = metadata.distribution(PACKAGE)
    said = found.metadata
    return Facts(
        version=found.version,
        description=said["Summary"],
        license=said["License-Expression"],
        python=said["Requires-Python"],
        keywords=tuple(word.strip() for word in (said["Keywords"] or "").split(",") if word.strip()),
        dependencies=_needed(found),
    )


def package_files() -> Iterator[tuple[str, Path]]:
    """`plugineval/ROOM/…` and the file itself, in order, of every file that is part of the package."""
    spec = find_spec(PACKAGE)
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec else []
    files = [(path.relative_to(root), path) for root in roots for path in root.rglob("*")]
    parts = [(f"{PACKAGE}/{name.as_posix()}", path) for name, path in files if path.is_file() and _is_part(name)]
    yield from sorted(parts)


def installed_versions() -> tuple[str, ...]:
    """`name==version` of everything that the package needs, as it is installed here."""
    found: dict[str, str] = {}
    waiting, seen = list(_needed(metadata.distribution(PACKAGE))), set[str]()
    while waiting:
        wanted = _REQUIREMENT.match(waiting.pop())
        if wanted is None or wanted[0] in seen:
            continue
        seen.add(wanted[0])
        try:
            distribution = metadata.distribution(wanted["name"])
        except metadata.PackageNotFoundError:
            continue  # Needed on another platform only.
        found[re.sub(r"[-_.]+", "-", wanted["name"]).lower()] = distribution.version
        waiting += _needed(distribution, extras=(wanted["extras"] or "").replace(" ", "").split(","))
    return tuple(f"{name}=={version}" for name, version in sorted(found.items()))


def _needed(distribution: metadata.Distribution, extras: Collection[str] = ()) -> tuple[str, ...]:
    """Its requirements, with those of the extras alone that are wanted."""
    marked = [(text, _OF_EXTRA.search(text)) for text in distribution.requires or ()]
    return tuple(text for text, extra in marked if extra is None or extra["extra"] in extras)


def _is_part(name: Path) -> bool:
    """Not what tools leave behind in a checkout."""
    return not any(part == "__pycache__" or part.startswith(".") for part in name.parts)
