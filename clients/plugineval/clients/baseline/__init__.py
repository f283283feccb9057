"""`baseline:lexical`: a deterministic floor without a key or a network; named as a floor wherever it appears.

It reads schemas, descriptions and words, not meaning. It lets a first run produce real accepted and rejected cases and
gives every report a floor; it says nothing about what a language model would do.
"""

from plugineval.clients.baseline.annotator import LexicalAnnotator
from plugineval.clients.baseline.argument_evaluator import LexicalArgumentEvaluator
from plugineval.clients.baseline.depth import LexicalDepthAnnotator
from plugineval.clients.baseline.generator import LexicalGenerator
from plugineval.clients.baseline.identity import BASELINE_ID, PROGRAM_VERSION, PROMPT_HASH
from plugineval.clients.baseline.result_evaluator import LexicalResultEvaluator
from plugineval.clients.baseline.router import LexicalRouter
from plugineval.clients.baseline.writing.writer import LexicalWriter

__all__ = [
    "BASELINE_ID",
    "PROGRAM_VERSION",
    "PROMPT_HASH",
    "LexicalAnnotator",
    "LexicalArgumentEvaluator",
    "LexicalDepthAnnotator",
    "LexicalGenerator",
    "LexicalResultEvaluator",
    "LexicalRouter",
    "LexicalWriter",
]
