"""derlib: validates the whole DER, then reads field by field."""

import derlib
from bench.families.syntax import forms, schema, work
from bench.harness import Task


def parse(path: str) -> Task:
    """Check a message, and read each of its fields as an attribute."""
    encoded, shape = forms.contents(path), forms.message_of(path).shape
    decode, read = schema.SHAPES[shape].decode, schema.READERS[shape]
    return work.of_message(lambda: read(decode(encoded)))


def parse_to_dict(path: str) -> Task:
    """Check a message, and convert it to plain Python data, as JSON libraries do."""
    encoded, decode = forms.contents(path), schema.SHAPES[forms.message_of(path).shape].decode
    return work.of_message(lambda: decode(encoded).to_native())


def check(path: str) -> Task:
    """Check a message, and read nothing."""
    encoded, decode = forms.contents(path), schema.SHAPES[forms.message_of(path).shape].decode
    return Task(lambda: decode(encoded))


def render(path: str) -> Task:
    """Write a message that is a dict, checking it."""
    message = forms.message_of(path)
    value, schema_class, read = message.value, schema.SHAPES[message.shape], schema.READERS[message.shape]
    encode = derlib.encode
    return work.of_message(lambda: encode(value, schema_class), lambda encoded: read(schema_class.decode(encoded)))


def parse_packet(path: str) -> Task:
    """Check a packet, and read its fields, the payload as a view of the input."""
    encoded, decode, read = forms.contents(path), schema.Packet.decode, schema.read_packet
    return work.of_packet(lambda: read(decode(encoded)))


def parse_packet_and_copy(path: str) -> Task:
    """Check a packet, and read its fields, the payload as `bytes`."""
    encoded, decode, read = forms.contents(path), schema.Packet.decode, schema.read_packet_and_copy
    return work.of_packet(lambda: read(decode(encoded)))


def render_packet(path: str) -> Task:
    """Write a packet."""
    value, encode = forms.packet_of(path), derlib.encode
    return work.of_packet(
        lambda: encode(value, schema.Packet), lambda encoded: schema.read_packet(schema.Packet.decode(encoded))
    )
