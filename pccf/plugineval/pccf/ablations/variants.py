"""The paper's ablations as variants of one configuration: each leaves one component out, or sets one number (P62-P68).

`full` is the configuration itself, with everything on. A variant differs from it in exactly one respect, so that what
differs in the results is what that respect is worth.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, get_args

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Value

Axis: TypeAlias = Literal["R", "M", "K"]
"""R: rounds of Stage I (`max_rounds`). M: generators. K: runs of the reference router (`calibration_runs`)."""

FULL = "full"


class Variant(Value):
    """One configuration to construct with."""

    name: str
    without: str = ""
    """What it leaves out or sets, for people; empty for the full pipeline."""
    config: BuildConfig
    axis: Axis | None = None
    """Which number a sweep sets here, and to what."""
    value: int | None = None


class Sweep(Value):
    """One number at several values, everything else as in the full pipeline (P68)."""

    axis: Axis
    values: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Sweep":
        """`R=1,2,3`; `ConfigurationError` where it is not written like that."""
        axis, equals, written = text.partition("=")
        name = next((each for each in get_args(Axis) if each == axis.strip().upper()), None)
        numbers = [part.strip() for part in written.split(",")]
        if name is None or not equals or not all(part.isdecimal() and int(part) for part in numbers):
            raise ConfigurationError(
                f"{text!r} is no sweep", field="sweep", allowed=("R=1,2,3", "M=1,2,3", "K=1,3,5,7")
            )
        return cls(axis=name, values=tuple(sorted({int(part) for part in numbers})))


def _stage_one(config: BuildConfig, **numbers: object) -> BuildConfig:
    return config.model_copy(update={"verification": config.verification.model_copy(update=numbers)})


_NAMED: dict[str, tuple[str, Callable[[BuildConfig], BuildConfig]]] = {
    "no_content_validation": (
        "no evaluator: what schema and execution let pass is gold",
        lambda config: _stage_one(config, content_validation=False),
    ),
    "no_refinement": ("one round of Stage I: R=1", lambda config: _stage_one(config, max_rounds=1)),
    "single_shot": (
        "no closed loop: everything is written once, nothing is strengthened",
        lambda config: config.model_copy(update={"closed_loop": False}),
    ),
    "one_generator": ("one generator: M=1", lambda config: _stage_one(config, generators=1)),
}

NAMES = (FULL, *_NAMED)
"""P62, P63, P64, P65, after the pipeline itself."""

_AXES: dict[Axis, Callable[[BuildConfig, int], BuildConfig]] = {
    "R": lambda config, value: _stage_one(config, max_rounds=value),
    "M": lambda config, value: _stage_one(config, generators=value),
    "K": lambda config, value: config.model_copy(update={"calibration_runs": value}),
}


def variants_of(config: BuildConfig, names: Iterable[str] = (), sweeps: Sequence[Sweep] = ()) -> tuple[Variant, ...]:
    """The full pipeline, then the named variants (all of them where none is named), then every point of the sweeps.

    Names may be written with hyphens; `UnknownNameError` for one there is not. A point of a sweep that is the full
    configuration is listed as well.
    """
    full = _stage_one(config, content_validation=True).model_copy(update={"closed_loop": True})
    wanted = [name.strip().lower().replace("-", "_") for name in names] or list(NAMES)
    for name in wanted:
        if name not in NAMES:
            raise UnknownNameError("variant", name, NAMES)
    found = [Variant(name=FULL, config=full)]
    for name, (without, change) in _NAMED.items():
        found += [Variant(name=name, without=without, config=change(full))] if name in wanted else []
    for sweep in sweeps:
        for value in sweep.values:
            name = f"{sweep.axis}={value}"
            changed = _AXES[sweep.axis](full, value)
            found.append(Variant(name=name, without=name, config=changed, axis=sweep.axis, value=value))
    return tuple({variant.name: variant for variant in found}.values())


def levels_of(plugins: Sequence[str], first: int | None) -> tuple[tuple[str, ...], ...]:
    """The nested beginnings of `plugins` from `first` of them to all (P67); all of them alone where `first` is None."""
    every = tuple(dict.fromkeys(plugins))
    if first is None:
        return (every,)
    if not 1 <= first <= len(every):
        raise ConfigurationError(
            f"cannot begin with {first} of {len(every)} plugins", field="plugins-from", allowed=(f"1 to {len(every)}",)
        )
    return tuple(every[:count] for count in range(first, len(every) + 1))
