"""INSTANCE OF, by its associated type (X.681 C.7)."""

from __future__ import annotations

from derlib.asn1.syntax import tree


def associated_type(node: tree.Type, object_set: tree.Braced | None) -> tree.Type:
    """Return the SEQUENCE with the tag of EXTERNAL that an INSTANCE OF is; return any other type as it is."""
    if not isinstance(node, tree.InstanceOfType):
        return node
    at = node.at
    identifier: tree.Type = tree.FieldType(at, node.object_class, ["id"])
    value: tree.Type = tree.FieldType(at, node.object_class, ["Type"])
    if object_set is not None:
        identifier = tree.ConstrainedType(at, identifier, tree.TableConstraint(at, object_set, []))
        value = tree.ConstrainedType(at, value, tree.TableConstraint(at, object_set, [".type-id"]))
    explicit = tree.TaggedType(at, "context", tree.NumberValue(at, 0), "EXPLICIT", value)
    root: list[tree.Component] = [
        tree.ComponentType(at, "type-id", identifier),
        tree.ComponentType(at, "value", explicit),
    ]
    sequence = tree.SequenceType(at, "SEQUENCE", tree.Components(at, root, [], [], False))
    return tree.TaggedType(at, "universal", tree.NumberValue(at, 8), "IMPLICIT", sequence)
