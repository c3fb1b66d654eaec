"""A structure of a user, with derlib, asn1crypto and hazmat.asn1 of cryptography; see docs/moving.md."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from asn1crypto import core
from cryptography.hazmat import asn1

from derlib import Sequence, SequenceOf

ORDER = bytes.fromhex("300d 02012a 3008 0c03746561 0c016d")

Fields: TypeAlias = "tuple[int, bool, list[str], str | None]"


class Order(Sequence):
    number: int
    express: bool = False
    items: SequenceOf[str]
    remark: str | None = None


class Items(core.SequenceOf):  # type: ignore[misc]
    _child_spec = core.UTF8String


class CryptoOrder(core.Sequence):  # type: ignore[misc]
    _fields = [
        ("number", core.Integer),
        ("express", core.Boolean, {"default": False}),
        ("items", Items),
        ("remark", core.UTF8String, {"optional": True}),
    ]


@asn1.sequence
class HazmatOrder:
    number: int
    express: Annotated[bool, asn1.Default(False)]
    items: list[str]
    remark: str | None


def with_derlib(der: bytes) -> Fields:
    """Decode an order, and read every field."""
    order = Order.decode(der)
    return order.number, order.express, list(order.items), order.remark


def with_asn1crypto(der: bytes) -> Fields:
    """Decode an order, and read every field."""
    order: Any = CryptoOrder.load(der, strict=True)
    return order["number"].native, order["express"].native, order["items"].native, order["remark"].native


def with_hazmat(der: bytes) -> Fields:
    """Decode an order, and read every field."""
    order = asn1.decode_der(HazmatOrder, der)
    return order.number, order.express, order.items, order.remark
