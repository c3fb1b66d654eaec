"""The messages as schemas of derlib, and how to read a packet. Called by forms.py and by derlib's peer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import derlib
from bench.families.syntax import attributes
from bench.families.syntax.attributes import Values
from derlib import Sequence, SequenceOf


class Address(Sequence):
    """An address."""

    street: str
    postal_code: str
    town: str


class Profile(Sequence):
    """A user profile."""

    name: str
    job_title: str
    country: str
    address: Address
    page: str


class Presence(Sequence):
    """The presence of a person."""

    sender: str
    recipient: str
    show: str
    priority: int


class Chat(Sequence):
    """A message from one person to another."""

    sender: str
    recipient: str
    number: int
    body: str


class Target(Sequence):
    """The object of an activity."""

    kind: str
    content: str
    content_type: str


class Rule(Sequence):
    """The permissions of an activity."""

    action: str
    subject: str


class Activity(Sequence):
    """An activity of a person."""

    sender: str
    verb: str
    title: str
    published: int
    visible: bool
    object: Target
    rules: SequenceOf[Rule]


class Point(Sequence):
    """Two small numbers."""

    x: int
    y: int


class Tiny(Sequence):
    """Many small values."""

    samples: SequenceOf[int]
    letters: SequenceOf[str]
    points: SequenceOf[Point]


class Nested(Sequence):
    """A reply, which can contain another reply."""

    author: str
    text: str
    reply: Nested | None = None


class Packet(Sequence):
    """A packet with a file and its sender."""

    sender: str
    recipient: str
    name: str
    content_type: str
    payload: bytes


def read_packet(packet: Packet) -> Values:
    """Read all fields, the payload as a view of the input."""
    return (packet.sender, packet.recipient, packet.name, packet.content_type, packet.raw("payload"))


def read_packet_and_copy(packet: Packet) -> Values:
    """Read all fields, the payload as `bytes`."""
    return (packet.sender, packet.recipient, packet.name, packet.content_type, packet.payload)


SHAPES: dict[str, type[Sequence]] = {
    "profile": Profile,
    "presence": Presence,
    "chat": Chat,
    "activity": Activity,
    "tiny": Tiny,
    "nested": Nested,
    "packet": Packet,
}
READERS: dict[str, Callable[[Any], Values]] = {**attributes.READERS, "packet": read_packet}


def encode(value: dict[str, Any], shape: str) -> bytes:
    """Return the DER of a message."""
    return derlib.encode(value, SHAPES[shape])
