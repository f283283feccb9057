"""One file per kind of value, each with a function `decide(gold, predicted, place) -> Ruling | None`."""
