"""Arithmetic in a text: written with operators, or spelled ("twelve plus seven times two")."""

import ast
import re

from plugineval.clients.baseline.spotting.found import Found

FUNCTIONS = "sqrt|sin|cos|tan|asin|acos|atan|log10|log2|log|ln|exp|abs|factorial|floor|ceil|round|pow|pi"
_RUN = re.compile(rf"(?:\b(?:{FUNCTIONS})\b|\d+(?:\.\d+)?|[-+*/^%()×÷]|,(?=\s*\d)|\s)+")
_OPERATOR = re.compile(r"(?<=[\d)i])\s*(?:\*\*|[-+*/^%×÷])\s*(?=[\d(a-z+-])")
_CALL = re.compile(rf"\b(?:{FUNCTIONS})\s*\(")
_DATELIKE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}/\d{1,2}/\d{2,4}|\d+-\d+-\d+")
SPOKEN = {
    "plus": "+",
    "minus": "-",
    "times": "*",
    "multiplied by": "*",
    "divided by": "/",
    "to the power of": "**",
}


def expressions_in(text: str) -> list[Found]:
    """All expressions written with operators; lists of numbers, dates and paths are none."""
    found: list[Found] = []
    for run in _RUN.finditer(text):
        start = run.start()
        for piece in _split(run.group()):
            found.extend(_expression(piece, start))
            start += len(piece) + 1
    return found


def _split(run: str) -> list[str]:
    """Pieces of a run at commas outside brackets: "1+2, 3*4" holds two expressions."""
    pieces, depth, current = list[str](), 0, ""
    for char in run:
        depth += (char == "(") - (char == ")")
        if char == "," and depth <= 0:
            pieces.append(current)
            current = ""
        else:
            current += char
    return [*pieces, current]


def _expression(piece: str, start: int) -> list[Found]:
    text = piece.strip().rstrip("-+*/^%×÷ ").lstrip("*/^%×÷) ")
    if not (_OPERATOR.search(text) or _CALL.search(text)) or _DATELIKE.fullmatch(text) or not parses(text):
        return []
    at = start + piece.index(text)
    return [Found(text, at, at + len(text), "expression in the text")]


def parses(expression: str) -> bool:
    """Whether `expression` is well-formed arithmetic."""
    plain = expression.replace("^", "**").replace("×", "*").replace("÷", "/")
    try:
        ast.parse(plain, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def spoken_in(text: str, numbers: list[Found]) -> list[Found]:
    """Expressions spelled with operator words between numbers."""
    found: list[Found] = []
    chain: list[Found] = []
    formula = ""
    for number in numbers:
        sign = SPOKEN.get(" ".join(text[chain[-1].end : number.start].lower().split())) if chain else None
        if sign:
            chain.append(number)
            formula += f" {sign} {number.value}"
            continue
        found.extend(_spoken(chain, formula))
        chain, formula = [number], str(number.value)
    return found + _spoken(chain, formula)


def _spoken(chain: list[Found], formula: str) -> list[Found]:
    if len(chain) < 2:
        return []
    return [Found(formula, chain[0].start, chain[-1].end, "expression spelled in words")]
