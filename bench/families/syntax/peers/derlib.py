"""derlib: DER, checked completely, then read field by field."""

import derlib
from bench.families.syntax import forms, schema, work
from bench.harness import Task


def parse(path: str) -> Task:
    """Check a message, and read each of its fields as an attribute."""
    octets, shape = forms.octets(path), forms.message_of(path).shape
    decode, read = schema.SHAPES[shape].decode, schema.READERS[shape]
    return work.per_million(lambda: read(decode(octets)))


def parse_to_dict(path: str) -> Task:
    """Check a message, and make plain Python data of it, as JSON libraries do."""
    octets, decode = forms.octets(path), schema.SHAPES[forms.message_of(path).shape].decode
    return work.per_million(lambda: decode(octets).to_native())


def check(path: str) -> Task:
    """Check a message, and read nothing."""
    octets, decode = forms.octets(path), schema.SHAPES[forms.message_of(path).shape].decode
    return work.unasked(lambda: decode(octets))


def render(path: str) -> Task:
    """Write a message that is a dict, checking it."""
    message = forms.message_of(path)
    value, schema_class, read = message.value, schema.SHAPES[message.shape], schema.READERS[message.shape]
    encode = derlib.encode
    return work.per_million(lambda: encode(value, schema_class), lambda octets: read(schema_class.decode(octets)))


def parse_packet(path: str) -> Task:
    """Check a packet, and read its fields, the payload where it stands."""
    octets, decode, read = forms.octets(path), schema.Packet.decode, schema.read_packet
    return work.of_packet(lambda: read(decode(octets)))


def parse_packet_and_copy(path: str) -> Task:
    """Check a packet, and read its fields, the payload as `bytes`."""
    octets, decode, read = forms.octets(path), schema.Packet.decode, schema.read_packet_and_copy
    return work.of_packet(lambda: read(decode(octets)))


def render_packet(path: str) -> Task:
    """Write a packet whose payload is octets."""
    value, encode = forms.packet_of(path), derlib.encode
    return work.of_packet(
        lambda: encode(value, schema.Packet), lambda octets: schema.read_packet(schema.Packet.decode(octets))
    )
