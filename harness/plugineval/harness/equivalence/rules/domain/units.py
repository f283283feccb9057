"""Units of measure: how people spell them, which unit each spelling may mean, and how much of it (by pint).

pint reads "pm" as picometres and "Mb" as megabarns, so spellings are a list of our own and pint only converts. A
spelling may mean several units (a US or an imperial gallon; GB in thousands or in 1024s). Durations are not here.
"""

import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, Protocol, Self, cast

_SPELLINGS = """
meter: m meter meters metre metres
kilometer: km kms kilometer kilometers kilometre kilometres
centimeter: cm cms centimeter centimeters centimetre centimetres
millimeter: mm millimeter millimeters millimetre millimetres
micrometer: um μm micrometer micrometers micrometre micrometres micron microns
nanometer: nm nanometer nanometers nanometre nanometres
mile: mi mile miles
nautical_mile: nmi nautical_mile nautical_miles
yard: yd yds yard yards
foot: ft foot feet
inch: in inch inches
kilogram: kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes
gram: g gr gram grams gramme grammes
milligram: mg milligram milligrams
microgram: ug μg mcg microgram micrograms
pound: lb lbs pound pounds
stone: st stone stones
metric_ton: t tonne tonnes metric_ton metric_tons ton tons
ton: short_ton short_tons ton tons
long_ton: long_ton long_tons ton tons
ounce: oz ounce ounces
fluid_ounce: fl_oz floz fluid_ounce fluid_ounces oz ounce ounces
imperial_fluid_ounce: fl_oz floz fluid_ounce fluid_ounces oz ounce ounces
liter: l L liter liters litre litres
milliliter: ml mL milliliter milliliters millilitre millilitres cc
centiliter: cl cL centiliter centiliters centilitre centilitres
deciliter: dl dL deciliter deciliters decilitre decilitres
gallon: gal gallon gallons us_gallon us_gallons
imperial_gallon: gal gallon gallons imperial_gallon imperial_gallons
pint: pint pints
imperial_pint: pint pints
quart: qt quart quarts
imperial_quart: qt quart quarts
cup: cup cups
imperial_cup: cup cups
tablespoon: tbsp tablespoon tablespoons
teaspoon: tsp teaspoon teaspoons
degree_Celsius: C °C celsius centigrade degC deg_C degree_celsius degrees_celsius degrees_C degree_C degrees_centigrade
degree_Fahrenheit: F °F fahrenheit degF deg_F degree_fahrenheit degrees_fahrenheit degrees_F degree_F
kelvin: K kelvin kelvins degrees_kelvin °K
kilometer/hour: km/h kph kmh kmph km_per_hour kilometers_per_hour kilometres_per_hour kilometer_per_hour
mile/hour: mph mi/h miles_per_hour mile_per_hour
meter/second: m/s mps meters_per_second metres_per_second meter_per_second metre_per_second
foot/second: ft/s fps feet_per_second
knot: kn kt kts knot knots
meter**2: m2 m^2 sqm sq_m square_meter square_meters square_metre square_metres
kilometer**2: km2 km^2 sq_km sqkm square_kilometer square_kilometers square_kilometre square_kilometres
foot**2: ft2 ft^2 sqft sq_ft square_foot square_feet
mile**2: mi2 sq_mi square_mile square_miles
hectare: ha hectare hectares
acre: acre acres
meter**3: m3 m^3 cubic_meter cubic_meters cubic_metre cubic_metres
foot**3: ft3 ft^3 cubic_foot cubic_feet cu_ft
pascal: Pa pascal pascals
hectopascal: hPa hectopascal hectopascals
kilopascal: kPa kilopascal kilopascals
bar: bar bars
millibar: mbar millibar millibars
psi: psi
atmosphere: atm atmosphere atmospheres
millimeter_Hg: mmHg
joule: J joule joules
kilojoule: kJ kilojoule kilojoules
watt_hour: Wh watt_hour watt_hours
kilowatt_hour: kWh kilowatt_hour kilowatt_hours
calorie: cal calorie calories
kilocalorie: kcal kilocalorie kilocalories Cal calories calorie
watt: W watt watts
kilowatt: kW kilowatt kilowatts
megawatt: MW megawatt megawatts
milliwatt: mW milliwatt milliwatts
horsepower: hp horsepower
metric_horsepower: PS hp horsepower
volt: V volt volts
millivolt: mV millivolt millivolts
kilovolt: kV kilovolt kilovolts
ampere: A amp amps ampere amperes
milliampere: mA milliamp milliamps milliampere milliamperes
ohm: ohm ohms Ω
newton: N newton newtons
hertz: Hz hertz
kilohertz: kHz kilohertz
megahertz: MHz megahertz
gigahertz: GHz gigahertz
bit: bit bits
byte: B byte bytes
kilobyte: kB KB kilobyte kilobytes
kibibyte: KiB kibibyte kibibytes kB KB kilobyte kilobytes
megabyte: MB megabyte megabytes
mebibyte: MiB mebibyte mebibytes MB megabyte megabytes
gigabyte: GB gigabyte gigabytes
gibibyte: GiB gibibyte gibibytes GB gigabyte gigabytes
terabyte: TB terabyte terabytes
tebibyte: TiB tebibyte tebibytes TB terabyte terabytes
kilobit: kbit Kb kb kilobit kilobits
megabit: Mb Mbit megabit megabits
gigabit: Gb Gbit gigabit gigabits
megabit/second: Mbps Mb/s Mbit/s megabits_per_second
gigabit/second: Gbps Gb/s Gbit/s gigabits_per_second
kilobit/second: kbps kb/s kbit/s kilobits_per_second
megabyte/second: MB/s MBps megabytes_per_second
degree: ° deg degree degrees
radian: rad radian radians
percent: % percent pct per_cent
"""
_AS_TEMPERATURE = {"degree": frozenset({"degree_Celsius", "degree_Fahrenheit", "degree"})}


