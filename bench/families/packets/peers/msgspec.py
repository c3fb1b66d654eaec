"""Packets with msgspec, as msgpack arrays of Structs, which have no field names in the packets."""

import msgspec

from bench.families.packets.codec import builder, operations
from bench.families.packets.values import Packet


class MetaInfo(msgspec.Struct, array_like=True):
    content_type: int
    freshness_period: int | None = None
    final_block: bytes | None = None


class SignatureInfo(msgspec.Struct, array_like=True):
    signature_type: int
    key_digest: bytes | None = None


class Data(msgspec.Struct, array_like=True):
    name: list[bytes]
    meta_info: MetaInfo
    content: bytes
    signature_info: SignatureInfo
    signature_value: bytes


encode_data = msgspec.msgpack.Encoder().encode
decode_data = msgspec.msgpack.Decoder(Data).decode


build = builder(Data, MetaInfo, SignatureInfo)


def build_and_encode_one(packet: Packet) -> bytes:
    return encode_data(build(packet))


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=build,
    encode=encode_data,
    build_and_encode=build_and_encode_one,
    decode=decode_data,
)
