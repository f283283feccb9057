"""The built-in cases: one tool for every kind of argument, each with calls that are right, wrong and debatable."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TypeAlias

from plugineval.harness.cases import Case
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json

Calls: TypeAlias = tuple[EmittedCall, ...]
_TEXT: Json = {"type": "string"}
_NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
_TRIP: Json = {
    "type": "object",
    "properties": {"from": _TEXT, "to": _TEXT, "seat": {"type": "string", "default": "any"}},
    "required": ["from", "to"],
}
_PROPERTIES: dict[str, dict[str, Json]] = {
    "weather": {
        "city": {"type": "string", "description": "City."},
        "units": {"type": "string", "enum": ["metric", "imperial"], "default": "metric"},
        "days": {"type": "integer", "default": 1},
    },
    "meeting": {
        "title": _TEXT,
        "start": {"type": "string", "format": "date-time"},
        "guests": {"type": "array", "items": _TEXT, "uniqueItems": True},
    },
    "table": {
        "restaurant": _TEXT,
        "date": {"type": "string", "description": "Date of the reservation."},
        "party": {"type": "integer"},
    },
    "trip": {"trip": _TRIP, "stops": {"type": "array", "items": _TEXT}, "price": {"type": "number"}},
    "order": {
        "order_id": _TEXT,
        "note": {"type": ["string", "null"]},
        "express": {"type": "boolean", "default": False},
    },
    "route": {"distance": {"type": "number"}, "unit": {"type": "string", "enum": ["m", "km"]}, "start": _TEXT},
}
_REQUIRED = {"weather": ["city"], "order": ["order_id"]}
_CASES: tuple[tuple[str, str, Arguments, tuple[Arguments, ...]], ...] = (
    (
        "weather",
        "Weather in New York City for three days?",
        {"city": "New York City", "days": 3},
        (
            {"city": "new york city ", "days": "3"},
            {"city": "NYC", "days": 3},
            {"city": "New York City", "days": 3, "units": "imperial"},
        ),
    ),
    ("weather", "Weather in Oslo?", {"city": "Oslo"}, ({"city": "Oslo", "days": 2}, {"city": "Bergen"}, {})),
    (
        "meeting",
        "Review with Ann and Bo on 1 July 2026 at 15:00 UTC",
        {"title": "Review", "start": "2026-07-01T15:00:00Z", "guests": ["Ann", "Bo"]},
        (
            {"title": "review", "start": "2026-07-01T17:00:00+02:00", "guests": ["bo", "Ann"]},
            {"title": "Review", "start": "2026-07-01T15:00:00+02:00", "guests": ["Ann"]},
            {"title": "Review", "start": "2026-07-01T23:30:00Z", "guests": ["Ann", "Cy"]},
        ),
    ),
    (
        "table",
        "A table for two at Noma on 14 March 2026",
        {"restaurant": "Noma", "date": "2026-03-14", "party": 2},
        (
            {"restaurant": "noma", "date": "14/03/2026", "party": 2},
            {"restaurant": "Noma", "date": "2026-04-03", "party": 2},
            {"restaurant": "Noma", "date": "2026-03-04", "party": 3},
        ),
    ),
    (
        "trip",
        "From Rome via Bern and Basel to Paris for 99.50",
        {"trip": {"from": "Rome", "to": "Paris"}, "stops": ["Bern", "Basel"], "price": 99.5},
        (
            {"trip": {"from": "Rome", "to": "Paris", "seat": "any"}, "stops": ["Bern", "Basel"], "price": "99.50"},
            {"trip": {"from": "Paris", "to": "Rome"}, "stops": ["Basel", "Bern"], "price": 99},
        ),
    ),
    (
        "order",
        "Send order 00712 by express, without a note",
        {"order_id": "00712", "note": None, "express": True},
        (
            {"order_id": "712", "note": None, "express": True},
            {"order_id": "00712", "express": "true"},
            {"order_id": "00712", "note": "none", "express": 1},
        ),
    ),
    (
        "route",
        "A route of 5 km from Ulm",
        {"distance": 5, "unit": "km", "start": "Ulm"},
        ({"distance": 5000, "unit": "m", "start": "Ulm"}, {"distance": 5, "unit": "m", "start": "Ulm"}),
    ),
)


def built_in_cases() -> Iterator[tuple[Case, tuple[Calls, ...]]]:
    """Each case with several sets of calls."""
    toolset = Toolset(tools=tuple(_tool(name) for name in _PROPERTIES))
    for number, (tool, query, gold, several) in enumerate(_CASES, 1):
        calls = tuple((EmittedCall(name=tool, arguments=arguments),) for arguments in several)
        yield _case(f"{tool}-{number}", query, toolset, (GoldCall(tool=tool, arguments=gold),)), calls
    first, second = (GoldCall(tool="weather", arguments={"city": city, "days": 2}) for city in ("Rome", "Bern"))
    emitted = [EmittedCall(name="weather", arguments=call.arguments) for call in (second, first, first)]
    only = (EmittedCall(name="weather", arguments={"city": "Bern", "days": 3}), emitted[2])
    yield _case("several", "Two days in Rome and Bern", toolset, (first, second)), (tuple(emitted), (emitted[0],), only)
    twice = tuple(GoldCall(tool="weather", arguments={"city": "Rome", "days": days}) for days in (1, 2, 3))
    more = tuple(EmittedCall(name="weather", arguments={"city": "Rome", "days": days}) for days in (3, 4, 1))
    yield _case("alike", "One, two and three days in Rome", toolset, twice), (more, more[:2])


def _case(case_id: str, query: str, toolset: Toolset, gold: tuple[GoldCall, ...]) -> Case:
    asked = Query.of_text(query, now=_NOW)
    return Case(id=case_id, query=asked, toolset=toolset, gold=gold, sample_type=SampleType.POSITIVE)


def _tool(name: str) -> ToolSpec:
    required: Json = [*_REQUIRED.get(name, _PROPERTIES[name])]
    schema: dict[str, Json] = {
        "type": "object",
        "properties": dict(_PROPERTIES[name]),
        "required": required,
        "additionalProperties": False,
    }
    return ToolSpec(name=name, description=f"{name.capitalize()}.", input_schema=schema)
