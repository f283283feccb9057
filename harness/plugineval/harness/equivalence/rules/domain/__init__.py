"""Values of a known kind: quantities, money, codes of countries and languages, addresses, programs, positions.

`decide` is the door for one pair of values; `settle_pairs` looks at a number and its unit in two arguments together;
`looks_like_identifier` tells identifiers from other strings.
"""

from plugineval.harness.equivalence.rules.domain.decision import decide
from plugineval.harness.equivalence.rules.domain.identifiers import looks_like_identifier
from plugineval.harness.equivalence.rules.domain.unit_pairs import UnitPair, settle_pairs

__all__ = ["UnitPair", "decide", "looks_like_identifier", "settle_pairs"]
