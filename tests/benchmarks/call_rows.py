"""Rows as public function-calling sets have them, made here: one tool or several, one call or several, one of a few
values accepted, schemas flat or nested. Two of five answers are gold to the letter, the others are off in one way that
rules decide.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import NamedTuple, TypeAlias

from plugineval.pccf.values import Json

Document: TypeAlias = dict[str, Json]

RIGHT_OF_FIVE = 2
KINDS = {"simple": 4, "multiple": 2, "parallel": 2, "parallel_multiple": 2, "live_simple": 3, "live_multiple": 10}
"""Kind of case -> its share, about as in the best known public set."""
CITIES = ("Oslo", "Rome", "Lyon", "Porto", "Graz", "Ghent", "Turin", "Malmo", "Cork", "Basel", "New York", "San Jose")
NOUNS = (
    "order",
    "route",
    "hotel",
    "loan",
    "sample",
    "song",
    "player",
    "recipe",
    "sensor",
    "ticket",
    "voucher",
    "plant",
)
VERBS = ("find", "get", "calculate", "book", "list", "compare", "convert", "update", "predict", "plan")
CHOICES = (["celsius", "fahrenheit", "kelvin"], ["low", "medium", "high"], ["car", "train", "ferry"])


class Field(NamedTuple):
    """One argument: its schema, a right value, and what else is accepted for it."""

    schema: Document
    value: Json
    also: tuple[Json, ...] = ()


def call_rows(cases: int, *, right: bool = False, seed: int = 20260310) -> Iterator[Document]:
    """Five rows for each of `cases` cases, each case with tools of its own; all of them right with `right`."""
    random = Random(seed)
    for number in range(cases):
        kind = random.choices([*KINDS], [*KINDS.values()])[0]
        case, gold = _case(random, kind, number)
        for turn in range(5):
            calls = deepcopy(gold)
            if not right and turn >= RIGHT_OF_FIVE:
                random.choice(MISTAKES)(random, calls)
            yield {**case, "id": f"{kind}_{number}_{turn}", "predicted": list[Json](calls)}


def _case(random: Random, kind: str, number: int) -> tuple[Document, list[Document]]:
    """The case, and its gold calls as a model makes them."""
    live, several = kind.startswith("live"), "multiple" in kind
    names = [f"{random.choice(VERBS)}_{random.choice(NOUNS)}_{number}_{place}" for place in range(4 if several else 1)]
    described = [_fields(random, live=live) for _ in names]
    chosen = [0] if "parallel" not in kind else [place % len(names) for place in range(random.randint(2, 4))]
    tools = [_tool(random, name, fields) for name, fields in zip(names, described, strict=True)]
    gold: list[Json] = []
    calls: list[Document] = []
    for turn, place in enumerate(chosen):
        right = {name: _varied(field, turn) for name, field in described[place].items()}
        accepted: Document = {
            name: {"accepted": [right[name], *field.also]} if field.also else right[name]
            for name, field in described[place].items()
        }
        gold.append({"name": names[place], "arguments": accepted})
        calls.append({"name": names[place], "arguments": right})
    words = " ".join(random.choices(NOUNS + CITIES, k=24))
    query = f"Please {words} with {json.dumps(calls[0]['arguments'])}."
    return {"query": query, "sample_type": "positive", "tools": list[Json](tools), "gold": gold}, calls


def _fields(random: Random, *, live: bool) -> dict[str, Field]:
    """The arguments of one tool; those of real servers nest, and most of them are optional."""
    makers = random.sample(MAKERS, k=random.randint(2, 5))
    fields = {f"{name}_{place}": make(random) for place, (name, make) in enumerate(makers)}
    if live and random.random() < 1 / 3:
        inside = {name: make(random) for name, make in random.sample(MAKERS, k=2)}
        properties: Document = {name: field.schema for name, field in inside.items()}
        schema: Document = {"type": "object", "description": "What else is wanted.", "properties": properties}
        fields["options"] = Field(schema, {name: field.value for name, field in inside.items()})
    return fields


def _tool(random: Random, name: str, fields: dict[str, Field]) -> Document:
    properties: Document = {argument: field.schema for argument, field in fields.items()}
    needed = [*fields][: (len(fields) + 1) // 2]
    schema: Document = {"type": "object", "properties": properties, "required": list[Json](needed)}
    description = f"Does it for {' and '.join(random.choices(NOUNS, k=8))}."
    return {"name": name, "description": description, "input_schema": schema}


def _varied(field: Field, turn: int) -> Json:
    """The value of a later call of the same tool: numbers tell such calls apart."""
    value = field.value
    return value + turn if isinstance(value, int) and not isinstance(value, bool) else value


def _count(random: Random) -> Field:
    return Field({"type": "integer", "description": "How many are wanted."}, random.randint(2, 900))


def _share(random: Random) -> Field:
    return Field({"type": "number", "description": "The rate, as a share."}, random.randint(1, 999) / 8)


def _city(random: Random) -> Field:
    city = random.choice(CITIES)
    return Field({"type": "string", "description": "The city, by its name."}, city, (f"{city}, EU", f"{city} City"))


def _choice(random: Random) -> Field:
    members = random.choice(CHOICES)
    return Field({"type": "string", "enum": list[Json](members), "description": "One of a few."}, members[0])


def _flag(random: Random) -> Field:
    return Field({"type": "boolean", "description": "Whether all of it is shown."}, random.random() < 1 / 2)


def _numbers(random: Random) -> Field:
    schema: Document = {"type": "array", "items": {"type": "integer"}, "description": "The readings, in order."}
    return Field(schema, [random.randint(1, 99) for _ in range(random.randint(2, 6))])


def _date(random: Random) -> Field:
    written = f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    return Field({"type": "string", "description": "The day, as YYYY-MM-DD."}, written)


MAKERS: tuple[tuple[str, Callable[[Random], Field]], ...] = (
    ("count", _count),
    ("share", _share),
    ("city", _city),
    ("mode", _choice),
    ("all", _flag),
    ("readings", _numbers),
    ("day", _date),
    ("place", _city),
    ("limit", _count),
)


def _off_value(random: Random, calls: list[Document]) -> None:
    """Another value of the same type, where rules know that it is another; else another number of arguments."""
    arguments = _arguments(random, calls)
    name = random.choice([*arguments])
    arguments[name] = _other(arguments[name])


def _other(value: Json) -> Json:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, list):
        return [*value, 1]
    if isinstance(value, dict):
        return {name: _other(inside) for name, inside in value.items()}
    return f"2025{value[4:]}" if isinstance(value, str) and value.startswith("2026") else 7


def _left_out(random: Random, calls: list[Document]) -> None:
    arguments = _arguments(random, calls)
    del arguments[next(iter(arguments))]


def _further(random: Random, calls: list[Document]) -> None:
    _arguments(random, calls)["verbose"] = True


def _other_type(random: Random, calls: list[Document]) -> None:
    arguments = _arguments(random, calls)
    name = random.choice([*arguments])
    arguments[name] = [arguments[name]]


def _respelled(random: Random, calls: list[Document]) -> None:
    """The same in another notation: right, and no longer to the letter."""
    arguments = _arguments(random, calls)
    for name, value in arguments.items():
        if isinstance(value, str):
            arguments[name] = value.upper()
        elif isinstance(value, int | float) and not isinstance(value, bool):
            arguments[name] = str(value)


def _other_tool(random: Random, calls: list[Document]) -> None:
    calls[-1]["name"] = "something_else"


def _not_called(random: Random, calls: list[Document]) -> None:
    calls.pop()


def _arguments(random: Random, calls: list[Document]) -> Document:
    arguments = random.choice(calls)["arguments"]
    assert isinstance(arguments, dict)
    return arguments


MISTAKES: tuple[Callable[[Random, list[Document]], None], ...] = (
    _off_value,
    _off_value,
    _left_out,
    _further,
    _other_type,
    _respelled,
    _other_tool,
    _not_called,
)
