"""The similarity measure is a measure: symmetric, 1 for equal texts, within [0, 1], the same whenever it is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.pccf.coverage.similarity import SIMILARITY

pytestmark = pytest.mark.requirement("D12")

WORDS = st.sampled_from(
    ("convert", "time", "zones", "list", "staged", "14:30", "Oslo", "the", "größe", "東京", "get_time")
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=9).map(" ".join))


@given(a=TEXTS, b=TEXTS)
def test_a_score_is_symmetric_and_lies_in_the_unit_interval(a: str, b: str) -> None:
    score = SIMILARITY.score(a, b)
    assert 0 <= score <= 1
    assert score == SIMILARITY.score(b, a)


@given(text=TEXTS)
def test_a_text_is_like_itself(text: str) -> None:
    assert SIMILARITY.score(text, text) == 1


@given(text=TEXTS, others=st.lists(TEXTS, max_size=6), at_least=st.sampled_from((0.0, 0.3, 0.6, 0.9)))
def test_the_nearest_is_what_scoring_all_of_them_finds(text: str, others: list[str], at_least: float) -> None:
    scores = [SIMILARITY.score(text, other) for other in others]
    best = max(scores, default=-1.0)
    expected = (others[scores.index(best)], best) if best >= at_least else None
    assert SIMILARITY.nearest(text, others, at_least=at_least) == expected


@given(words=st.lists(WORDS, min_size=1, max_size=6))
def test_case_and_spacing_do_not_matter(words: list[str]) -> None:
    lower = [word.lower() for word in words if word.isascii() and "_" not in word]
    assert SIMILARITY.score(" ".join(lower), "  ".join(lower).upper()) == pytest.approx(1)
