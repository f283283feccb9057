"""The spellings in which models write calls into their text, one dialect a module; read only where that is allowed."""
