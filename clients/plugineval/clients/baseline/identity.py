"""Who plays a role when the embedded baseline does: a deterministic program, not a language model.

Every record, report and benchmark that the baseline had a hand in names it as what it is, a floor.
"""

from plugineval.pccf.values import content_hash

BASELINE_ID = "baseline:lexical"
PROGRAM_VERSION = "lexical-2"
"""Raised whenever an answer of the baseline can change."""

PROMPT_HASH = content_hash(["baseline:lexical", PROGRAM_VERSION])
"""Stands where a model's prompt hash stands: the hash of the program's version."""
