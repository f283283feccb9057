"""The least value that a JSON Schema asks for, made without reading any query: constants, defaults, first enum values,
then zeros. Usually valid, never meaningful. Patterns and cross-field rules are not solved.
"""

from math import ceil

from plugineval.pccf.values import Arguments, Json

_DEPTH = 8
_STEPS = 2_000
_LONGEST = 1_000
_FORMATS = {
    "date": "1970-01-01",
    "date-time": "1970-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "email": "a@example.com",
    "hostname": "example.com",
    "ipv4": "0.0.0.0",
    "ipv6": "::",
    "uri": "https://example.com",
    "uuid": "00000000-0000-0000-0000-000000000000",
}


def least_arguments(schema: dict[str, Json]) -> Arguments:
    """Values for the required arguments of a tool, and for no others; none where a bound exceeds every number."""
    try:
        value = _Maker(schema).value(schema, 0)
    except OverflowError:
        return {}
    return value if isinstance(value, dict) else {}


def declared_defaults(schema: dict[str, Json]) -> Arguments:
    """The arguments whose schema declares a default, required or not, at exactly that default."""
    properties = schema.get("properties")
    found: dict[str, Json] = properties if isinstance(properties, dict) else {}
    return {name: sub["default"] for name, sub in found.items() if isinstance(sub, dict) and "default" in sub}


class _Maker:
    def __init__(self, root: dict[str, Json]) -> None:
        self._root = root
        self._steps_left = _STEPS

    def value(self, schema: Json, depth: int) -> Json:
        if not isinstance(schema, dict) or self._spent(depth):
            return None
        node = self._resolved(schema, depth)
        for keyword in ("const", "default"):
            if keyword in node:
                return node[keyword]
        for keyword in ("enum", "examples"):
            listed = node.get(keyword)
            if isinstance(listed, list) and listed:
                return listed[0]
        for keyword in ("anyOf", "oneOf"):
            branches = node.get(keyword)
            if isinstance(branches, list) and branches and "type" not in node:
                return self.value(branches[0], depth + 1)
        return self._zero(node, depth)

    def _spent(self, depth: int) -> bool:
        """A schema that refers to itself in many places must not be unfolded without end."""
        self._steps_left -= 1
        return depth > _DEPTH or self._steps_left < 0

    def _resolved(self, schema: dict[str, Json], depth: int) -> dict[str, Json]:
        reference = schema.get("$ref")
        if self._spent(depth):
            return {}
        if not isinstance(reference, str) or not reference.startswith("#"):
            return self._merged(schema, depth)
        target: Json = self._root
        for part in reference.removeprefix("#").strip("/").split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            target = target.get(key) if isinstance(target, dict) and part else target
        siblings = {key: value for key, value in schema.items() if key != "$ref"}
        found = self._resolved(target, depth + 1) if isinstance(target, dict) else {}
        return self._merged(found | siblings, depth)

    def _merged(self, schema: dict[str, Json], depth: int) -> dict[str, Json]:
        parts = schema.get("allOf")
        merged = dict(schema)
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, dict):
                merged = _both(merged, self._resolved(part, depth + 1))
        return merged

    def _zero(self, node: dict[str, Json], depth: int) -> Json:
        match _type_of(node):
            case "object":
                return self._object(node, depth)
            case "array":
                return [self.value(node.get("items"), depth + 1) for _ in range(_whole(node.get("minItems")))]
            case "string":
                return _string(node)
            case "integer" | "number" as kind:
                return _number(node, whole=kind == "integer")
            case "boolean":
                return False
            case _:
                return None

    def _object(self, node: dict[str, Json], depth: int) -> Json:
        properties, required = node.get("properties"), node.get("required")
        found: dict[str, Json] = properties if isinstance(properties, dict) else {}
        names = [str(name) for name in required] if isinstance(required, list) else []
        return {name: self.value(found.get(name, {"type": "string"}), depth + 1) for name in names}


def _both(left: dict[str, Json], right: dict[str, Json]) -> dict[str, Json]:
    merged = right | left
    for keyword in ("properties", "required"):
        ours, theirs = left.get(keyword), right.get(keyword)
        if isinstance(ours, dict) and isinstance(theirs, dict):
            merged[keyword] = theirs | ours
        if isinstance(ours, list) and isinstance(theirs, list):
            merged[keyword] = [*ours, *(name for name in theirs if name not in ours)]
    return merged


def _type_of(node: dict[str, Json]) -> str | None:
    declared = node.get("type")
    if isinstance(declared, list):
        declared = next((kind for kind in declared if kind != "null"), None)
    if isinstance(declared, str):
        return declared
    return "object" if "properties" in node or "required" in node else None


def _string(node: dict[str, Json]) -> str:
    declared = node.get("format")
    text = _FORMATS.get(declared, "") if isinstance(declared, str) else ""
    return text + "a" * max(0, _whole(node.get("minLength")) - len(text))


def _number(node: dict[str, Json], *, whole: bool) -> int | float:
    low, high = _bound(node, "minimum", 1, whole=whole), _bound(node, "maximum", -1, whole=whole)
    value = max(0.0, low) if low is not None else 0.0
    if high is not None and value > high:
        value = high
    step = node.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        value = ceil(value / step) * step
    return int(value) if whole or value == int(value) else value


def _bound(node: dict[str, Json], name: str, inward: int, *, whole: bool) -> float | None:
    inclusive, exclusive = node.get(name), node.get(f"exclusive{name.title()}")
    step = inward if whole else inward * 0.5
    candidates = [
        *([float(inclusive)] if isinstance(inclusive, int | float) else []),
        *([float(exclusive) + step] if isinstance(exclusive, int | float) and not isinstance(exclusive, bool) else []),
    ]
    if not candidates:
        return None
    return max(candidates) if inward > 0 else min(candidates)


def _whole(value: Json) -> int:
    """A count, kept within what is worth building."""
    return min(int(value), _LONGEST) if isinstance(value, int | float) else 0
