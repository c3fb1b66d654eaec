"""OID-IRI (X.680 34, X.690 8.21) and RELATIVE-OID-IRI (X.680 35, X.690 8.22); ObjectDescriptor (X.680 48)."""

import pytest

import derlib
from derlib import OIDIRI, ContentsError, IdentifierError, ObjectDescriptor, RelativeOIDIRI, Sequence, StructureError

from .rows import der, reads, refuses, table


def iri(text: str | bytes) -> bytes:
    return der("1f 23", text if isinstance(text, bytes) else text.encode())


def relative(text: str | bytes) -> bytes:
    return der("1f 24", text if isinstance(text, bytes) else text.encode())


GOOD_LABELS = {
    "a number": "19785",
    "zero": "0",
    "a label": "Registration-Authority",
    "a label of one character": "a",
    "digits with a point": "0.5",
    "a label that begins with 0": "0a",
    "all marks": "a-b.c_d~e",
    "hyphens in second and third place": "a--b",
    "hyphens in fourth and fifth place": "abc--d",
    "a letter of Latin-1": "é",
    "the first of the many": "\xa0",
    "the last before the surrogates": "\ud7ff",
    "compatibility ideographs": "\uf900",
    "the last before the noncharacters": "\ufdcf",
    "the first after them": "\ufdf0",
    "the last of the first plane": "\uffef",
    "the first of the second plane": "\U00010000",
    "its last": "\U0001fffd",
    "a variation selector of plane 14": "\U000e1000",
    "the last of all": "\U000efffd",
}
BAD_LABELS = {
    "a leading zero": "019785",
    "two zeros": "00",
    "a hyphen first": "-a",
    "a hyphen last": "a-",
    "a hyphen alone": "-",
    "hyphens in third and fourth place": "xn--a",
    "a blank": "a b",
    "a percent sign": "%20",
    "a colon": "a:b",
    "a control character": "\x01",
    "NUL": "\0",
    "a control character of Latin-1": "\x9f",
    "a private character": "\ue000",
    "the last private character": "\uf8ff",
    "a noncharacter": "\ufdd0",
    "the last noncharacter of the row": "\ufdef",
    "a special": "\ufff0",
    "a replacement character": "\ufffd",
    "the end of the second plane": "\U0001fffe",
    "a tag of plane 14": "\U000e0001",
    "the last tag": "\U000e0fff",
    "the end of plane 14": "\U000efffe",
    "a private plane": "\U000f0000",
    "the last private plane": "\U0010fffd",
}

IRI = [
    reads("three arcs", OIDIRI, iri("/ISO/Registration-Authority/19785.CBEFF"),
        "/ISO/Registration-Authority/19785.CBEFF"),
    *[reads(name, OIDIRI, iri(f"/{label}"), f"/{label}") for name, label in GOOD_LABELS.items()],
    *[refuses(name, OIDIRI, iri(f"/ISO/{label}/1"), ContentsError, "34.3") for name, label in BAD_LABELS.items()],
    refuses("no contents", OIDIRI, "1f 23 00", ContentsError, "34.3"),
    refuses("a slash alone", OIDIRI, iri("/"), ContentsError, "34.3"),
    refuses("no slash before the first arc", OIDIRI, iri("ISO/1"), ContentsError, "34.3"),
    refuses("an empty arc", OIDIRI, iri("/ISO//1"), ContentsError, "34.3"),
    refuses("a slash at the end", OIDIRI, iri("/ISO/"), ContentsError, "34.3"),
    refuses("a letter that is not all there", OIDIRI, iri(b"/\xc3"), ContentsError, "8.21"),
    refuses("a surrogate", OIDIRI, iri(b"/\xed\xa0\x80"), ContentsError, "8.21"),
    refuses("the constructed form", OIDIRI, der("3f 23", iri("/1")), IdentifierError, "8.21|8.1.2.5"),
    refuses("a RELATIVE-OID-IRI", OIDIRI, relative("1"), StructureError),
]
RELATIVE = [
    reads("three arcs", RelativeOIDIRI, relative("a/2/c"), "a/2/c"),
    *[reads(name, RelativeOIDIRI, relative(label), label) for name, label in GOOD_LABELS.items()],
    *[refuses(name, RelativeOIDIRI, relative(label), ContentsError, "35.3") for name, label in BAD_LABELS.items()],
    refuses("no contents", RelativeOIDIRI, "1f 24 00", ContentsError, "35.3"),
    refuses("a slash before the first arc", RelativeOIDIRI, relative("/a"), ContentsError, "35.3"),
    refuses("an empty arc", RelativeOIDIRI, relative("a//b"), ContentsError, "35.3"),
    refuses("a slash at the end", RelativeOIDIRI, relative("a/"), ContentsError, "35.3"),
    refuses("Latin-1", RelativeOIDIRI, relative(b"\xe9"), ContentsError, "8.22"),
    refuses("the constructed form", RelativeOIDIRI, der("3f 24", relative("1")), IdentifierError, "8.22|8.1.2.5"),
]
DESCRIPTOR = [
    reads("a text", ObjectDescriptor, "07 02 68 69", "hi"),
    reads("no contents", ObjectDescriptor, "07 00", ""),
    reads("an octet over 7f", ObjectDescriptor, "07 01 e9", "é"),
    refuses("the constructed form", ObjectDescriptor, "27 03 07 01 41", IdentifierError, "10.2|8.1.2.5"),
]


@table([*IRI, *RELATIVE, *DESCRIPTOR])
def test_iri(row, place):
    row.check(place)


class Names(Sequence):
    iri: OIDIRI
    relative: RelativeOIDIRI
    text: ObjectDescriptor


def test_values_are_strings_in_all_conversions():
    names = Names(iri="/ISO/é", relative="a/1", text="any \xe9")
    assert names.to_native() == {"iri": "/ISO/é", "relative": "a/1", "text": "any \xe9"}
    assert Names.from_native(names.to_native()) == names == Names.from_json(names.to_json())
    assert [child.value for child in derlib.parse(names.encode())] == ["/ISO/é", "a/1", "any \xe9"]


@pytest.mark.parametrize("value", [5, b"/1", None, "1", "/\ud800", ""])
def test_invalid_iris_are_not_written(value):
    with pytest.raises(derlib.ASN1Error):
        derlib.encode(value, OIDIRI)
