"""Packets with asn1tools, in DER; it encodes and decodes dicts."""

from typing import Any

import asn1tools

from bench.families.packets.codec import Facts, operations
from bench.families.packets.values import Packet

SPECIFICATION = asn1tools.compile_string(
    """
    Packets DEFINITIONS IMPLICIT TAGS ::= BEGIN
        MetaInfo ::= SEQUENCE {
            content-type     INTEGER,
            freshness-period [0] INTEGER OPTIONAL,
            final-block      [1] OCTET STRING OPTIONAL
        }
        SignatureInfo ::= SEQUENCE {
            signature-type INTEGER,
            key-digest     [0] OCTET STRING OPTIONAL
        }
        Data ::= SEQUENCE {
            name            SEQUENCE OF OCTET STRING,
            meta-info       MetaInfo,
            content         OCTET STRING,
            signature-info  SignatureInfo,
            signature-value OCTET STRING
        }
    END
    """,
    "der",
)


def build(packet: Packet) -> dict[str, Any]:
    return {
        "name": packet["name"],
        "meta-info": {
            "content-type": packet["meta_info"]["content_type"],
            "freshness-period": packet["meta_info"]["freshness_period"],
            "final-block": packet["meta_info"]["final_block"],
        },
        "content": packet["content"],
        "signature-info": {
            "signature-type": packet["signature_info"]["signature_type"],
            "key-digest": packet["signature_info"]["key_digest"],
        },
        "signature-value": packet["signature_value"],
    }


def encode_dict(packet: dict[str, Any]) -> bytearray:
    encoded: bytearray = SPECIFICATION.encode("Data", packet)
    return encoded


def build_and_encode_one(packet: Packet) -> bytearray:
    return encode_dict(build(packet))


def decode(encoded: bytes) -> Any:
    return SPECIFICATION.decode("Data", encoded)


def read(packet: dict[str, Any]) -> None:
    for _ in packet["name"]:
        pass
    meta = packet["meta-info"]
    _ = meta["content-type"], meta["freshness-period"], meta["final-block"]
    _ = packet["content"]
    signature = packet["signature-info"]
    _ = signature["signature-type"], signature["key-digest"]
    _ = packet["signature-value"]


def plain(packet: dict[str, Any]) -> Facts:
    """Return the fields as plain values."""
    meta, signature = packet["meta-info"], packet["signature-info"]
    return (
        tuple(packet["name"]),
        meta["content-type"],
        meta["freshness-period"],
        meta["final-block"],
        packet["content"],
        signature["signature-type"],
        signature["key-digest"],
        packet["signature-value"],
    )


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=build,
    encode=encode_dict,
    build_and_encode=build_and_encode_one,
    decode=decode,
    read=read,
    plain=plain,
    less_often=20,
)
