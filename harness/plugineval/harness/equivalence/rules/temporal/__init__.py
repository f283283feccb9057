"""Values that mean a time: days, times of day, instants, zones, lengths and ranges, in any common notation.

A notation with two meanings (1/2/2024, "next Friday") keeps both until the tool's documentation, the query's own
spelling or the clock settles it; what stays open is unsure in both directions, never equal by guess.
"""

from plugineval.harness.equivalence.rules.temporal.deciding import decide as decide
