"""Packets with derlib, in DER. It encodes a dict of fields; a built object already holds its encoding."""

from typing import Annotated, Any

import derlib
from bench.families.packets.codec import builder, operations
from bench.families.packets.values import Packet
from derlib import Implicit, Sequence, SequenceOf


class MetaInfo(Sequence):
    content_type: int
    freshness_period: Annotated[int, Implicit(0)] | None = None
    final_block: Annotated[bytes, Implicit(1)] | None = None


class SignatureInfo(Sequence):
    signature_type: int
    key_digest: Annotated[bytes, Implicit(0)] | None = None


class Data(Sequence):
    name: SequenceOf[bytes]
    meta_info: MetaInfo
    content: bytes
    signature_info: SignatureInfo
    signature_value: bytes


def encode_fields(packet: Packet) -> bytes:
    return derlib.encode(packet, Data)


build = builder(Data, MetaInfo, SignatureInfo)


def build_and_encode_one(packet: Packet) -> bytes:
    encoded: bytes = build(packet).encode()
    return encoded


def unchanged(packet: Packet) -> Any:
    """Return the dict of fields, which derlib encodes."""
    return packet


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=unchanged,
    encode=encode_fields,
    build_and_encode=build_and_encode_one,
    decode=Data.decode,
)

encode_built = operations(
    own=Data.from_native, encode=Data.encode, build_and_encode=build_and_encode_one, decode=Data.decode
).encode
