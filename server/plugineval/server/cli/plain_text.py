"""Text of plugins and of other people's files, made harmless for a terminal: no control or direction characters."""


def one_line(text: str) -> str:
    """`text` on a line of its own, which nothing in it can end: words of others must not look like ours."""
    return printable(text.replace("\n", "?"))


def printable(text: str) -> str:
    """`text` with every character that a terminal would obey, except line ends, replaced by `?`."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
