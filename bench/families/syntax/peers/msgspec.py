"""msgspec: JSON with a Struct for each shape, so that the types of all fields are checked as it reads."""

from __future__ import annotations

from typing import Any

import msgspec

from bench.families.syntax import attributes, forms, work
from bench.harness import Task


class Address(msgspec.Struct):
    street: str
    postal_code: str
    town: str


class Profile(msgspec.Struct):
    name: str
    job_title: str
    country: str
    address: Address
    page: str


class Presence(msgspec.Struct):
    sender: str
    recipient: str
    show: str
    priority: int


class Chat(msgspec.Struct):
    sender: str
    recipient: str
    number: int
    body: str


class Target(msgspec.Struct):
    kind: str
    content: str
    content_type: str


class Rule(msgspec.Struct):
    action: str
    subject: str


class Activity(msgspec.Struct):
    sender: str
    verb: str
    title: str
    published: int
    visible: bool
    object: Target
    rules: list[Rule]


class Point(msgspec.Struct):
    x: int
    y: int


class Tiny(msgspec.Struct):
    samples: list[int]
    letters: list[str]
    points: list[Point]


class Nested(msgspec.Struct, omit_defaults=True):
    author: str
    text: str
    reply: Nested | None = None


class Packet(msgspec.Struct):
    """msgspec encodes `bytes` as base64."""

    sender: str
    recipient: str
    name: str
    content_type: str
    payload: bytes


SHAPES: dict[str, type[msgspec.Struct]] = {
    "profile": Profile,
    "presence": Presence,
    "chat": Chat,
    "activity": Activity,
    "tiny": Tiny,
    "nested": Nested,
}
ENCODE = msgspec.json.Encoder().encode
DECODE_PACKET = msgspec.json.Decoder(Packet).decode


def parse(path: str) -> Task:
    """Decode a message to a Struct, and read each of its fields."""
    encoded, shape = forms.contents(path, ".json"), forms.message_of(path).shape
    decode, read = msgspec.json.Decoder(SHAPES[shape]).decode, attributes.READERS[shape]
    return work.of_message(lambda: read(decode(encoded)))


def render(path: str) -> Task:
    """Convert a message from a dict to a Struct, which checks it, and write it."""
    message = forms.message_of(path)
    value, struct, read = message.value, SHAPES[message.shape], attributes.READERS[message.shape]
    convert = msgspec.convert
    decode = msgspec.json.Decoder(struct).decode
    return work.of_message(lambda: ENCODE(convert(value, struct)), lambda encoded: read(decode(encoded)))


def render_unchecked(path: str) -> Task:
    """Write a message that is a dict, without checking it."""
    message = forms.message_of(path)
    value, read = message.value, attributes.READERS[message.shape]
    decode = msgspec.json.Decoder(SHAPES[message.shape]).decode
    return work.of_message(lambda: ENCODE(value), lambda encoded: read(decode(encoded)))


def read_packet(packet: Any) -> tuple[object, ...]:
    """Read all fields of a packet."""
    return (packet.sender, packet.recipient, packet.name, packet.content_type, packet.payload)


def parse_packet(path: str) -> Task:
    """Read a packet."""
    encoded = forms.contents(path, ".json")
    return work.of_packet(lambda: read_packet(DECODE_PACKET(encoded)))


def render_packet(path: str) -> Task:
    """Write a packet."""
    value = forms.packet_of(path)
    return work.of_packet(
        lambda: ENCODE(msgspec.convert(value, Packet)), lambda encoded: read_packet(DECODE_PACKET(encoded))
    )
