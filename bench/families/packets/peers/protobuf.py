"""Packets with protobuf; a message creates Python values when its fields are read."""

from bench.families.packets.codec import builder, operations
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


build = builder(Data, MetaInfo, SignatureInfo)


def build_and_encode_one(packet: Packet) -> bytes:
    encoded: bytes = build(packet).SerializeToString()
    return encoded


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=build,
    encode=Data.SerializeToString,
    build_and_encode=build_and_encode_one,
    decode=Data.FromString,
)
