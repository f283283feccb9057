"""Requests that need no tool: talk, taste, writing. The nearer to a tool's subject, the harder to see through."""

from plugineval.clients.baseline.words import each_phrase
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.pccf.examples import Difficulty

_THINGS = each_phrase(
    "a rainy Sunday|my grandmother's garden|the first day of school|a lazy cat|old books|moving to a new town"
    "|a lost umbrella|early mornings|the last train home|homemade soup|a long winter|two rival bakers|being left-handed"
    "|a forgotten password|learning to swim|a quiet library|the neighbours' band|autumn leaves|an unlucky fisherman"
)
_PEOPLE = each_phrase(
    "my sister|my old teacher|our choir|my roommate|a nervous cousin|my grandfather|our book club|the new neighbour"
    "|my coach|a friend who moved away|our youngest colleague"
)
_FAR = (
    "Write me a short poem about {thing} for {person}.",
    "Tell me a joke about {thing} that would make {person} laugh.",
    "What do you think about {thing}? I argued about it with {person}.",
    "Make up a bedtime story about {thing}, starring {person}.",
    "Give me a friendly opening line for a letter to {person} about {thing}.",
    "I could use a pep talk: {thing} is on my mind, and {person} is no help.",
    "Brainstorm some song titles about {thing} for {person}.",
    "Help me find a cheerful slogan about {thing} that suits {person}.",
)
_NEAR = (
    "Write a short poem about {subject} for {person}.",
    "Tell me a joke about {subject} that {person} would get.",
    "What do you think makes {subject} so dull to talk about with {person}?",
    "Make up a story in which {subject} saves the day for {person}.",
    "Brainstorm some titles for a talk about {subject}, the wittier the better, to amuse {person}.",
    "Draft a cheerful toast to {person}, who likes {subject}.",
    "Give me an opening line for an essay about {subject} and {thing}.",
    "Write a limerick that mentions {subject} and {thing}.",
)
_CLOSE = (
    "In your own words, why would {person} want to {act}?",
    "Explain to {person}, without doing it, what it means to {act}.",
    "What do people like {person} usually get wrong when they {act}? Your opinion is enough.",
    "Do you think it is worth learning to {act} by hand, as {person} did?",
    "Why do people {act} at all? Just tell me what you think; {person} asked me.",
    "Explain what {subject} is good for, in one paragraph, for somebody who loves {thing}.",
    "Do you think {subject} would make a good topic for a story about {thing}?",
    "Explain to {person}, who cares about {thing}, what the point of {subject} is.",
)


def everyday(subject: str, act: str | None, difficulty: Difficulty, draw: Draw) -> str:
    """A request without any need of a tool; `act` is the tool's imperative, where it has one."""
    frames = {Difficulty.EASY: _FAR, Difficulty.MEDIUM: _NEAR, Difficulty.HARD: _CLOSE}[difficulty]
    usable = [frame for frame in frames if act is not None or "{act}" not in frame]
    return draw.pick(usable, "frame").format(
        subject=subject, act=act or "", thing=draw.pick(_THINGS, "thing"), person=draw.pick(_PEOPLE, "person")
    )
