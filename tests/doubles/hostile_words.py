"""Words and documents that mean harm: paths, templates, queries, terminal orders, numbers and depths nobody expects.

`arguments` draws the arguments of a tool from its published schema: fitting ones full of such words, and ones that
break the schema in every way.
"""

from collections.abc import Mapping
from typing import cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from plugineval.pccf.values import Json

Schema = Mapping[str, Json]

WORDS = (
    *("", " ", "\x00", "a\x00b", "\n", "\r\n\r\n", "\u202e", "\ufeff", "\x1b]0;owned\x07\x1b[2J", "~root", ".", ".."),
    *("../../../etc/passwd", "..\\..\\x", "/etc/passwd", "file:///etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
    *("plugineval://jobs/../reports", "plugineval://reports/%00", "con", "counting\x00", "COUNTING", "canary "),
    *("{{7*7}}", "${HOME}", "$(touch owned)", "`touch owned`", "{0.__class__}", "%s%n", "<data>", "{query}", "|| x"),
    *("' OR 1=1 --", "'; DROP TABLE job; --", "%", "_", "*", "a" * 5_000, "<script>alert(1)</script>", "__proto__"),
    *("agent", "sampling", "recorded:/etc/passwd", "recorded:../x", "openai:x", "baseline:lexical", "none", "null"),
    *("NaN", "1e999", "9" * 400, "[]", "{}", '["canary"]', "true", "🙂" * 50),
)
NUMBERS: tuple[Json, ...] = (0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308, float("inf"), float("nan"))


def _nested(depth: int, *, listed: bool) -> Json:
    value: Json = "bottom"
    for _ in range(depth):
        value = [value] if listed else {"a": value}
    return value


TEXTS: st.SearchStrategy[str] = st.one_of(st.sampled_from(WORDS), st.text(max_size=30))
DEEP = st.builds(_nested, st.sampled_from([20, 100, 200]), listed=st.booleans())
ANYTHING: st.SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(NUMBERS),
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.dictionaries(TEXTS, st.one_of(TEXTS, st.sampled_from(NUMBERS), st.none()), max_size=3),
    DEEP,
    st.just(["x"] * 2_000),
)


def fitting(schema: Schema, names: tuple[str, ...] = ()) -> st.SearchStrategy[Json]:
    """Values that fit a schema, or nearly: texts are hostile words, and the `names` of what there is."""
    if "enum" in schema:
        return st.sampled_from(cast("list[Json]", schema["enum"]))
    least, most = cast("int", schema.get("minimum", 0)), cast("int", schema.get("maximum", 10**12))
    simple: dict[str, st.SearchStrategy[Json]] = {
        "string": st.one_of(TEXTS, st.sampled_from(names)) if names else TEXTS,
        "integer": st.integers(least, most),
        "number": st.floats(least, allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
    }
    kind = str(schema.get("type"))
    if kind == "object":
        return _object(schema, cast("dict[str, Schema]", schema.get("properties", {})), names)
    if kind == "array":
        fewest = cast("int", schema.get("minItems", 0))
        items = fitting(cast("Schema", schema.get("items", {})), names)
        return st.lists(items, min_size=fewest, max_size=fewest + 2)
    return simple.get(kind, ANYTHING)


def _object(
    schema: Schema, properties: Mapping[str, Schema], names: tuple[str, ...]
) -> st.SearchStrategy[dict[str, Json]]:
    if not properties:
        return st.dictionaries(TEXTS, ANYTHING, max_size=2)
    required = set(cast("list[str]", schema.get("required", [])))
    drawn = {name: fitting(each, names) for name, each in properties.items()}
    return st.fixed_dictionaries(
        {name: drawn[name] for name in properties if name in required},
        optional={name: drawn[name] for name in properties if name not in required},
    )


@st.composite
def arguments(draw: st.DrawFn, schema: Schema, names: tuple[str, ...] = ()) -> dict[str, Json]:
    """Arguments of a tool with this input schema; half of them break it."""
    # No call may wait: a test of thousands has no time for it.
    properties = {key: each for key, each in cast("dict[str, Schema]", schema["properties"]).items() if key != "wait_s"}
    given = draw(_object(schema, properties, names))
    if "wait_s" in cast("dict[str, Schema]", schema["properties"]):
        given["wait_s"] = 0
    if draw(st.booleans()):
        return given
    for name in draw(st.lists(st.sampled_from([*properties, "wait_s"]), max_size=3)) if properties else ():
        given[name] = draw(ANYTHING)
    if draw(st.booleans()):
        given.pop(draw(st.sampled_from([*given, ""])), None)
    if draw(st.booleans()):
        given[draw(TEXTS)] = draw(ANYTHING)
    return given


def attacks(cases: int) -> settings:
    """So many cases, the same ones in every run where they are few; none is written down elsewhere."""
    slow = [
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ]
    return settings(
        max_examples=cases,
        database=None,
        derandomize=cases < 1_000,
        suppress_health_check=slow,
        print_blob=True,
    )
