"""The observed difficulty of a verified example: inference depth of positives, router behaviour on negatives."""

from collections.abc import Sequence

from plugineval.pccf.examples import Difficulty


def inference_difficulty(steps: Sequence[str]) -> Difficulty:
    """Positives: 0, 1, or at least 2 steps from the words of the query to the arguments (P26)."""
    return list(Difficulty)[min(len(steps), 2)]


def behavioural_difficulty(p_k: float) -> Difficulty:
    """Negatives, d_beh: easy where every run of the router agreed with the label, hard where none did (P31)."""
    if p_k == 0:
        return Difficulty.HARD
    return Difficulty.EASY if p_k == 1 else Difficulty.MEDIUM
