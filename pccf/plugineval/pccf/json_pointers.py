"""JSON pointers (RFC 6901): a name as a step of one, read back, and followed into a value."""

from collections.abc import Iterable

from plugineval.pccf.values import Json


def escaped(name: str) -> str:
    """A name as one step."""
    return name.replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    """The name that a step stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def followed(value: Json, names: Iterable[str]) -> Json:
    """What is reached from `value` by names and indexes; None where there is nothing."""
    found = value
    for name in names:
        if isinstance(found, dict):
            found = found.get(name)
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found
