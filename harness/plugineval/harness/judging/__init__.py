"""The gold-anchored judge: asked only about what the comparator leaves open, parsed strictly, never asked twice."""

from plugineval.harness.judging.agreement import JudgeAgreement, compare_judges
from plugineval.harness.judging.config import JudgeConfig
from plugineval.harness.judging.judge import GoldAnchoredJudge
from plugineval.harness.judging.stats import JudgeStats

__all__ = ["GoldAnchoredJudge", "JudgeAgreement", "JudgeConfig", "JudgeStats", "compare_judges"]
