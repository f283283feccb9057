"""The policies of a run, each in one word: a person sets them, and a report says which ones its numbers stand under."""

from typing import Literal, TypeAlias

ExtraCalls: TypeAlias = Literal["ignore", "read_only", "forbid"]
Meaning: TypeAlias = Literal["settle", "ask"]
"""Whether rules may settle what meaning alone decides (a conversion, a name for a code), or a judge is asked."""
SelfJudged: TypeAlias = Literal["exclude", "count", "refuse"]
"""`exclude`: without a verdict, counted with the reason. `count`: like any other. `refuse`: never asked at all."""
