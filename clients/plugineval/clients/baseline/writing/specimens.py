"""A value for an argument: from its examples and listed values, else of its kind and within its limits."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.lexicon import UNITS, category_of
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.samples import DIRECTORIES, HOSTS, PATHS, PEOPLE, ZONES, text_samples
from plugineval.pccf.values import Json

CLOCK = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
"""The clock that a query with relative dates carries: a Wednesday morning."""


def specimen(argument: Argument, draw: Draw, *, wordy: bool) -> Json:
    """A value; with `wordy` one that can also be said in words, where its kind allows that."""
    if argument.kind is Kind.ARRAY:
        return _array(argument, draw, wordy=wordy)
    if (
        argument.examples
        and argument.kind not in {Kind.ZONE, Kind.UNIT}
        and draw.number(0, 1, f"{argument.name} example")
    ):
        return draw.pick(argument.examples, argument.name)
    return _MAKERS[argument.kind](argument, draw, wordy)


def _array(argument: Argument, draw: Draw, *, wordy: bool) -> Json:
    item = argument.item
    if item is None or item.kind is Kind.OBJECT:
        return list(argument.examples[:2]) or ["one", "two"]
    if item.kind is Kind.ARRAY:
        return [_grid(draw, salt) for salt in range(draw.number(max(1, argument.min_items), 2, "matrices"))]
    low = max(argument.min_items, 1 if item.kind in {Kind.PATH, Kind.EMAIL} else 3 if item.kind.numeric else 2)
    size = min(draw.number(low, low + (2 if item.kind.numeric else 0), argument.name), argument.max_items or 99)
    return _distinct(item, Draw(argument.name, draw.number(0, 2**32, argument.name)), size, wordy=wordy)


def _distinct(item: Argument, draw: Draw, size: int, *, wordy: bool) -> list[Json]:
    values: list[Json] = []
    for salt in range(size * 8):
        value = specimen(item, Draw(salt, draw.number(0, 2**32, salt)), wordy=wordy)
        if value not in values:
            values.append(value)
        if len(values) == size:
            break
    return values


def _grid(draw: Draw, salt: int) -> Json:
    return [[draw.number(1, 9, f"cell {salt} {row} {column}") for column in range(2)] for row in range(2)]


def _integer(argument: Argument, draw: Draw, wordy: bool) -> Json:
    low = int(max(3, argument.minimum)) if argument.minimum is not None else 3
    high = int(min(argument.maximum, low + 60)) if argument.maximum is not None else low + 60
    return draw.number(min(low, high), high, argument.name)


def _number(argument: Argument, draw: Draw, wordy: bool) -> Json:
    whole = _integer(argument, draw, wordy)
    if wordy or not isinstance(whole, int) or draw.number(0, 2, f"{argument.name} part"):
        return whole
    return whole - 0.5


def _date(argument: Argument, draw: Draw, wordy: bool) -> Json:
    ahead = draw.pick((1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28), argument.name)
    past = argument.role == "from"
    return (CLOCK + timedelta(days=-ahead if past else ahead)).date().isoformat()


def _time(argument: Argument, draw: Draw, wordy: bool) -> Json:
    clock = f"{draw.number(6, 22, argument.name):02d}:{draw.pick((0, 15, 30, 45), f'{argument.name} minute'):02d}"
    return f"{clock}:00" if argument.hints.time_format == "HH:MM:SS" else clock


def _expression(argument: Argument, draw: Draw, wordy: bool) -> Json:
    a, b, c = (draw.number(2, 40, f"{argument.name} {salt}") for salt in range(3))
    plain = (f"{a} + {b} * {c}", f"{a} * {b} - {c}", f"{a} + {b} + {c}", f"{a} * {b}", f"{a} - {b} + {c}")
    brackets = (f"({a} + {b}) * {c}", f"({a} - {b}) / {c}", f"{a} * ({b} + {c})")
    return draw.pick(plain if wordy else plain + brackets, argument.name)


def _unit(argument: Argument, draw: Draw, wordy: bool) -> Json:
    return draw.pick([name for symbol, names in UNITS["length"] for name in (symbol, names[0])], argument.name)


def _identifier(argument: Argument, draw: Draw, wordy: bool) -> Json:
    prefix = "".join(word[0] for word in argument.label.split()).upper()
    return f"{prefix}-{draw.number(1000, 9999, argument.name)}"


def _path(argument: Argument, draw: Draw, wordy: bool) -> Json:
    about = f"{argument.label} {argument.description}".lower()
    whole = any(word in about for word in ("repository", "directory", "folder", "root"))
    return draw.pick(DIRECTORIES if whole else PATHS, argument.name)


def _text(argument: Argument, draw: Draw, wordy: bool) -> Json:
    return draw.pick(text_samples(argument), argument.name)


_MAKERS: dict[Kind, Callable[[Argument, Draw, bool], Json]] = {
    Kind.CHOICE: lambda argument, draw, wordy: draw.pick(argument.choices, argument.name),
    Kind.BOOLEAN: lambda argument, draw, wordy: not argument.default if argument.has_default else True,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.OBJECT: lambda argument, draw, wordy: {"x": draw.number(2, 40, "x"), "y": draw.number(2, 40, "y")},
    Kind.DATE: _date,
    Kind.TIME: _time,
    Kind.DATETIME: lambda argument, draw, wordy: f"{_date(argument, draw, wordy)}T{_time(argument, draw, wordy)}:00",
    Kind.ZONE: lambda argument, draw, wordy: draw.pick(ZONES, argument.name),
    Kind.EXPRESSION: _expression,
    Kind.UNIT: _unit,
    Kind.EMAIL: lambda argument, draw, wordy: f"{draw.pick(PEOPLE, argument.name)}@{draw.pick(HOSTS, 'host')}",
    Kind.URL: lambda argument, draw, wordy: f"https://{draw.pick(HOSTS, 'host')}/{draw.pick(PEOPLE, argument.name)}",
    Kind.PATH: _path,
    Kind.IDENTIFIER: _identifier,
    Kind.TEXT: _text,
}


def matched_units(arguments: tuple[Argument, ...], draw: Draw) -> dict[str, Json]:
    """Units of one quantity for all unit arguments of a tool, and the choice that names this quantity, if any."""
    units = [each for each in arguments if each.kind is Kind.UNIT]
    if len(units) < 2:
        return {}
    category = next((each for each in arguments if _names_quantities(each)), None)
    quantities = [
        name for name, each in UNITS.items() if category is None or _choice_for(category, each[0][0]) is not None
    ]
    if not quantities:
        return {}
    quantity = draw.pick(quantities, "quantity")
    spellings = draw.sample(UNITS[quantity], len(units), "units")
    named = draw.number(0, 1, "unit names")
    values: dict[str, Json] = {
        each.name: names[0] if named or symbol == "in" else symbol
        for each, (symbol, names) in zip(units, spellings, strict=False)
    }
    if category is not None:
        values[category.name] = _choice_for(category, UNITS[quantity][0][0])
    return values


def _names_quantities(argument: Argument) -> bool:
    return argument.kind is Kind.CHOICE and sum(str(choice).lower() in UNITS for choice in argument.choices) >= 2


def _choice_for(argument: Argument, unit: str) -> Json:
    names = category_of(unit)
    return next((choice for choice in argument.choices if str(choice).lower() in names), None)
