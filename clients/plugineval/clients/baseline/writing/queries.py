"""One query for a plan at a difficulty, or None where the tool admits none of that difficulty."""

from typing import NamedTuple

from plugineval.clients.baseline.arguments import arguments_of
from plugineval.clients.baseline.words import each_word
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.everyday import everyday
from plugineval.clients.baseline.writing.fillings import Filling, Pinned, fill
from plugineval.clients.baseline.writing.phrasing import REASONS, phrase, stated
from plugineval.clients.baseline.writing.plans import Plan, needed
from plugineval.clients.baseline.writing.requests import request_of
from plugineval.clients.baseline.writing.samples import HOSTS, PEOPLE
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

_VAGUE = {
    Difficulty.EASY: ("",),
    Difficulty.MEDIUM: (
        " You know which {label} I mean.",
        " The {label} as always.",
        " Same {label} as everybody takes.",
    ),
    Difficulty.HARD: (
        " Take the same {label} as last time.",
        " The {label} my boss told you about yesterday.",
        " For the {label} go with what we agreed on.",
    ),
}
_ASIDES = (
    "Yesterday it was about {subject}, today it is something else. {text}",
    "I know you have been busy with {subject}. {text}",
    "Enough of {subject} for now. {text}",
    "Once more, but this time not about {subject}. {text}",
)
_DECOYS = (
    "I don't want to {other} today. {text}",
    "Never mind my earlier wish to {other}. {text}",
    "My colleague will {other}; for me it's this: {text}",
    "Somebody else can {other}. {text}",
)


class Written(NamedTuple):
    """The words, the steps of inference that lead from them to the arguments, and whether they need the clock."""

    text: str
    steps: tuple[str, ...] = ()
    needs_clock: bool = False


def query_of(plan: Plan, tool: ToolSpec, toolset: Toolset, difficulty: Difficulty, draw: Draw) -> Written | None:
    """The query that `draw` decides."""
    match plan.scenario.kind:
        case ScenarioKind.TRIGGER:
            return _trigger(plan, tool, draw, difficulty.ordinal)
        case ScenarioKind.TYPE_A:
            request = request_of(tool)
            return Written(everyday(request.subject, request.act if request.verb else None, difficulty, draw))
        case ScenarioKind.TYPE_B:
            return _lookalike(plan, tool, toolset, difficulty, draw)
        case ScenarioKind.TYPE_C:
            return _beyond(plan, tool, difficulty, draw)
        case ScenarioKind.UNDERSPECIFIED:
            return _vague(plan, tool, difficulty, draw)


def _trigger(plan: Plan, tool: ToolSpec, draw: Draw, depth: int) -> Written | None:
    pinned: Pinned = {plan.choice.name: draw.pick(plan.values, "pinned")} if plan.choice else {}
    fillings = fill(plan.speaks_of, draw, depth, pinned)
    return None if fillings is None else said(tool, fillings, draw)


def said(tool: ToolSpec, fillings: tuple[Filling, ...], draw: Draw) -> Written:
    """A request for `tool` that says `fillings`."""
    steps = tuple(each.step for each in fillings if each.step is not None)
    clock = any(each.needs_clock for each in fillings)
    about = " ".join(f"{each.argument.label} {each.value}" for each in fillings)
    return Written(phrase(request_of(tool, about), fillings, draw), steps, clock)


def _lookalike(plan: Plan, tool: ToolSpec, toolset: Toolset, difficulty: Difficulty, draw: Draw) -> Written | None:
    """A request for the other tool; the harder, the more words of the target stand in it."""
    other = toolset.tool(plan.scenario.lookalike or "")
    fillings = fill(needed(arguments_of(other)), draw, 0, {})
    if fillings is None:
        return None
    written = said(other, fillings, draw)
    target = request_of(tool)
    if difficulty is Difficulty.EASY:
        return written
    if difficulty is Difficulty.MEDIUM:
        return written._replace(text=draw.pick(_ASIDES, "aside").format(subject=target.subject, text=written.text))
    return written._replace(text=wished_away(tool, written.text, draw))


def wished_away(tool: ToolSpec, text: str, draw: Draw) -> str:
    """`text` with a word about what `tool` does, which is not wanted."""
    target = request_of(tool)
    wish = target.act if target.verb else f"get help with {target.act}"
    return draw.pick(_DECOYS, "decoy").format(other=wish, text=text)


def _beyond(plan: Plan, tool: ToolSpec, difficulty: Difficulty, draw: Draw) -> Written | None:
    if plan.choice is not None:
        return None if difficulty is Difficulty.EASY else _out_of_range(plan, tool, draw)
    request = request_of(tool)
    fillings = fill(plan.speaks_of, draw, 0, {})
    act = request.act if request.verb else f"do {request.act}"
    details = ""
    if difficulty is Difficulty.HARD and fillings:
        details = " " + " ".join(stated(each) for each in fillings)
    sentence = draw.pick(plan.beyond, "sentence").format(
        act=act,
        subject=request.subject,
        person=f"{draw.pick(PEOPLE, 'person')}@{draw.pick(HOSTS, 'host')}",
        day=draw.pick(_DAYS, "day"),
        language=draw.pick(_LANGUAGES, "language"),
    )
    reason = draw.pick(REASONS, "reason") + " " if draw.number(0, 1, "with reason") else ""
    return Written(f"{reason}{sentence}{draw.pick(_CLOSINGS, 'closing')}{details}")


_CLOSINGS = (".", ", please.", ", if you can.", ", thanks.", " and let me know when it is done.")
_DAYS = each_word("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_LANGUAGES = each_word("Portuguese Finnish Swahili Korean Greek Dutch Turkish")


def _out_of_range(plan: Plan, tool: ToolSpec, draw: Draw) -> Written | None:
    pinned: Pinned = {} if plan.choice is None else {plan.choice.name: draw.pick(plan.values, "outside")}
    fillings = fill(plan.speaks_of, draw, 0, pinned)
    return None if fillings is None else said(tool, fillings, draw)


def _vague(plan: Plan, tool: ToolSpec, difficulty: Difficulty, draw: Draw) -> Written | None:
    fillings = fill(plan.speaks_of, draw, 0, {})
    if fillings is None or plan.withheld is None:
        return None
    written = said(tool, fillings, draw)
    return written._replace(
        text=written.text + draw.pick(_VAGUE[difficulty], "vague").format(label=plan.withheld.label)
    )
