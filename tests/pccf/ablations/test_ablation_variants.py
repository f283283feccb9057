"""Variants differ from the full pipeline in one respect each; sweeps and nested plugins are written as people write."""

import pytest

from doubles.faulty import FaultyWorld, Rates, ablated
from plugineval.pccf.ablations.truth import Claim, GoldVerdict, People
from plugineval.pccf.ablations.variants import NAMES, Sweep, levels_of, variants_of
from plugineval.pccf.config import BuildConfig, VerificationConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError

FULL = BuildConfig(size=7)


def changed(name: str, config: BuildConfig = FULL) -> dict[str, object]:
    """What a variant sets otherwise than full, by name of the number."""
    found = {variant.name: variant.config for variant in variants_of(config, [], [])}[name]
    stage_one = {key: value for key, value in found.verification if value != getattr(config.verification, key)}
    own = {key: value for key, value in found if key != "verification" and value != getattr(config, key)}
    return stage_one | own


@pytest.mark.requirement("P62", "P63", "P64", "P65")
def test_every_named_variant_leaves_out_one_component() -> None:
    assert {name: changed(name) for name in NAMES} == {
        "full": {},
        "no_content_validation": {"content_validation": False},
        "no_refinement": {"max_rounds": 1},
        "single_shot": {"closed_loop": False},
        "one_generator": {"generators": 1},
    }


def test_full_has_everything_on_whatever_the_settings_say() -> None:
    weak = BuildConfig(closed_loop=False, verification=VerificationConfig(content_validation=False, max_rounds=2))
    full = variants_of(weak, ["full"])[0].config
    assert (full.closed_loop, full.verification.content_validation, full.verification.max_rounds) == (True, True, 2)


def test_names_may_have_hyphens_and_full_is_always_there() -> None:
    assert [each.name for each in variants_of(FULL, ["Single-Shot"])] == ["full", "single_shot"]
    with pytest.raises(UnknownNameError, match="did you mean 'single_shot'"):
        variants_of(FULL, ["single_shoot"])


@pytest.mark.requirement("P68")
def test_a_sweep_sets_one_number_and_the_defaults_are_those_of_the_paper() -> None:
    found = variants_of(FULL, ["full"], [Sweep.of("R=1,2,3"), Sweep.of("m=3,1"), Sweep.of("K=1, 5")])
    numbers = {
        each.name: (
            each.config.verification.max_rounds,
            each.config.verification.generators,
            each.config.calibration_runs,
        )
        for each in found
    }
    assert numbers == {
        "full": (3, 3, 5),
        "R=1": (1, 3, 5),
        "R=2": (2, 3, 5),
        "R=3": (3, 3, 5),
        "M=1": (3, 1, 5),
        "M=3": (3, 3, 5),
        "K=1": (3, 3, 1),
        "K=5": (3, 3, 5),
    }


@pytest.mark.parametrize("text", ["R", "Q=1", "R=", "R=0", "M=1,x", "K=-1", "R=1,,2"])
def test_what_is_no_sweep_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ConfigurationError, match="R=1,2,3"):
        Sweep.of(text)


@pytest.mark.requirement("P67")
def test_plugins_are_added_one_by_one() -> None:
    assert levels_of(["a", "b", "a", "c"], 1) == (("a",), ("a", "b"), ("a", "b", "c"))
    assert levels_of(["a", "b"], None) == (("a", "b"),)
    with pytest.raises(ConfigurationError, match="1 to 2"):
        levels_of(["a", "b"], 3)


class Never:
    """An oracle that does not know."""

    id = "nobody"

    async def is_right(self, claim: Claim) -> bool | None:
        return None


@pytest.mark.anyio
@pytest.mark.requirement("P62")
async def test_what_people_say_wins_and_the_rest_is_unknown_not_right() -> None:
    runs = await ablated(FaultyWorld(Rates(), BuildConfig(size=4, negative_share=0)), ["full"])
    one, other, third, *rest = runs["full"].claims
    gold: tuple[dict[str, object], ...] = ({"tool": other.target, "arguments": {"place": "elsewhere"}},)
    people = People(
        [
            GoldVerdict(record=one.record.id, right=False),
            GoldVerdict(record=other.record.id, gold=gold, right=False),
            GoldVerdict(query=third.query.text, target=third.target, right=False),
            GoldVerdict(query=third.query.text, target=third.target, right=True),
        ],
        Never(),
    )
    said = [await people.is_right(claim) for claim in (one, other, third, *rest)]
    assert said == [False, None, True, *[None] * len(rest)]
    assert people.id == "4 verdicts of people, else nobody"
