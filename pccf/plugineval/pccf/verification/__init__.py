"""Stage I: is the example trustworthy? Gates in the order of P12, selection, refinement with evidence."""

from plugineval.pccf.json_answer import Answered, UnreadableAnswerError, ask_json, parse_json, read_json
from plugineval.pccf.verification.chains import ChainVerifier
from plugineval.pccf.verification.parts import MadeCall, Part
from plugineval.pccf.verification.prompted_depth import PromptedDepthAnnotator
from plugineval.pccf.verification.prompted_evaluators import PromptedArgumentEvaluator, PromptedResultEvaluator
from plugineval.pccf.verification.prompted_generator import PromptedGenerator
from plugineval.pccf.verification.prompted_levels import PromptedLevelAnnotator
from plugineval.pccf.verification.repeating import Repeated
from plugineval.pccf.verification.request import VerificationRequest
from plugineval.pccf.verification.stage_one import StageOne
from plugineval.pccf.verification.stage_roles import StageOneRoles

__all__ = [
    "Answered",
    "ChainVerifier",
    "MadeCall",
    "Part",
    "PromptedArgumentEvaluator",
    "PromptedDepthAnnotator",
    "PromptedGenerator",
    "PromptedLevelAnnotator",
    "PromptedResultEvaluator",
    "Repeated",
    "StageOne",
    "StageOneRoles",
    "UnreadableAnswerError",
    "VerificationRequest",
    "ask_json",
    "parse_json",
    "read_json",
]
