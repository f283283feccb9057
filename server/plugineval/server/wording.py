"""Numbers with their nouns, as people read them."""


def counted(number: int, noun: str) -> str:
    """`1 tool`, `2 tools`; `noun` takes an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def tallied(numbers: dict[str, int]) -> str:
    """`easy 3, hard 1`: what is not nought."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items() if number) or "none"
