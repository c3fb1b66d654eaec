"""Packets with python-ndn, in NDN's own TLV, as models with the fields and types of a Data packet."""

from typing import Any

from ndn.encoding import BytesField, Component, ModelField, NameField, TlvModel, UintField

from bench.families.packets.codec import Facts, operations, read_attributes
from bench.families.packets.values import Packet


class MetaInfo(TlvModel):
    content_type = UintField(0x18)
    freshness_period = UintField(0x19)
    final_block = BytesField(0x1A)


class SignatureInfo(TlvModel):
    signature_type = UintField(0x1B, fixed_len=1)
    key_digest = BytesField(0x1D)


class DataValue(TlvModel):
    name = NameField()
    meta_info = ModelField(0x14, MetaInfo)
    content = BytesField(0x15)
    signature_info = ModelField(0x16, SignatureInfo)
    signature_value = BytesField(0x17)


class Data(TlvModel):
    data = ModelField(0x06, DataValue)


def build(packet: Packet) -> Any:
    data = Data()
    value = data.data = DataValue()
    value.name = [Component.from_bytes(component) for component in packet["name"]]
    meta = value.meta_info = MetaInfo()
    meta.content_type = packet["meta_info"]["content_type"]
    meta.freshness_period = packet["meta_info"]["freshness_period"]
    meta.final_block = packet["meta_info"]["final_block"]
    value.content = packet["content"]
    signature = value.signature_info = SignatureInfo()
    signature.signature_type = packet["signature_info"]["signature_type"]
    signature.key_digest = packet["signature_info"]["key_digest"]
    value.signature_value = packet["signature_value"]
    return data


def build_and_encode_one(packet: Packet) -> bytearray:
    encoded: bytearray = build(packet).encode()
    return encoded


def read(data: Any) -> None:
    read_attributes(data.data)


def plain(data: Any) -> Facts:
    """Return the fields as plain values; a component of a name includes its type and length, and bytes are views."""
    packet = data.data
    meta, signature = packet.meta_info, packet.signature_info
    return (
        tuple(bytes(Component.get_value(component)) for component in packet.name),
        meta.content_type,
        meta.freshness_period,
        bytes(meta.final_block),
        bytes(packet.content),
        signature.signature_type,
        bytes(signature.key_digest),
        bytes(packet.signature_value),
    )


encode, build_and_encode, decode_and_read, hold, encoded_size = operations(
    own=build,
    encode=Data.encode,
    build_and_encode=build_and_encode_one,
    decode=Data.parse,
    read=read,
    plain=plain,
    less_often=20,
)
