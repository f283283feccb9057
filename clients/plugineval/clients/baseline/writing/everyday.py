"""Requests that need no tool: talk, taste, writing. The nearer to a tool's subject, the harder to see through."""

from plugineval.clients.baseline.words import each_phrase
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.pccf.examples import Difficulty

_THINGS = each_phrase(
    "a rainy Sunday|my grandmother's garden|the first day of school|a lazy cat|old books|moving to a new town"
    "|a lost umbrella|early mornings|the last train home|homemade soup|a long winter|two rival bakers|being left-handed"
    "|a forgotten password|learning to swim|a quiet library|the neighbours' band|autumn leaves"
)
_FAR = (
    "Write me a short poem about {thing}.",
    "Tell me a joke about {thing}.",
    "What do you think about {thing}?",
    "Make up a bedtime story about {thing}, please.",
    "Give me a friendly opening line for a letter about {thing}.",
    "I could use a pep talk, and {thing} is on my mind.",
    "Brainstorm some song titles about {thing}.",
    "Help me find a cheerful slogan about {thing}.",
)
_NEAR = (
    "Write a short poem about {subject}.",
    "Tell me a joke about {subject}.",
    "What do you think makes {subject} so dull to talk about?",
    "Make up a story in which {subject} saves the day.",
    "Brainstorm some titles for a talk about {subject}, the wittier the better.",
    "Draft a cheerful toast to everyone who likes {subject}.",
    "Give me an opening line for an essay about {subject} and {thing}.",
    "Write a limerick that mentions {subject} and {thing}.",
)
_CLOSE = (
    "In your own words, why would anyone want to {act}?",
    "Explain to a child, without doing it, what it means to {act}.",
    "What do people usually get wrong when they {act}? Your opinion is enough.",
    "Do you think it is worth learning to {act} by hand?",
    "Why do people {act} at all? Just tell me what you think.",
    "Explain what {subject} is good for, in one paragraph, for somebody who loves {thing}.",
    "Do you think {subject} would make a good topic for a story about {thing}?",
    "Explain to my aunt, who cares about {thing}, what the point of {subject} is.",
)


def everyday(subject: str, act: str | None, difficulty: Difficulty, draw: Draw) -> str:
    """A request without any need of a tool; `act` is the tool's imperative, where it has one."""
    frames = {Difficulty.EASY: _FAR, Difficulty.MEDIUM: _NEAR, Difficulty.HARD: _CLOSE}[difficulty]
    usable = [frame for frame in frames if act is not None or "{act}" not in frame]
    return draw.pick(usable, "frame").format(subject=subject, act=act or "", thing=draw.pick(_THINGS, "thing"))
