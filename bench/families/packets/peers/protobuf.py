"""Packets with protobuf; a message creates Python values when its fields are read."""

from typing import Any

from bench.families.packets.codec import operations
from bench.families.packets.values import Packet
from bench.protobuf_classes import Described, classes

messages = classes(
    "packets",
    {
        "MetaInfo": Described(
            content_type="uint64",
            freshness_period="optional uint64",
            final_block="optional bytes",
        ),
        "SignatureInfo": Described(
            signature_type="uint64",
            key_digest="optional bytes",
        ),
        "Data": Described(
            name="repeated bytes",
            meta_info="optional MetaInfo",
            content="bytes",
            signature_info="optional SignatureInfo",
            signature_value="bytes",
        ),
    },
)
MetaInfo, SignatureInfo, Data = messages["MetaInfo"], messages["SignatureInfo"], messages["Data"]


def build(packet: Packet) -> Any:
    return Data(
        name=packet["name"],
        meta_info=MetaInfo(**packet["meta_info"]),
        content=packet["content"],
        signature_info=SignatureInfo(**packet["signature_info"]),
        signature_value=packet["signature_value"],
    )


def build_and_encode_one(packet: Packet) -> bytes:
    encoded: bytes = build(packet).SerializeToString()
    return encoded


def read(packet: Any) -> None:
    for _ in packet.name:
        pass
    meta = packet.meta_info
    _ = meta.content_type, meta.freshness_period, meta.final_block
    _ = packet.content
    signature = packet.signature_info
    _ = signature.signature_type, signature.key_digest
    _ = packet.signature_value


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=build,
    encode=Data.SerializeToString,
    build_and_encode=build_and_encode_one,
    decode=Data.FromString,
    read=read,
)
