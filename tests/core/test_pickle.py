"""Pickles store the class and the encoding, in every protocol and for other processes; loading validates them."""

import copy
import pickle
import pickletools
import subprocess
import sys
from typing import Annotated

import pytest
from corpus.files import accepted_files

import derlib
from derlib import (
    BitString,
    DecodeError,
    Explicit,
    Implicit,
    LimitError,
    ObjectIdentifier,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
)
from derlib.schemas.cms import Attribute, id_message_digest

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


class Point(Sequence):
    x: int
    y: int = 0


class Row(Sequence):
    points: Annotated[SequenceOf[Point], Implicit(0)]
    kind: Annotated[ObjectIdentifier, Explicit(1)] | None = None
    extra: Annotated[derlib.TLV, Explicit(2)] | None = None


class Wrapped(Sequence, tag=Explicit(7)):
    x: int


ROW = Row(points=[{"x": n} for n in range(50)], kind="2.999.1", extra=b"\x04\x01a")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_accepted_file_comes_back_from_a_pickle(protocol):
    for item, value in accepted_files():
        octets = pickle.dumps(value, protocol)
        again = pickle.loads(octets)
        assert again == value
        assert again.encode() == item.der
        if protocol >= 3:  # before that, Python writes bytes as text
            assert len(octets) < len(item.der) + 150


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "value",
    [
        ROW,
        ROW.points,
        ROW.points[7],
        ROW.extra,
        ROW.kind,
        Wrapped(x=5),
        SequenceOf[SetOf[int]]([[1, 2], []]),
        SequenceOf[Annotated[int, Range(0, 9)]]([3]),
        SequenceOf[int | str](["a", 1]),
        BitString(b"\xa0", 5),
        derlib.NULL,
        ROW.span("points"),
        derlib.parse(ROW.encode()).tag,
        ROW.points.index_by("x"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_kind_of_value_comes_back(value, protocol):
    again = pickle.loads(pickle.dumps(value, protocol))
    assert type(again) is type(value)
    if isinstance(value, derlib.Lookup):
        assert again.find(7) == value.find(7)
    else:
        assert again == value
        assert hash(again) == hash(value)
    if hasattr(value, "encode"):
        assert again.encode() == value.encode()


def exporter(view):
    while isinstance(view, memoryview):
        view = view.obj
    return view


def test_out_of_band_the_octets_are_not_copied():
    data = bytes(ROW.encode())
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(Row.decode(data), 5, buffer_callback=buffers.append)
    assert len(head) < 150
    assert exporter(buffers[0].raw()) is data
    again = pickle.loads(head, buffers=[data])
    assert again == ROW
    assert exporter(again.der) is data
    changing = bytearray(data)
    again = pickle.loads(head, buffers=[changing])
    changing[:] = bytes(len(changing))
    assert again == ROW


def test_a_part_takes_its_own_octets_alone():
    part = ROW.points[7]
    assert len(pickle.dumps(part)) < 150
    assert part.encode() in pickle.dumps(part)
    assert ROW.points[8].encode() not in pickle.dumps(part)


def test_a_damaged_pickle_raises_a_decode_error_or_has_another_valid_value():
    octets = pickle.dumps(ROW, 5)
    start = octets.index(ROW.encode())
    refused = 0
    for place in range(start, start + len(ROW.encode())):
        damaged = octets[:place] + bytes([octets[place] ^ 0x40]) + octets[place + 1 :]
        try:
            value = pickle.loads(damaged)
        except (DecodeError, LimitError):
            refused += 1
        else:
            assert Row.decode(value.encode()) == value
    assert refused > 100
    restore, (cls, data) = ROW.__reduce_ex__(2)
    for wrong in (data[:-1], b"", data + b"\0"):
        with pytest.raises(DecodeError):
            restore(cls, wrong)


def test_copies_are_the_value_itself():
    assert copy.copy(ROW) is ROW
    assert copy.deepcopy([ROW])[0] is ROW


MODULE = """
from typing import Annotated
from derlib import Implicit, Sequence, SequenceOf

class Item(Sequence):
    number: int
    more: Annotated[SequenceOf["Item"], Implicit(0)] | None = None

Items = SequenceOf[Item]
"""

PROGRAM = """
import concurrent.futures, multiprocessing, pickle, sys
from theirs import Item, Items

def total(items):
    return sum(item.number for item in items), items

if __name__ == "__main__":
    items = Items([Item(number=n, more=[{"number": 1}]) for n in range(10)])
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        found, again = pool.submit(total, items).result()
    assert (found, again) == (45, items), found
    sys.stdout.buffer.write(pickle.dumps(items, int(sys.argv[1])))
"""


@pytest.mark.parametrize("protocol", [2, 5])
def test_classes_of_a_users_module_travel_between_processes(tmp_path, protocol):
    (tmp_path / "theirs.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    written = subprocess.run(
        [sys.executable, "program.py", str(protocol)], cwd=tmp_path, capture_output=True, timeout=300, check=False
    )
    assert written.returncode == 0, written.stderr.decode()
    read = subprocess.run(
        [sys.executable, "-c", "import pickle, sys; print(len(pickle.load(sys.stdin.buffer)))"],
        cwd=tmp_path, input=written.stdout, capture_output=True, timeout=300, check=False,
    )
    assert (read.returncode, read.stdout.strip()) == (0, b"10"), read.stderr.decode()


# A pickle contains these names, and users store pickles. If one is renamed or moved, its old name stays valid and is
# listed here.
KEPT_NAMES = {
    "derlib._core": {
        "NULL_VALUE", "parse_again", "restore", "restore_lookup",
    },
    "derlib": {
        "BitString", "Deviation", "ExactReal", "Limits", "ObjectIdentifier", "RelativeOID", "SequenceOf", "SetOf",
        "Span", "Tag", "Tolerated",
    },
    "derlib.errors": {"ConstraintError", "ContentsError", "PEMError"},
}


def test_pickles_contain_only_the_stable_names_of_derlib():
    tolerant = SequenceOf[bool].decode(
        bytes.fromhex("3003010101"), tolerate=derlib.Deviation.BOOLEAN_TRUE, limits=derlib.Limits(depth=9)
    )
    values = [
        ROW, ROW.points, ROW.extra, ROW.kind, ROW.span("points"), ROW.extra.tag, ROW.points.index_by("x"),
        SequenceOf[SetOf[int]]([[1]]), BitString(b"\xa0", 5), derlib.NULL, derlib.RelativeOID("1.2"),
        derlib.ExactReal(1, 10, -1), tolerant, tolerant.deviations, derlib.PEMError("wrong", 1),
    ]
    for type_, octets in ((int, b"\x02\x02\x00\x01"), (bool, b"\x01\x01\x01")):
        with pytest.raises(DecodeError) as caught:
            derlib.decode(type_, octets)
        values.append(caught.value)
    with pytest.raises(derlib.ConstraintError) as refused:
        Row(points=[{"x": "1"}])
    values.append(refused.value)
    found = {}
    for value in values:
        for operation, argument, _ in pickletools.genops(pickle.dumps(value, 2)):
            if operation.name == "GLOBAL" and argument.startswith("derlib"):
                module, name = argument.split()
                found.setdefault(module, set()).add(name)
    assert found == KEPT_NAMES


def test_a_list_of_open_types_is_pickled_with_the_structure_around_it():
    attribute = Attribute(attr_type=id_message_digest, attr_values=[b"digest"])
    for protocol in PROTOCOLS:
        with pytest.raises(TypeError, match=r"open types ATTRIBUTES, .*: pickle the structure around the list"):
            pickle.dumps(attribute.attr_values, protocol)
        assert pickle.loads(pickle.dumps(attribute, protocol)).attr_values[0] == b"digest"
