"""The messages as schemas of derlib, and how to read all their fields. Called by forms.py and by derlib's peer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import derlib
from derlib import Sequence, SequenceOf

Values = tuple[object, ...]


class Address(Sequence):
    """Where somebody lives."""

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
    """Who is how available."""

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
    """What an activity is about."""

    kind: str
    content: str
    content_type: str


class Rule(Sequence):
    """Who may do what with an activity."""

    action: str
    subject: str


class Activity(Sequence):
    """What somebody did."""

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
    """A reply that may hold a reply."""

    author: str
    text: str
    reply: Nested | None = None


class Packet(Sequence):
    """A file, and who sends it."""

    sender: str
    recipient: str
    name: str
    content_type: str
    payload: bytes


def read_profile(profile: Profile) -> Values:
    """Read all fields."""
    address = profile.address
    return (
        profile.name,
        profile.job_title,
        profile.country,
        address.street,
        address.postal_code,
        address.town,
        profile.page,
    )


def read_presence(presence: Presence) -> Values:
    """Read all fields."""
    return (presence.sender, presence.recipient, presence.show, presence.priority)


def read_chat(chat: Chat) -> Values:
    """Read all fields."""
    return (chat.sender, chat.recipient, chat.number, chat.body)


def read_activity(activity: Activity) -> Values:
    """Read all fields."""
    target = activity.object
    return (
        activity.sender,
        activity.verb,
        activity.title,
        activity.published,
        activity.visible,
        target.kind,
        target.content,
        target.content_type,
        [(rule.action, rule.subject) for rule in activity.rules],
    )


def read_tiny(tiny: Tiny) -> Values:
    """Read all fields; a slice of a list makes all its values at once."""
    return (tiny.samples[:], tiny.letters[:], [(point.x, point.y) for point in tiny.points])


def read_nested(nested: Nested) -> Values:
    """Read all replies, from the outermost to the innermost."""
    found: list[str] = []
    reply: Nested | None = nested
    while reply is not None:
        found += (reply.author, reply.text)
        reply = reply.reply
    return tuple(found)


def read_packet(packet: Packet) -> Values:
    """Read all fields, the payload as a view of the octets where they stand."""
    return (packet.sender, packet.recipient, packet.name, packet.content_type, packet.raw("payload"))


def read_packet_and_copy(packet: Packet) -> Values:
    """Read all fields, the payload as `bytes` of their own."""
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
READERS: dict[str, Callable[[Any], Values]] = {
    "profile": read_profile,
    "presence": read_presence,
    "chat": read_chat,
    "activity": read_activity,
    "tiny": read_tiny,
    "nested": read_nested,
    "packet": read_packet,
}


def encode(value: dict[str, Any], shape: str) -> bytes:
    """The DER of a message."""
    return derlib.encode(value, SHAPES[shape])
