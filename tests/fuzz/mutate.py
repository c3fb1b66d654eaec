"""Mutations that preserve tags and lengths: after random changes, DER usually ends at a length that no longer fits.

The fuzzer alternates `mutate` with its own changes; the replay uses only this. The input is read as a tree as far as
possible, a node of it is changed, and the lengths around it are written again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from support.der import length_octets

Octets = Callable[[bytes], bytes]
DEPTH = 60
# Contents at the limit of a rule.
BORDERS = """
    0500 0101ff 010101 010100 020100 02020080 0202007f 0203000001 0202ff80 0a0100 0400 030100 03020780 030207ff
    0303000001 03020640 0c02c3a9 0c01ff 13014a 130140 1201ff 16017f 1601e9 1e020041 1e02d800 1c0400000041
    1c0400110000 170d3234303232393132333435365a 170b323430323239313233345a 171132343032323931323334352b30313030
    180f32303234303232393132333435365a 181132303234303232393132333435362e355a
    181232303234303232393132333435362e35305a 180b323032343032323931325a 180f30303030303130313030303030305a
    06032a0304 0603550403 0603551d13 0603551d0f 06028001 0602ff7f 3000 3100 a000 8000 3106020102020101
    3106020101020102 310602010101010f 1f1f00 1f8f7f00 bf8f7f020500 60022000 2403040100 24800000 0481020500
    048200020500 30800000 0409300706032a03040500 a003020101 300506032a0304 0604550403ff 0902c000
"""
PIECES = tuple(map(bytes.fromhex, BORDERS.split()))


class Node:
    """One element: identifier octets, then contents or children; a `length` other than None is written unchanged."""

    __slots__ = ("children", "contents", "head", "length", "prefix")

    def __init__(self, head: bytes, contents: bytes, children: list[Node] | None, prefix: bytes = b"") -> None:
        self.head = head
        self.contents = contents
        self.children = children
        self.prefix = prefix
        self.length: bytes | None = None

    def octets(self) -> bytes:
        body = self.contents if self.children is None else self.prefix + b"".join(
            child.octets() for child in self.children
        )
        return self.head + (length_octets(len(body)) if self.length is None else self.length) + body


def read(data: bytes, at: int, end: int, depth: int = 0) -> tuple[Node, int] | None:
    """Return the element at `at`, checking only that it fits, and its end."""
    start = at
    if at >= end:
        return None
    at += 1
    if data[start] & 0x1F == 0x1F:
        while at < end and data[at] & 0x80:
            at += 1
        at += 1
    if at >= end:
        return None
    head = data[start:at]
    length = data[at]
    at += 1
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[at : at + count], "big")
        at += count
    if at + length > end:
        return None
    contents = data[at : at + length]
    children, prefix = None, b""
    if head[0] & 0x20 or head[0] in (0x04, 0x80):
        children = read_all(contents, 0, depth + 1)
    elif head[0] == 0x03 and contents[:1] == b"\0":
        children, prefix = read_all(contents, 1, depth + 1), b"\0"
    return Node(head, contents, children or None, prefix), at + length


def read_all(data: bytes, at: int, depth: int) -> list[Node] | None:
    """Return the elements that fill `data` from `at` on, or None if they do not."""
    nodes: list[Node] = []
    if depth > DEPTH:
        return None
    while at < len(data):
        found = read(data, at, len(data), depth)
        if found is None:
            return None
        node, at = found
        nodes.append(node)
    return nodes


def mutate(data: bytes, size: int, seed: int, plain: Octets | None = None) -> bytes:
    """Return at most `size` bytes, with one to four changes; `plain` changes contents, as the fuzzer does."""
    chance = random.Random(seed)
    roots = read_all(data, 0, 0)
    if not roots:
        return plainly(data, chance, plain)[:size]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        change(roots, chance, plain)
    made = b"".join(node.octets() for node in roots)
    return made if len(made) <= size else plainly(data, chance, plain)[:size]


def change(roots: list[Node], chance: random.Random, plain: Octets | None) -> None:
    """Change one node."""
    places = list(all_places(roots))
    siblings, index = chance.choice(places)
    node = siblings[index]
    kind = chance.randrange(14)
    if kind <= 3 and node.children is None:
        node.contents = plainly(node.contents, chance, plain)
    elif kind <= 4 or (kind <= 3 and not node.children):
        others, other = chance.choice(places)
        siblings[index] = copied(others[other])
    elif kind == 5:
        siblings.insert(index, copied(node))
    elif kind == 6 and (len(siblings) > 1 or siblings is not roots):
        del siblings[index]
    elif kind == 7:
        other = chance.randrange(len(siblings))
        siblings[index], siblings[other] = siblings[other], siblings[index]
    elif kind == 8:
        first = node.head[0] if node.head else 0
        head = chance.choice((first ^ 0x20, chance.randrange(256), first ^ 1 << chance.randrange(8)))
        node.head = bytes([head]) + node.head[1:]
    elif kind == 9:
        piece = Node(b"", chance.choice(PIECES), None)
        piece.length = b""
        siblings.insert(index + chance.randrange(2), piece)
    elif kind == 10:
        chosen = chance.choice(PIECES)
        if node.children is None and len(chosen) > 2:
            node.contents = chosen[2:]
    elif kind == 11:
        # A length that is not minimal, indefinite, too long or too short.
        count = len(node.octets())
        node.length = chance.choice((
            b"\x81" + bytes([count & 0x7F]), b"\x82" + (count & 0xFFFF).to_bytes(2, "big"), b"\x80", b"\xff",
            bytes([count & 0x7F]), b"\x88" + b"\xff" * 8, b"\x83\0" + (count & 0xFFFF).to_bytes(2, "big"),
        ))
        if chance.randrange(3):
            body = len(node.contents) if node.children is None else len(b"".join(n.octets() for n in node.children))
            digits = length_octets(body)[-1:] if body < 0x80 else length_octets(body)[1:]
            node.length = bytes([0x81 + len(digits)]) + b"\0" + digits
    elif kind == 12:
        siblings[index] = Node(chance.choice((b"\x30", b"\x31", b"\xa0", b"\xa1", b"\x04")), b"", [node])
    elif node.children:
        chance.shuffle(node.children)
    else:
        node.contents = b""


def all_places(nodes: list[Node]) -> Any:
    """Yield every node as (list that contains it, index), without recursion."""
    pending = [nodes]
    while pending:
        siblings = pending.pop()
        for index, node in enumerate(siblings):
            yield siblings, index
            if node.children:
                pending.append(node.children)


def copied(node: Node) -> Node:
    children = None if node.children is None else [copied(child) for child in node.children]
    again = Node(node.head, node.contents, children, node.prefix)
    again.length = node.length
    return again


def plainly(data: bytes, chance: random.Random, plain: Octets | None) -> bytes:
    """Make a change that ignores the structure."""
    if plain is not None:
        return plain(data)
    octets = bytearray(data)
    at = chance.randrange(len(octets) + 1)
    kind = chance.randrange(5)
    if kind == 0 and octets:
        octets[at - 1] ^= 1 << chance.randrange(8)
    elif kind == 1 and octets:
        octets[at - 1] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    elif kind == 2:
        octets[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 5)))
    elif kind == 3:
        del octets[at : at + chance.randrange(1, 5)]
    else:
        octets[at:at] = octets[at : at + chance.randrange(1, 9)]
    return bytes(octets)
