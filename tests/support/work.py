"""Attacks on decoders whose work is not linear, at several sizes. `test_work.py` counts the instructions.

    python -m support.work COUNT[,COUNT...] [CASE...]

The size of the input of a case is proportional to COUNT. For each case, and then for each COUNT, the script calls
`os.getppid`, which is the mark that the instructions are counted between (bench/harness/callgrind.py).
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import Annotated

from support.der import der

import derlib
from derlib import (
    TLV,
    DefinedBy,
    Deviation,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    PEMError,
    Sequence,
    SequenceOf,
    SetOf,
    pem,
)


def header(identifier: int, count: int) -> bytes:
    """Return identifier and length octets."""
    if count < 0x80:
        return bytes([identifier, count])
    octets = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([identifier, 0x80 | len(octets)]) + octets


TYPES = OpenTypes("TYPES", {"1.2.3": int}, on_mismatch="opaque")


class Entry(Sequence):
    """A key, and a value whose type it selects in an opaque table, so a mismatch is validated twice."""

    key: ObjectIdentifier
    value: Annotated[OctetString, DefinedBy("key", TYPES)]


TYPED = OpenTypes("TYPED", {"1.2.4": int})


class Typed(Sequence):
    """Like `Entry`, but a mismatch is an error."""

    key: ObjectIdentifier
    value: Annotated[OctetString, DefinedBy("key", TYPED)]


NESTED = OpenTypes("NESTED", {"1.2.3": SequenceOf[int]})


class Pair(Sequence):
    """Two numbers of any length, so that no element matches the template of another."""

    first: int
    second: int = 0


def numbers(count: int) -> bytes:
    """Return INTEGERs in ascending order of their encodings."""
    return b"".join(b"\x02\x04" + (0x01000000 + i).to_bytes(4, "big") for i in range(count))


def many_elements(count: int) -> None:
    view = SequenceOf[int].decode(der(0x30, b"\x02\x01\x05" * count))
    assert sum(1 for _ in view) == count == len(view)
    for place in range(0, count, 16):
        assert view[place] == 5


def many_set_members(count: int) -> None:
    view = SetOf[int].decode(der(0x31, numbers(count)))
    assert len(view) == count
    assert view == SetOf[int].decode(view.encode())


def set_members_that_are_nearly_equal(count: int) -> None:
    octets = [der(0x04, bytes(64) + i.to_bytes(4, "big")) for i in range(count)]
    assert len(SetOf[bytes].decode(der(0x31, b"".join(octets)))) == count


def set_without_schema(count: int) -> None:
    derlib.parse(der(0x31, numbers(count)))


def unsorted_set_members(count: int) -> None:
    octets = b"\x02\x01\x02\x02\x01\x01" * (count // 2)
    view = SetOf[int].decode(der(0x31, octets), tolerate=Deviation.SET_OF_ORDER)
    assert len(view.deviations) == count // 2


def set_members_written(count: int) -> None:
    SetOf[int]([(i * 7919) % count for i in range(count)])


def entries_without_a_common_template(count: int) -> None:
    octets = b"".join(der(0x30, der(0x02, b"\x01" * (1 + i % 97))) for i in range(count))
    assert len(SequenceOf[Pair].decode(der(0x30, octets))) == count


def extensions(count: int) -> None:
    keyed = [b"\x06\x02\x2a\x04" + der(0x04, b"\x02\x02\x01" + bytes([i % 256])) for i in range(count)]
    octets = b"".join(der(0x30, each) for each in keyed)
    view = SequenceOf[Typed].decode(der(0x30, octets))
    assert sum(1 for each in view if each.value is not None and each.key.dotted == "1.2.4") == count


def mismatches_of_an_opaque_table(count: int) -> None:
    octets = der(0x30, b"\x06\x02\x2a\x03" + der(0x04, b"\x05\x00")) * count
    view = SequenceOf[Entry].decode(der(0x30, octets))
    assert all(each.value == b"\x05\x00" for each in view)


class Nested(Sequence):
    """An open type, after which there can be an extra element."""

    key: ObjectIdentifier
    value: Annotated[TLV, DefinedBy("key", NESTED)]


NESTED.register("1.2.4", Nested)


def a_mismatch(count: int, levels: int = 0) -> None:
    # Joined in one step: a copy for each level would cost more than the decoding.
    parts = [der(0x30, b"\x06\x02\x2a\x03" + der(0x30, b"\x02\x01\x05" * count + b"\x05\x00"))]
    length = len(parts[0])
    for level in range(levels, -1, -1):
        extra = b"\x05\x00" if level else b""
        head = header(0x30, 4 + length + len(extra)) + b"\x06\x02\x2a\x04"
        parts = [head, *parts, extra]
        length += len(head) + len(extra)
    assert len(Nested.decode(b"".join(parts), tolerate=~Deviation(0)).deviations) == 1


def mismatches_inside_one_another(count: int) -> None:
    a_mismatch(count, 40)


def an_index(count: int) -> None:
    octets = b"".join(der(0x30, b"\x02\x04" + (0x01000000 + i).to_bytes(4, "big")) for i in range(count))
    index = SequenceOf[Pair].decode(der(0x30, octets)).index_by("first")
    for i in range(0, count, 7):
        assert index.find(0x01000000 + i) is not None


def an_index_of_equal_keys(count: int) -> None:
    index = SequenceOf[Pair].decode(der(0x30, der(0x30, b"\x02\x01\x05") * count)).index_by("first")
    assert index.find(5) is not None
    assert index.find(6) is None


def arcs(count: int) -> None:
    value = derlib.decode(ObjectIdentifier, der(0x06, b"\x2a" + b"\x81\x01" * count))
    assert len(value.arcs) == count + 2
    assert hash(value) == hash(ObjectIdentifier(value.dotted))


def a_tree(count: int) -> None:
    tree = derlib.parse(der(0x30, der(0x30, b"\x05\x00" * 10) * (count // 10)))
    assert sum(1 for _ in tree.walk()) > count


def plain_data(count: int) -> None:
    view = SequenceOf[Pair].decode(der(0x30, der(0x30, b"\x02\x01\x05") * count))
    assert len(list(view.to_native())) == count
    assert SequenceOf[Pair].from_json(view.to_json()) == view


def many_deviations(count: int) -> None:
    view = SequenceOf[bool].decode(der(0x30, b"\x01\x01\x01" * count), tolerate=Deviation.BOOLEAN_TRUE)
    assert view.deviations[-1].path == (count - 1,)


def a_fault_at_the_end(count: int) -> None:
    for type_ in (SequenceOf[Pair], TLV):
        with contextlib.suppress(derlib.DecodeError):
            derlib.decode(type_, der(0x30, der(0x30, b"\x02\x01\x05") * count + b"\x30\x03\x02\x01"))


def pem_lines(count: int) -> None:
    text = "-----BEGIN X-----\n" + "MAAA\n" * count + "*\n" + "-----BEGIN \n" * count
    # `each` continues after an invalid block, so it tries every BEGIN line; `blocks` ends at the first.
    assert sum(isinstance(each, PEMError) for each in pem.each(text)) == count + 1


def elements_of_no_field(count: int) -> None:
    with contextlib.suppress(derlib.DecodeError):
        Pair.decode(der(0x30, b"\x05\x00" * count))


CASES: dict[str, Callable[[int], None]] = {
    case.__name__: case
    for case in (
        many_elements,
        many_set_members,
        set_members_that_are_nearly_equal,
        set_without_schema,
        unsorted_set_members,
        set_members_written,
        entries_without_a_common_template,
        extensions,
        mismatches_of_an_opaque_table,
        a_mismatch,
        mismatches_inside_one_another,
        an_index,
        an_index_of_equal_keys,
        arcs,
        a_tree,
        plain_data,
        many_deviations,
        a_fault_at_the_end,
        pem_lines,
        elements_of_no_field,
    )
}


if __name__ == "__main__":
    # The garbage collector could run at one size and not at another.
    gc.disable()
    os.getppid()
    for name in sys.argv[2:] or CASES:
        for size in sys.argv[1].split(","):
            CASES[name](int(size))
            os.getppid()
