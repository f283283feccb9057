"""Three ways to turn a text into arguments, with different errors, so that generators disagree for a reason."""

from plugineval.pccf.values import Value


class Strategy(Value):
    """How daring the extraction is."""

    name: str
    use_context: bool
    """Labels and prepositions around a value decide which argument it fills; otherwise the order of the text does."""
    synonyms: bool = False
    """Other words for a listed value, and near misses in spelling, count."""
    remainder: bool = False
    """A free text argument may take what is left of the request."""
    fallbacks: bool = False
    """Stated defaults and implied categories fill required arguments."""
    eager_options: bool = False
    """Optional arguments take any value of their kind that is left."""


STRICT = Strategy(name="strict", use_context=True)
EAGER = Strategy(name="eager", use_context=False, remainder=True, eager_options=True)
LENIENT = Strategy(name="lenient", use_context=True, synonyms=True, remainder=True, fallbacks=True)
STRATEGIES = (STRICT, EAGER, LENIENT)
"""In the order of the generators m = 0, 1, 2; a further generator starts again from the first."""
