"""What starts a job. Parameters are stored with the job, so that a resumed job is the same job."""

from pathlib import Path

from pydantic import AwareDatetime, Field

from plugineval.clients.recorded.config import RecordedConfig
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.gradings import FIRST, NO_JUDGE
from plugineval.harness.policies import ExtraCalls
from plugineval.harness.variants import DescriptionVariant
from plugineval.pccf.ablations.truth import GoldVerdict
from plugineval.pccf.ablations.variants import Sweep
from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.examples import Query
from plugineval.pccf.revisions import Revision
from plugineval.pccf.values import Value
from plugineval.pccf.verification.slow_clocks import APART_S, LONGEST_APART_S
from plugineval.server.catalogs.given import GivenCatalog
from plugineval.server.settings.roles import Roles


class BuildParams(Value):
    """Construct a benchmark on registered plugins."""

    plugins: tuple[str, ...] = Field(min_length=1)
    name: str
    config: BuildConfig = BuildConfig()
    catalog: GivenCatalog | None = None
    """Scenarios that a person gave or edited; None: the writer derives them."""
    seeds: tuple[Query, ...] = ()
    """Real queries, examined before anything is written."""
    preflight: bool = True
    """Whether every model behind an endpoint is asked one question first."""
    roles: Roles | None = None
    """Who plays what where workers run it; None: what the settings of this process say."""
    continues: str | None = None
    """Id of the benchmark in which a limit had ended this build: going on makes the version after it."""


class ScenariosParams(Value):
    """Derive the scenarios of registered plugins, and build nothing."""

    plugins: tuple[str, ...] = Field(min_length=1)
    config: BuildConfig = BuildConfig()
    roles: Roles | None = None
    """As of a build."""


class AblateParams(BuildParams):
    """Construct on registered plugins again and again, with one component left out each time; no benchmark is kept."""

    name: str = "ablation"
    variants: tuple[str, ...] = ()
    """By name; none: all of them."""
    sweeps: tuple[Sweep, ...] = ()
    plugins_from: int | None = None
    """With how many of the plugins to begin; None: all of them at once."""
    verdicts: tuple[GoldVerdict, ...] = ()
    """What people say of accepted gold."""


class GradingWishes(Value):
    """What was said about grading on top of the settings; None comes from them."""

    judge: str | None = None
    """A chat model, or `none`."""
    checks: tuple[Path, ...] = ()
    """Files of semantic checks. They are a person's own code: only the command line names any."""
    extra_calls: ExtraCalls | None = None


class RunWishes(Value):
    """What was said about one run on top of the settings; None comes from them."""

    models: tuple[str, ...] = ()
    repeats: int | None = Field(default=None, ge=1)
    concurrency: int | None = Field(default=None, ge=1)
    base_url: str | None = None
    variants: tuple[DescriptionVariant, ...] = ()
    grading: GradingWishes = GradingWishes()
    preflight: bool = True
    """Whether every model behind an endpoint is asked one question first."""
    baseline: str | None = None
    """The run that this one is compared with when it has ended."""
    limits: BuildLimits = BuildLimits()
    """Of what the models under test and the judge are asked, in all processes together."""


class GradingParams(Value):
    """Who helps to grade, as it was decided when the job was planned."""

    judge: str = NO_JUDGE
    checks: tuple[Path, ...] = ()


class EvaluateParams(Value):
    """Measure the models of a stored run on its cases."""

    run_id: str
    base_url: str | None = None
    """Only a person at the command line sets it; an agent selects registered models."""
    refused_cases: int = Field(default=0, ge=0)
    """Lines of a cases file that the run does not hold."""
    grading: GradingParams = GradingParams()
    preflight: bool = True
    recordings: tuple[RecordedConfig, ...] = ()
    """The recorded models among them, and the judge where it is one."""
    baseline: str | None = None
    """The run that this one is compared with when it has ended."""
    limits: BuildLimits = BuildLimits()


class GoldFile(Value):
    """A file of revised gold, with the hash of the bytes that were read when the job was planned."""

    path: Path
    content_hash: str


class RegradeParams(Value):
    """Grade the stored attempts of a run again, beside the gradings it has."""

    of_run: str
    grading_id: str
    at: AwareDatetime
    grading: GradingParams = GradingParams()
    policy: GradingPolicy = GradingPolicy()
    gold: GoldFile | None = None
    gold_of: str | None = None
    """A benchmark whose gold counts in place of the run's, usually a newer version of the one that was measured."""
    against: str = FIRST
    """The grading that the new one is laid beside."""
    base_url: str | None = None
    preflight: bool = True
    """Whether a judge behind an endpoint is asked one question first."""
    recordings: tuple[RecordedConfig, ...] = ()


class ReviseParams(Value):
    """Make the next version of a benchmark with revised gold."""

    benchmark_id: str
    revisions: tuple[Revision, ...] = Field(min_length=1)
    note: str = ""


class RecalibrateParams(Value):
    """Make the next version of a benchmark with the difficulties that another router shows (D9)."""

    benchmark_id: str
    router: str
    runs: int = Field(ge=1)
    note: str = ""


class VerifyParams(Value):
    """Execute the gold calls of a stored benchmark again."""

    benchmark_id: str
    concurrency: int = Field(default=8, ge=1)
    apart_s: float = Field(default=APART_S, ge=0, le=LONGEST_APART_S)
    """Between two looks at a result that differs; 0: nobody looks later."""
