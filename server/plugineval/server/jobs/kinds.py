"""Kind of job -> who runs it. A new kind of long work is one line here."""

from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext, Runners


async def _build(context: JobContext) -> Json:
    from plugineval.server.jobs.build import run_build

    return await run_build(context)


async def _evaluate(context: JobContext) -> Json:
    from plugineval.server.jobs.evaluate import run_evaluation

    return await run_evaluation(context)


async def _regrade(context: JobContext) -> Json:
    from plugineval.server.jobs.regrade import run_regrade

    return await run_regrade(context)


async def _revise(context: JobContext) -> Json:
    from plugineval.server.jobs.revise import run_revision

    return await run_revision(context)


async def _recalibrate(context: JobContext) -> Json:
    from plugineval.server.jobs.recalibrate import run_recalibration

    return await run_recalibration(context)


async def _scenarios(context: JobContext) -> Json:
    from plugineval.server.jobs.scenarios import run_scenarios

    return await run_scenarios(context)


async def _verify(context: JobContext) -> Json:
    from plugineval.server.jobs.verify import run_verification

    return await run_verification(context)


async def _ablate(context: JobContext) -> Json:
    from plugineval.server.jobs.ablate import run_ablation

    return await run_ablation(context)


async def _audit_reference(context: JobContext) -> Json:
    from plugineval.server.jobs.audit_reference import run_reference_audit

    return await run_reference_audit(context)


async def _audit_judge(context: JobContext) -> Json:
    from plugineval.server.jobs.audit_judge import run_judge_audit

    return await run_judge_audit(context)


RUNNERS: Runners = {
    "build": _build,
    "evaluate": _evaluate,
    "regrade": _regrade,
    "revise": _revise,
    "recalibrate": _recalibrate,
    "verify": _verify,
    "scenarios": _scenarios,
    "ablate": _ablate,
    "audit_reference": _audit_reference,
    "audit_judge": _audit_judge,
}
