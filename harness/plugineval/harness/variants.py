"""Variants of tool descriptions as an arm of the matrix: what rewording can buy, beside what a model can buy (X7).

A variant changes descriptions and nothing else. Its cases keep their ids, gold and schemas, so a case under a variant
is paired with the same case under the published descriptions; every model sees the same bytes of each variant (B8).
"""

from collections.abc import Iterable, Iterator, Sequence

from pydantic import Field

from plugineval.harness.cases import Case, toolsets_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.nearest import meant
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value

PUBLISHED = ""
"""The name of the descriptions as the plugins publish them."""


class DescriptionVariant(Value):
    """A named set of new descriptions; tools that it does not name keep theirs."""

    name: str = Field(min_length=1)
    descriptions: dict[str, str] = Field(min_length=1)
    """Offered name of a tool -> its description under this variant."""


def varied_toolset(toolset: Toolset, variant: DescriptionVariant) -> Toolset:
    """The toolset with the variant's descriptions; a tool that is not in it is no concern of this toolset."""
    new = variant.descriptions
    tools = [
        tool.model_copy(update={"description": new[tool.offered_name]}) if tool.offered_name in new else tool
        for tool in toolset.tools
    ]
    return toolset.model_copy(update={"tools": tuple(tools)})


def with_variants(cases: Sequence[Case], variants: Sequence[DescriptionVariant]) -> Sequence[Case]:
    """`cases` as they are, then once more under every variant that changes their tools.

    Cases that share a toolset still do afterwards; one whose tools a variant leaves alone is not asked again.

    `ConfigurationError` for a name that is used twice, a tool that no case offers, and a variant that changes nothing.
    """
    if not variants:
        return cases
    _check(cases, variants)
    return [*cases, *(case for variant in variants for case in _varied(cases, variant))]


def _varied(cases: Iterable[Case], variant: DescriptionVariant) -> Iterator[Case]:
    made: dict[int, Toolset] = {}
    for case in cases:
        key = id(case.toolset)
        if key not in made:
            made[key] = varied_toolset(case.toolset, variant)
        if made[key].content_hash != case.toolset.content_hash:
            yield case.model_copy(update={"toolset": made[key], "variant": variant.name})


def _check(cases: Sequence[Case], variants: Sequence[DescriptionVariant]) -> None:
    names = [variant.name for variant in variants]
    if len(set(names)) < len(names):
        raise ConfigurationError("two variants have the same name", field="variants", allowed=sorted(set(names)))
    published = {(tool.offered_name, tool.description) for toolset in toolsets_of(cases) for tool in toolset.tools}
    known = {name for name, _ in published}
    for variant in variants:
        unknown = sorted(variant.descriptions.keys() - known)
        if unknown:
            problem = f"no case offers the tool {unknown[0]!r}{meant(unknown[0], sorted(known))}"
            raise ConfigurationError(problem, field=f"variant {variant.name}", allowed=sorted(known))
        if published >= set(variant.descriptions.items()):
            raise ConfigurationError("it changes no description", field=f"variant {variant.name}")
