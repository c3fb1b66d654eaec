"""Create protobuf classes from a description in Python, without protoc. Called by peers' modules."""

from collections.abc import Mapping
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SCALARS = {
    "bytes": descriptor_pb2.FieldDescriptorProto.TYPE_BYTES,
    "string": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
    "uint32": descriptor_pb2.FieldDescriptorProto.TYPE_UINT32,
    "uint64": descriptor_pb2.FieldDescriptorProto.TYPE_UINT64,
}


class Described:
    """The fields of a message as in a proto3 file, numbered in their order."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields


def classes(package: str, described: Mapping[str, Described]) -> dict[str, Any]:
    """Return the classes of these messages by name; the messages may refer to each other."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    for name, message in described.items():
        described_message = file.message_type.add(name=name)
        for number, (field, text) in enumerate(message.fields.items(), 1):
            label, _, kind = text.rpartition(" ")
            added = described_message.field.add(name=field, number=number)
            repeated = label == "repeated"
            added.label = added.LABEL_REPEATED if repeated else added.LABEL_OPTIONAL
            if kind in SCALARS:
                added.type = SCALARS[kind]
            else:
                added.type, added.type_name = added.TYPE_MESSAGE, f".{package}.{kind}"
            # An optional field of proto3 is in a oneof of its own, whose name begins with an underscore.
            if label == "optional" and kind in SCALARS:
                added.proto3_optional = True
                added.oneof_index = len(described_message.oneof_decl)
                described_message.oneof_decl.add(name=f"_{field}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindFileByName(file.name).message_types_by_name
    return {name: message_factory.GetMessageClass(found[name]) for name in described}
