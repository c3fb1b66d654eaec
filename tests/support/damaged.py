"""Damage an encoding bit by bit: decoding raises an `ASN1Error`, or returns a value with exactly these bytes."""

from __future__ import annotations

from typing import Any

from corpus.octets import touch

from derlib import ASN1Error


def survives_damage(schema: Any, octets: bytes, *, step: int = 1) -> None:
    """Flip every bit, or every bit whose number is a multiple of `step`, and decode; also each prefix of the bytes."""
    verdicts: set[bool] = set()
    for bit in range(0, 8 * len(octets), step):
        damaged = bytearray(octets)
        damaged[bit >> 3] ^= 1 << (bit & 7)
        verdicts.add(_is_accepted(schema, bytes(damaged)))
    assert verdicts == {False, True}
    assert not any(_is_accepted(schema, octets[:length]) for length in range(0, len(octets), step))


def _is_accepted(schema: Any, octets: bytes) -> bool:
    try:
        value = schema.decode(octets)
    except ASN1Error:
        return False
    assert value.encode() == octets
    touch(value)
    return True
