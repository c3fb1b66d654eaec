"""OBJECT IDENTIFIER: X.690 8.19."""

import pytest

import derlib
from derlib import ContentsError, IdentifierError, LimitError, ObjectIdentifier, RelativeOID, StructureError

from .rows import der, reads, refuses, table


def oid(dotted: str) -> ObjectIdentifier:
    return ObjectIdentifier(dotted)


UUID_MAX = 2**128 - 1
ARC_MAX = 2**140 - 1

# X.690 8.19.4: 40 times the first arc plus the second is the first subidentifier.
ROOTS = [
    reads("0.0", ObjectIdentifier, "06 01 00", oid("0.0")),
    reads("0.39", ObjectIdentifier, "06 01 27", oid("0.39")),
    reads("1.0", ObjectIdentifier, "06 01 28", oid("1.0")),
    reads("1.39", ObjectIdentifier, "06 01 4f", oid("1.39")),
    reads("2.0", ObjectIdentifier, "06 01 50", oid("2.0")),
    reads("2.47, the last in one octet", ObjectIdentifier, "06 01 7f", oid("2.47")),
    reads("2.48, the first in two octets", ObjectIdentifier, "06 02 81 00", oid("2.48")),
    reads("2.999", ObjectIdentifier, "06 02 88 37", oid("2.999")),
    reads("2.999.3", ObjectIdentifier, "06 03 88 37 03", oid("2.999.3")),
]

ARCS = [
    reads("1.2.840.113549", ObjectIdentifier, "06 06 2a 86 48 86 f7 0d", oid("1.2.840.113549")),
    reads("an arc of 0", ObjectIdentifier, "06 03 2a 00 00", oid("1.2.0.0")),
    reads("an arc of 127", ObjectIdentifier, "06 02 2a 7f", oid("1.2.127")),
    reads("an arc of 128", ObjectIdentifier, "06 03 2a 81 00", oid("1.2.128")),
    refuses("an arc of 127 in two octets", ObjectIdentifier, "06 03 2a 80 7f", ContentsError,
        "8.19.2"),
    refuses("an arc of 128 in three octets", ObjectIdentifier, "06 04 2a 80 81 00", ContentsError,
        "8.19.2"),
    refuses("a padded arc between others", ObjectIdentifier, "06 05 2a 03 80 01 04", ContentsError,
        "8.19.2"),
    refuses("a padded first subidentifier", ObjectIdentifier, "06 02 80 2a", ContentsError, "8.19"),
    reads("80 inside an arc, 16384", ObjectIdentifier, "06 04 2a 81 80 00", oid("1.2.16384")),
    reads("an arc of 2^63 - 1", ObjectIdentifier, der("06", "2a", b"\xff" * 8 + b"\x7f"),
        oid(f"1.2.{2**63 - 1}")),
    reads("an arc of 2^63", ObjectIdentifier, der("06", "2a 81", b"\x80" * 8 + b"\x00"),
        oid(f"1.2.{2**63}")),
    reads("an arc of 2^64", ObjectIdentifier, der("06", "2a 82", b"\x80" * 8 + b"\x00"),
        oid(f"1.2.{2**64}")),
    reads("the last UUID", ObjectIdentifier, der("06", "69 83", b"\xff" * 17 + b"\x7f"),
        oid(f"2.25.{UUID_MAX}")),
    reads("an arc after a long arc", ObjectIdentifier,
        der("06", "69 83", b"\xff" * 17 + b"\x7f", "05"), oid(f"2.25.{UUID_MAX}.5")),
    reads("an arc of 20 octets", ObjectIdentifier, der("06", "2a", b"\xff" * 19 + b"\x7f"),
        oid(f"1.2.{ARC_MAX}")),
    reads("a first subidentifier of 20 octets", ObjectIdentifier, der("06", b"\xff" * 19 + b"\x7f"),
        oid(f"2.{ARC_MAX - 80}")),
    refuses("an arc of 21 octets", ObjectIdentifier, der("06", "2a 81", b"\xff" * 19 + b"\x7f"),
        LimitError),
    refuses("a first subidentifier of 21 octets", ObjectIdentifier,
        der("06", "81", b"\xff" * 19 + b"\x7f"), LimitError),
]

FORM = [
    refuses("no contents", ObjectIdentifier, "06 00", ContentsError, "8.19"),
    refuses("only 80", ObjectIdentifier, "06 01 80", ContentsError, "8.19.2"),
    refuses("a first subidentifier without its end", ObjectIdentifier, "06 01 81", ContentsError,
        "8.19.2"),
    refuses("a last arc without its end", ObjectIdentifier, "06 03 2a 03 86", ContentsError,
        "8.19.2"),
    refuses("a last arc of 80", ObjectIdentifier, "06 02 2a 80", ContentsError, "8.19.2"),
    refuses("the constructed form", ObjectIdentifier, "26 03 06 01 2a", IdentifierError,
        "8.19.1|8.1.2.5"),
    refuses("a RELATIVE-OID", ObjectIdentifier, "0d 02 2a 03", StructureError),
]


