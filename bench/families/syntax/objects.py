"""The operations of a JSON library. Called by the peers for JSON.

`loads` creates Python values of all fields, so `parse` is done when it returns. `parse_each` also takes each field out
of its dict, as a program does, and as the readers of derlib and XML do.
"""

import binascii
from collections.abc import Callable
from typing import Any

from bench.families.syntax import forms, work
from bench.harness import Task

Values = tuple[object, ...]


def profile(found: Any) -> Values:
    """Take all fields of a user profile."""
    address = found["address"]
    return (
        found["name"],
        found["job_title"],
        found["country"],
        address["street"],
        address["postal_code"],
        address["town"],
        found["page"],
    )


def presence(found: Any) -> Values:
    """Take all fields of a presence packet."""
    return (found["sender"], found["recipient"], found["show"], found["priority"])


def chat(found: Any) -> Values:
    """Take all fields of a chat message."""
    return (found["sender"], found["recipient"], found["number"], found["body"])


def activity(found: Any) -> Values:
    """Take all fields of an activity."""
    target = found["object"]
    return (
        found["sender"],
        found["verb"],
        found["title"],
        found["published"],
        found["visible"],
        target["kind"],
        target["content"],
        target["content_type"],
        [(rule["action"], rule["subject"]) for rule in found["rules"]],
    )


def tiny(found: Any) -> Values:
    """Take all the small fields; lists of single values stay lists."""
    return (found["samples"], found["letters"], [(point["x"], point["y"]) for point in found["points"]])


def nested(found: Any) -> Values:
    """Take all replies, from the outermost to the innermost."""
    taken: list[str] = []
    while found is not None:
        taken += (found["author"], found["text"])
        found = found.get("reply")
    return tuple(taken)


READERS: dict[str, Callable[[Any], Values]] = {
    "profile": profile,
    "presence": presence,
    "chat": chat,
    "activity": activity,
    "tiny": tiny,
    "nested": nested,
}


class Objects:
    """The operations, from a library's functions that decode and encode."""

    def __init__(self, loads: Callable[[bytes], Any], dumps: Callable[[Any], bytes]) -> None:
        self.loads = loads
        self.dumps = dumps

    def parse(self, path: str) -> Task:
        """Parse a message to Python values."""
        encoded, loads = forms.contents(path, ".json"), self.loads
        return work.of_message(lambda: loads(encoded))

    def parse_each(self, path: str) -> Task:
        """Parse a message, and take each of its fields."""
        encoded, loads, read = forms.contents(path, ".json"), self.loads, READERS[forms.message_of(path).shape]
        return work.of_message(lambda: read(loads(encoded)))

    def render(self, path: str) -> Task:
        """Write a message that is a dict."""
        value, dumps = forms.message_of(path).value, self.dumps
        return work.of_message(lambda: dumps(value), self.loads)

    def packet(self, encoded: bytes) -> Values:
        """Return all fields of a packet, its payload decoded from base64."""
        found = self.loads(encoded)
        payload = binascii.a2b_base64(found["payload"])
        return (found["sender"], found["recipient"], found["name"], found["content_type"], payload)

    def parse_packet(self, path: str) -> Task:
        """Read a packet."""
        encoded = forms.contents(path, ".json")
        return work.of_packet(lambda: self.packet(encoded))

    def parse_packet_only(self, path: str) -> Task:
        """Read a packet, and leave its payload in base64."""
        encoded, loads = forms.contents(path, ".json"), self.loads
        return Task(lambda: loads(encoded))

    def render_packet(self, path: str) -> Task:
        """Write a packet."""
        value, dumps = forms.packet_of(path), self.dumps
        payload = value.pop("payload")

        def call() -> bytes:
            return dumps({**value, "payload": binascii.b2a_base64(payload, newline=False).decode("ascii")})

        return work.of_packet(call, self.packet)
