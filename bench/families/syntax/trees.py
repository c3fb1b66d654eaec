"""The operations of an XML library with the elements of ElementTree. Called by the peers for XML.

Each field is an element, in the order of the fields. The readers take children by position and ignore their names; an
XML reader that checks them takes longer.
"""

import binascii
from collections.abc import Callable
from typing import Any

from bench.families.syntax import elements, forms, work
from bench.harness import Task

Values = tuple[object, ...]


def profile(root: Any) -> Values:
    """Read all fields of a user profile."""
    name, job_title, country, address, page = root
    street, postal_code, town = address
    return (name.text, job_title.text, country.text, street.text, postal_code.text, town.text, page.text)


def presence(root: Any) -> Values:
    """Read all fields of a presence packet."""
    sender, recipient, show, priority = root
    return (sender.text, recipient.text, show.text, int(priority.text))


def chat(root: Any) -> Values:
    """Read all fields of a chat message."""
    sender, recipient, number, body = root
    return (sender.text, recipient.text, int(number.text), body.text)


def activity(root: Any) -> Values:
    """Read all fields of an activity."""
    sender, verb, title, published, visible, target, rules = root
    kind, content, content_type = target
    return (
        sender.text,
        verb.text,
        title.text,
        int(published.text),
        visible.text == "true",
        kind.text,
        content.text,
        content_type.text,
        [(action.text, subject.text) for action, subject in rules],
    )


def tiny(root: Any) -> Values:
    """Read all the small fields."""
    samples, letters, points = root
    return (
        [int(one.text) for one in samples],
        [one.text for one in letters],
        [(int(x.text), int(y.text)) for x, y in points],
    )


def nested(root: Any) -> Values:
    """Read all replies, from the outermost to the innermost."""
    found: list[str] = []
    while root is not None:
        author, text, *rest = root
        found += (author.text, text.text)
        root = rest[0] if rest else None
    return tuple(found)


def packet(root: Any) -> Values:
    """Read a packet, its payload as bytes."""
    sender, recipient, name, content_type, payload = root
    return (sender.text, recipient.text, name.text, content_type.text, binascii.a2b_base64(payload.text))


READERS: dict[str, Callable[[Any], Values]] = {
    "profile": profile,
    "presence": presence,
    "chat": chat,
    "activity": activity,
    "tiny": tiny,
    "nested": nested,
    "packet": packet,
}


class Trees:
    """The operations, by the functions of a library: bytes to root, root to bytes, and those that make elements."""

    def __init__(
        self,
        fromstring: Callable[[bytes], Any],
        tostring: Callable[[Any], bytes],
        element: Callable[[str], Any],
        child: Callable[[Any, str], Any],
    ) -> None:
        self.fromstring = fromstring
        self.tostring = tostring
        self.element = element
        self.child = child

    def parse(self, path: str) -> Task:
        """Parse a message to a tree, and read all its fields as Python values."""
        encoded, fromstring, read = forms.contents(path, ".xml"), self.fromstring, READERS[forms.message_of(path).shape]
        return work.of_message(lambda: read(fromstring(encoded)))

    def render(self, path: str) -> Task:
        """Convert a message from a dict to a tree, and write it."""
        message, read = forms.message_of(path), READERS[forms.message_of(path).shape]
        return work.of_message(lambda: self.written(message.value), lambda encoded: read(self.fromstring(encoded)))

    def written(self, value: dict[str, Any]) -> bytes:
        """Return the XML of a dict."""
        return self.tostring(elements.build(value, self.element, self.child))

    def parse_packet(self, path: str) -> Task:
        """Read a packet."""
        encoded, fromstring = forms.contents(path, ".xml"), self.fromstring
        return work.of_packet(lambda: packet(fromstring(encoded)))

    def render_packet(self, path: str) -> Task:
        """Write a packet."""
        value = forms.packet_of(path)
        payload = value.pop("payload")

        def call() -> bytes:
            return self.written({**value, "payload": binascii.b2a_base64(payload, newline=False).decode("ascii")})

        return work.of_packet(call, lambda encoded: packet(self.fromstring(encoded)))