class Measure(NamedTuple):
    """How much one magnitude is in the SI units of its dimension."""

    amount: Fraction
    dimension: str


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    exact: dict[str, set[str]] = {}
    folded: dict[str, set[str]] = {}
    for line in _SPELLINGS.strip().splitlines():
        unit, _, spellings = line.partition(": ")
        for spelling in spellings.split():
            exact.setdefault(spelling, set()).add(unit)
            folded.setdefault(spelling.casefold(), set()).add(unit)
    return _frozen(exact), _frozen(folded)


def _frozen(table: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {spelling: frozenset(units) for spelling, units in table.items()}


@lru_cache(maxsize=4096)
def unit_readings(text: str) -> frozenset[str]:
    """The units a spelling may mean; empty where it is none. Case matters for symbols that differ by it (Mb, MB)."""
    spelling = "_".join(unicodedata.normalize("NFKC", text).replace("°_", "°").replace("° ", "°").split())
    spelling = spelling.removesuffix(".").replace("-", "_")
    exact, folded = _vocabulary()
    if spelling in exact:
        units = exact[spelling]
    else:
        units = folded.get(spelling.casefold(), frozenset()) if len(spelling) > 1 else frozenset[str]()
    return frozenset[str]().union(*(_AS_TEMPERATURE.get(unit, {unit}) for unit in units))


class _Quantity(Protocol):
    magnitude: Fraction

    def to_base_units(self) -> Self: ...


class _Unit(Protocol):
    dimensionality: Mapping[str, Fraction]


class _Registry(Protocol):
    """The part of pint's registry used here, with the types it has for exact fractions."""

    def Quantity(self, magnitude: Fraction, unit: str) -> _Quantity: ...

    def Unit(self, name: str) -> _Unit: ...


@lru_cache(maxsize=4096)
def measure(magnitude: Fraction, unit: str) -> Measure:
    """`magnitude` of `unit` in SI units, exactly. Temperatures are points of their scale, not differences."""
    return Measure(_registry().Quantity(magnitude, unit).to_base_units().magnitude, _dimension(unit))


@lru_cache(maxsize=512)
def _dimension(unit: str) -> str:
    # Bits, angles and percents are dimensionless to pint, and never comparable to people.
    if "bit" in unit or "byte" in unit:
        return "data/s" if "/" in unit else "data"
    if unit in {"degree", "radian"}:
        return "angle"
    return str(sorted((name, int(power)) for name, power in _registry().Unit(unit).dimensionality.items()))


@lru_cache(maxsize=1)
def _registry() -> _Registry:
    import pint

    build = cast("Callable[..., _Registry]", pint.UnitRegistry)
    return build(non_int_type=Fraction, autoconvert_offset_to_baseunit=True)
