"""What may be said of a variant: paired tests, corrected, with the size that would settle what is not shown (P66)."""

import re
from xml.etree import ElementTree

import pytest

from doubles.faulty import FaultyWorld, Rates, ablated
from plugineval.harness.ablation.building import ablation_report
from plugineval.harness.ablation.report import AblationReport, VariantReport
from plugineval.harness.rendering.ablation_figure import ablation_figure
from plugineval.harness.rendering.ablation_tables import ablation_notes, ablation_sentences, ablation_tables
from plugineval.harness.statistics.pairs import exact_mcnemar
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.config import BuildConfig, FilterConfig, VerificationConfig

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P66")]


def numbers(size: int, **said: object) -> BuildConfig:
    stage_one = VerificationConfig(max_rounds=2, generators=2)
    filters = FilterConfig(near_duplicate=2)
    return BuildConfig.model_validate({"size": size, "verification": stage_one, "filters": filters, **said})


async def reported(rates: Rates, config: BuildConfig, *sweeps: str, plugins: int = 1) -> AblationReport:
    runs = await ablated(FaultyWorld(rates, config, plugins=plugins), [], sweeps)
    return ablation_report([list(runs.values())], "the script")


def named(report: AblationReport, name: str) -> VariantReport:
    return next(each for each in report.variants if each.name == name)


@pytest.mark.requirement("D11")
async def test_what_differs_is_paired_by_candidate_and_corrected_for_the_family() -> None:
    report = await reported(Rates(unsupported=0.3, recovery=0.5), numbers(80, negative_share=0))
    test = named(report, "no_content_validation").test("false_positive_rate")
    assert test is not None
    assert test.only_variant is not None
    assert test.p is not None
    assert (test.only_full, test.differs, test.needed) == (0, True, None)
    assert test.p == exact_mcnemar(0, test.only_variant)
    assert test.p_adjusted == pytest.approx(4 * test.p)
    assert test.rates is not None
    assert test.rates.excludes_zero
    assert test.low is not None
    assert test.low > 0
    assert test.says.startswith("raises the share of wrong gold let through by")


async def test_what_is_not_shown_says_so_with_the_size_that_would_settle_it() -> None:
    report = await reported(Rates(invalid=0.3, recovery=0.5), numbers(24, negative_share=0))
    test = named(report, "no_refinement").test("pass_rate")
    assert test is not None
    assert test.needed is not None
    assert test.delta is not None
    assert test.delta < 0
    assert not test.differs
    assert test.needed.with_power >= test.needed.settles > test.pairs
    assert f"{test.needed.settles} candidates would settle it" in test.says
    alike = named(report, "no_content_validation").test("false_positive_rate")
    assert alike is not None
    assert alike.needed is None
    assert re.search(r"no difference .* which would show one of \d+ points", alike.says)


@pytest.mark.requirement("D11", "P64")
async def test_where_stage_one_is_the_same_rates_are_compared_unpaired_by_newcombe() -> None:
    report = await reported(Rates(off_target=0.6), numbers(60, negative_share=0.3), plugins=3)
    once = named(report, "single_shot")
    test, off = once.test("pass_rate"), once.test("difficulty_deviation")
    assert test is not None
    assert "Newcombe" in test.method
    assert test.only_full is None
    assert off is not None
    assert f"seed {report.statistics.seed}" in off.method
    assert off.differs
    assert off.delta is not None
    assert off.delta > 0
    # A permutation test over units cannot say more than its units allow.
    assert off.p is not None
    assert off.p >= 2 / 2**off.pairs


@pytest.mark.requirement("P68")
async def test_a_point_of_a_sweep_that_is_another_variant_is_not_constructed_twice_and_is_its_own_family() -> None:
    report = await reported(Rates(invalid=0.3), numbers(40, negative_share=0), "M=1,2,3")
    same = {each.name: each.same_as for each in report.variants if each.same_as}
    assert same == {"M=1": "one_generator", "M=2": "full"}
    assert named(report, "M=2").tests == ()
    swept, alone = (named(report, name).test("pass_rate") for name in ("M=1", "one_generator"))
    assert swept is not None
    assert alone is not None
    assert swept.p == alone.p
    assert swept.p_adjusted is not None
    assert swept.p is not None
    assert swept.p <= swept.p_adjusted <= 2 * swept.p


@pytest.mark.requirement("P63", "D10")
async def test_every_measure_has_its_denominator_and_interval() -> None:
    report = await reported(Rates(invalid=0.4, recovery=0.5), numbers(30))
    full = named(report, "full")
    assert full.pass_rate == full.cumulative_pass_rate[-1]
    assert [each.denominator for each in full.cumulative_pass_rate] == [full.pass_rate.denominator] * 2
    assert full.pass_rate == Rate.of(full.pass_rate.numerator, full.pass_rate.denominator)
    assert full.coverage_multiple.value == full.units_covered / report.bases[0].units
    for score in (full.coverage_multiple, full.difficulty_deviation):
        assert score.value is not None
        assert score.low is not None
        assert score.high is not None
        assert score.low <= score.value <= score.high


@pytest.mark.requirement("P67")
async def test_the_same_over_one_to_eight_plugins() -> None:
    world = FaultyWorld(Rates(unsupported=0.4), numbers(16, negative_share=0.25), plugins=8)
    levels = [list((await ablated(world, ["no_content_validation"], plugins=count)).values()) for count in range(1, 9)]
    report = ablation_report(levels, "the script")
    assert [len(each.plugins) for each in report.variants] == [count for count in range(1, 9) for _ in range(2)]
    assert [len(base.plugins) for base in report.bases] == list(range(1, 9))
    for full, without in zip(report.variants[::2], report.variants[1::2], strict=True):
        assert (full.false_positive_rate.numerator, full.tests) == (0, ())
        assert without.false_positive_rate.numerator > 0
    titles = [table.title for table in ablation_tables(report) if table.key == "ablation"]
    assert titles[:2] == ["Variants on plugin1", "Variants on plugin1, plugin2"]
    assert len(titles) == 8
    assert "8 plugins: no_content_validation" in " ".join(ablation_sentences(report))


async def test_tables_and_notes_say_who_judged_and_what_is_left_out() -> None:
    report = await reported(Rates(unsupported=0.3), numbers(20))
    measures, differences, cost = ablation_tables(report)
    assert [row[0] for row in measures.rows] == [each.name for each in report.variants]
    assert [row[0] for row in differences.rows] == [each.name for each in report.variants[1:]]
    assert [row[1] for row in cost.rows][3] == "0"
    assert "judged by the script" in ablation_notes(report)[0]


async def test_the_figure_is_a_document_with_a_dot_for_every_measure_and_harmless_names() -> None:
    report = await reported(Rates(unsupported=0.3), numbers(12))
    first = report.variants[0].model_copy(update={"plugins": ("<script>",)})
    base = report.bases[0].model_copy(update={"plugins": ("<script>",)})
    drawn = ablation_figure(report.model_copy(update={"variants": (first,), "bases": (base,)}))
    root = ElementTree.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    assert "<script>" in [text.text for text in root.iter(f"{space}text")]
    assert list(root.iter(f"{space}script")) == []
    assert len(list(root.iter(f"{space}circle"))) == 4 + 2
    assert "full" in [text.text for text in root.iter(f"{space}text")]
