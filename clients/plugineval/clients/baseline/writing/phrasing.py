"""Fillings as the words of a person: a request, its details in one of several styles, sometimes a reason."""

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.fillings import Filling
from plugineval.clients.baseline.writing.requests import Request, plural

_VERB_FRAMES = (
    "Please {act}{details}.",
    "Can you {act}{details}?",
    "Could you {act}{details}, please?",
    "I need you to {act}{details}.",
    "I'd like you to {act}{details}.",
    "Would you {act}{details} for me?",
    "Go ahead and {act}{details}.",
    "{Act}{details}.",
    "{Act}{details}, please.",
    "It would help me if you could {act}{details}.",
)
_THING_FRAMES = (
    "I need help with {act}{details}.",
    "Can you help me with {act}{details}?",
    "Please take care of {act}{details}.",
    "I have a question about {act}{details}.",
    "Could you do some {act}{details}, please?",
    "{Act}{details}, please.",
    "I'm after {act}{details}.",
    "Would you handle {act}{details} for me?",
)
REASONS = (
    "I'm getting a handover note ready.",
    "My colleague asked me about this over lunch.",
    "This is for the slides I'm finishing.",
    "We're sitting in a meeting and nobody knows.",
    "I promised a client an answer.",
    "I'm double-checking someone else's work.",
    "I'm helping my daughter with homework.",
    "Just tidying up before the weekend.",
    "I'm new here and still finding my way around.",
    "Our auditor is waiting for it.",
    "I keep getting this wrong by hand.",
    "The dashboard looks odd to me.",
    "I'm writing it down in the log book.",
    "It's for a blog post I'm editing.",
    "I want to be sure before I answer the mail.",
    "We had a bet about it.",
)
_QUANTITIES = frozenset({"value", "amount", "quantity", "number", "x"})


def phrase(request: Request, fillings: tuple[Filling, ...], draw: Draw) -> str:
    """One sentence or a few, as asked by a person."""
    said = [each for each in fillings if each.text is not None and not _in_the_act(each, request)]
    style = draw.number(0, 3, "style")
    details, after = _details(said, style)
    frame = draw.pick(_VERB_FRAMES if request.verb else _THING_FRAMES, "frame")
    text = frame.format(act=request.act, Act=_capital(request.act), details=details)
    reason = draw.pick(REASONS, "reason") if draw.number(0, 2, "with reason") == 0 else ""
    return " ".join(part for part in (reason, text, after) if part)


def _in_the_act(filling: Filling, request: Request) -> bool:
    """The verb of the request says this choice already ("encode ...")."""
    return filling.argument.kind is Kind.CHOICE and request.verb and filling.text == request.act.split()[0]


def _details(said: list[Filling], style: int) -> tuple[str, str]:
    """The details inside the request, and the sentences after it."""
    if not said:
        return "", ""
    if style == 0:
        return "", " ".join(stated(each) for each in said)
    if style == 1:
        return ": " + "; ".join(f"{each.argument.label} {_marked(each)}" for each in said), ""
    if style == 2:
        return " with " + " and ".join(f"{each.argument.label} {_marked(each)}" for each in said), ""
    return " " + ", ".join(_flowing(said)), ""


def stated(filling: Filling) -> str:
    """A sentence of its own for one detail."""
    label = filling.argument.label
    return f"The {label} {'are' if plural(label) else 'is'} {_marked(filling)}."


def _flowing(said: list[Filling]) -> list[str]:
    """Prepositions instead of labels, where the kind or the role of an argument gives one."""
    ends = {each.argument.role: each for each in said if each.argument.role and _pairs(each.argument, said)}
    parts: list[str] = []
    used: list[Filling] = []
    if set(ends) == {"from", "to"}:
        amount = next((each for each in said if _quantity(each, ends["from"])), None)
        start = f"{_marked(amount)} {_marked(ends['from'])}" if amount else _marked(ends["from"])
        parts.append(f"from {start} to {_marked(ends['to'])}")
        used = [*ends.values(), *([amount] if amount else [])]
    rest = [each for each in said if each not in used]
    return parts + [_fragment(each, rest) for each in rest]


def _pairs(argument: Argument, said: list[Filling]) -> bool:
    same = [each for each in said if each.argument.kind is argument.kind and each.argument.role]
    return len(same) == 2


def _quantity(filling: Filling, start: Filling) -> bool:
    return filling.argument.kind.numeric and filling.argument.name in _QUANTITIES and start.argument.kind is Kind.UNIT


def _fragment(filling: Filling, rest: list[Filling]) -> str:
    argument, text = filling.argument, _marked(filling)
    alone = sum(each.argument.kind is argument.kind for each in rest) == 1
    if alone and argument.required:
        match argument.kind:
            case Kind.ZONE:
                return f"in {text}"
            case Kind.TIME:
                return f"at {text}"
            case Kind.ARRAY | Kind.EXPRESSION:
                return f"for {text}"
            case Kind.DATE if text[0].isdigit():
                return f"on {text}"
            case Kind.CHOICE:
                return f"using {text} as the {argument.label}"
            case _:
                pass
    return f"with the {argument.label} {text}"


def _marked(filling: Filling) -> str:
    """Free text in quotation marks, so that it is plain where it ends."""
    text = filling.text or ""
    item = filling.argument.item or filling.argument
    if filling.argument.kind is Kind.TEXT:
        return f'"{text}"'
    if (
        filling.argument.kind is Kind.ARRAY
        and item.kind in {Kind.TEXT, Kind.CHOICE}
        and isinstance(filling.value, list)
    ):
        return " and ".join(f'"{each}"' for each in filling.value)
    return text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
