"""Python itself: `bytes.find` looks at each byte of a message once, for one that is absent."""

from bench.families.syntax import forms
from bench.harness import Task, Unavailable


def absent(encoded: bytes) -> bytes:
    """Return a byte that is not in a message."""
    for value in range(255, -1, -1):
        if bytes((value,)) not in encoded:
            return bytes((value,))
    raise Unavailable("the message has every byte there is")


def scan(path: str) -> Task:
    """Search the DER of a message."""
    encoded = forms.contents(path)
    sought = absent(encoded)
    return Task(lambda: encoded.find(sought))
