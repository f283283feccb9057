"""A little English: verbs that open a request, units of measure, and words that mean the same value.

It is a dictionary of the language, not of any plugin: nothing here names a server or a tool.
"""

from functools import cache

from plugineval.clients.baseline.words import each_word, squeezed

VERBS = frozenset(
    each_word(
        "add adjust analyse analyze append apply approve archive assign batch book build calculate cancel change "
        "check clear clone close combine compare compress compute convert copy count create decode delete deploy "
        "describe detect determine diff disable display download edit enable encode encrypt estimate evaluate "
        "execute export extract fetch filter find fix forecast format generate get give group hash highlight "
        "identify import inspect insert install invite join launch list load locate look lookup make mark match "
        "measure merge modify monitor move normalize open optimize order parse pause perform pick ping play plot "
        "post predict preview print process publish pull push query rank read record refresh register remove rename "
        "render replace report request reserve reset resolve resume retrieve return reverse review rotate round run "
        "save scan schedule search select send set show shorten simplify simulate solve sort split start stop store "
        "submit subtract subscribe suggest sum summarize switch sync tag test track transfer transform translate "
        "trim turn unstage update upload validate verify view watch write"
    )
)

UNITS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "length": (
        ("km", ("kilometers", "kilometres", "kilometer", "kilometre")),
        ("m", ("meters", "metres", "meter", "metre")),
        ("cm", ("centimeters", "centimetres")),
        ("mm", ("millimeters", "millimetres")),
        ("mi", ("miles", "mile")),
        ("ft", ("feet", "foot")),
        ("yd", ("yards", "yard")),
        ("in", ("inches", "inch")),
    ),
    "mass": (
        ("kg", ("kilograms", "kilogram", "kilos")),
        ("g", ("grams", "gram")),
        ("lb", ("pounds", "pound")),
        ("oz", ("ounces", "ounce")),
    ),
    "temperature": (("C", ("celsius",)), ("F", ("fahrenheit",)), ("K", ("kelvin",))),
    "time": (
        ("s", ("seconds", "second")),
        ("min", ("minutes", "minute")),
        ("h", ("hours", "hour")),
        ("d", ("days", "day")),
    ),
    "volume": (("l", ("liters", "litres", "liter")), ("ml", ("milliliters", "millilitres")), ("gal", ("gallons",))),
    "speed": (("km/h", ("kilometers per hour", "kph")), ("mph", ("miles per hour",)), ("m/s", ("meters per second",))),
}
"""Quantity -> (symbol, names)."""

CATEGORY_NAMES = {"mass": ("mass", "weight"), "length": ("length", "distance"), "time": ("time", "duration")}

_SYNONYMS: tuple[tuple[str, ...], ...] = (
    ("mean", "average", "arithmetic mean"),
    ("median", "middle value"),
    ("mode", "most frequent value", "most common value"),
    ("stdev", "std", "stddev", "standard deviation"),
    ("sum", "total"),
    ("max", "maximum", "largest", "highest"),
    ("min", "minimum", "smallest", "lowest"),
    ("asc", "ascending"),
    ("desc", "descending"),
    ("multiply", "product", "multiplication"),
    ("inverse", "inverted", "inversion"),
)

SIBLINGS: tuple[frozenset[str], ...] = (
    frozenset(each_word("json csv xml yaml toml parquet")),
    frozenset(each_word("hex rgb hsl cmyk lab")),
    frozenset(each_word("md5 sha1 sha256 sha512 crc32 blake3")),
    frozenset(each_word("days months years hours minutes weeks decades fortnights")),
    frozenset(each_word("low medium high critical negligible")),
    frozenset(each_word("english german french spanish italian klingon")),
    frozenset(each_word("mean median mode stdev variance kurtosis")),
    frozenset(each_word("length mass weight temperature time area volume radioactivity")),
    frozenset(each_word("celsius fahrenheit kelvin rankine")),
    frozenset(each_word("small medium large xlarge gigantic")),
    frozenset(each_word("pdf html markdown docx epub")),
    frozenset(each_word("usd eur gbp jpy chf dogecoin")),
    frozenset(each_word("daily weekly monthly yearly hourly fortnightly")),
    frozenset(each_word("economy business first premium steerage")),
    frozenset(each_word("open closed pending archived quarantined")),
)
"""Values of one kind: where a closed enum holds some of them, the others are what the tool cannot take."""


@cache
def synonym_groups() -> dict[str, tuple[str, ...]]:
    """Squeezed word -> all words that mean the same."""
    return {squeezed(word): group for group in _SYNONYMS for word in group}


def synonyms(value: str) -> tuple[str, ...]:
    """Other words for `value`, `value` excluded."""
    group = synonym_groups().get(squeezed(value), ())
    return tuple(word for word in group if squeezed(word) != squeezed(value))


@cache
def unit_index() -> dict[str, tuple[str, str]]:
    """Spelling of a unit, lower case -> (symbol, quantity)."""
    index: dict[str, tuple[str, str]] = {}
    for quantity, units in UNITS.items():
        for symbol, names in units:
            for spelling in (symbol, *names):
                index.setdefault(spelling.lower(), (symbol, quantity))
    return index


def symbol_of(unit: str) -> str | None:
    """The symbol of a unit in any of its spellings; None for an unknown one."""
    found = unit_index().get(unit.lower())
    return found[0] if found else None


def category_of(unit: str) -> tuple[str, ...]:
    """Names of the quantity that `unit` measures (`kg` -> `mass`, `weight`); empty for an unknown unit."""
    found = unit_index().get(unit.lower())
    return CATEGORY_NAMES.get(found[1], (found[1],)) if found else ()