@table([*ROOTS, *ARCS, *FORM])
def test_object_identifier(row, place):
    row.check(place)


@pytest.mark.parametrize("bits", range(1, 141))
def test_arcs_around_every_power_of_two(bits):
    for arc in {2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) + 1} - {0}:
        if arc.bit_length() > 140:
            continue
        septets = [arc >> shift & 0x7F for shift in range(0, arc.bit_length(), 7)]
        contents = bytes(0x80 | septet for septet in reversed(septets[1:])) + bytes(septets[:1])
        value = derlib.decode(ObjectIdentifier, der("06", "2a", contents, "05"))
        assert value.arcs == (1, 2, arc, 5)
        assert value.dotted == f"1.2.{arc}.5"
        assert value == ObjectIdentifier(f"1.2.{arc}.5")


# Strings are converted by a fast path for arcs of up to 18 digits and 128 bytes in all, and by a general one.
@pytest.mark.parametrize(
    "root", [(0, 39), (1, 0), (1, 39), (2, 0), (2, 47), (2, 48), (2, 10**17), (2, 2**63), (2, 2**90)]
)
@pytest.mark.parametrize("arc", [0, 9, 127, 128, 10**17, 10**18 - 1, 10**18, 2**63 - 1, 2**63, 2**140 - 1])
@pytest.mark.parametrize("count", [0, 1, 6, 13, 14, 15, 40, 126, 127, 128])
def test_short_and_long_strings_are_converted_to_their_arcs(root, arc, count):
    arcs = root + (arc,) * count
    text = ".".join(map(str, arcs))
    identifier = ObjectIdentifier(text)
    assert identifier == ObjectIdentifier(arcs)
    assert identifier.arcs == arcs
    assert identifier.dotted == text


def test_every_first_subidentifier_of_one_octet_is_two_arcs():
    for octet in range(0x80):
        arcs = derlib.decode(ObjectIdentifier, bytes([6, 1, octet])).arcs
        assert arcs == (min(octet // 40, 2), octet - 40 * min(octet // 40, 2))


def test_object_identifiers_have_text_hash_and_order():
    rsa = derlib.decode(ObjectIdentifier, bytes.fromhex("06062a864886f70d"))
    assert str(rsa) == rsa.dotted == "1.2.840.113549"
    assert rsa.arcs == (1, 2, 840, 113549)
    assert {rsa: "found"}[ObjectIdentifier("1.2.840.113549")] == "found"
    ordered = [oid("0.9"), oid("1.2"), oid("1.2.3"), oid("1.2.128"), oid("1.2.16384"), oid("2.5")]
    assert sorted({*ordered}) == ordered
    assert oid("1.2.3") < oid("1.2.128") <= oid("1.2.128") < oid("1.2.16384")
    assert rsa != "1.2.840.113549"
    with pytest.raises(TypeError, match="an ObjectIdentifier is immutable"):
        rsa.__init__("1.2.3")
    assert rsa.dotted == "1.2.840.113549"


@pytest.mark.parametrize(
    "text",
    ["", "1", "1.40", "0.40", "3.1", "1..2", ".1.2", "1.2.", "1.2.x", "1.-2", "1.2 ", "1.02",
    "1.2.3_4", "1.٢", "00.1", "2.00", "1.2\0", "1.2.3" + "0" * 1054],
)
def test_a_string_that_is_not_an_object_identifier_is_rejected(text):
    with pytest.raises(derlib.ASN1Error):
        ObjectIdentifier(text)


@pytest.mark.parametrize("arc", [5.0, 5.5, "5", "1_0", None, float("inf"), b"5"])
def test_an_arc_that_is_not_an_integer_is_a_type_error(arc):
    for make in (lambda: ObjectIdentifier([1, 2, arc]), lambda: RelativeOID([arc])):
        with pytest.raises(TypeError, match=type(arc).__name__):
            make()


def test_an_arc_can_be_any_integer():
    class Lying(int):
        def __index__(self):
            return 7

        def bit_length(self):
            return 0

        def __and__(self, other):
            return 999

        __le__ = __gt__ = __and__

    assert ObjectIdentifier([True, Lying(5), Lying(600)]).arcs == (1, 5, 600)


@pytest.mark.parametrize("digits", [1055, 5000])
def test_the_message_for_an_arc_that_is_too_long_names_the_limit(digits):
    with pytest.raises(derlib.EncodeError, match="exceeds the limit of 3500 bits"):
        ObjectIdentifier("1.2." + digits * "9")


@pytest.mark.usefixtures("registered_names")
def test_a_registered_name_is_shown():
    unknown = "1.3.6.1.4.1.99999.77.1"
    assert ObjectIdentifier(unknown).name == unknown
    derlib.oids.register(unknown, "aNameForThisTest")
    assert ObjectIdentifier(unknown).name == "aNameForThisTest"
    assert str(ObjectIdentifier(unknown)) == unknown
