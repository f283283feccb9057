"""Text of plugins and of other people's files, made harmless for a terminal: no control or direction characters."""


def printable(text: str) -> str:
    """`text` with every character that a terminal would obey, except line ends, replaced by `?`."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
