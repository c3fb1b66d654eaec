"""The commands on files with a changed length or a missing end: they never name another kind of file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("click", reason="click, the extra derlib[cli], is not installed")

from support.commands import run
from support.pages import example

from derlib import parse, pem


def length_octets(data: bytes) -> Iterator[int]:
    """Yield the offset of each length octet. All tags have one octet."""
    for element in parse(data).walk():
        yield from range(element.span.offset + 1, element.span.content_offset)


def damaged(data: bytes) -> Iterator[bytes]:
    for at in length_octets(data):
        for change in (1, -1):
            yield data[:at] + bytes([(data[at] + change) % 256]) + data[at + 1 :]
    for end in range(50, len(data), 50):
        yield data[:end]


@pytest.mark.parametrize(
    ("name", "type_name"),
    [("server.pem", "cert"), ("revoke.pem", "crl"), ("request.pem", "csr"), ("report.p7m", "cms")],
)
def test_a_damaged_file_is_never_called_another_kind_of_file(name: str, type_name: str, empty_folder: None) -> None:
    named: Counter[str] = Counter()
    for number, data in enumerate(damaged(pem.one(example(name)))):
        path = Path(f"{number}.der")
        path.write_bytes(data)
        # A file whose outermost length is too small has several values; the others have types of their own.
        first = json.loads(run("lint", "--json", str(path), status=None).stdout)[0]
        named[first["lint"]["type"] if "lint" in first else "der"] += 1
    assert set(named) == {type_name, "der"}
    assert named[type_name] > named["der"]


def test_the_error_of_a_changed_length_is_that_of_the_file_which_it_was(empty_folder: None) -> None:
    data = pem.one(example("server.pem"))
    # The length of the TBSCertificate includes a byte of the following AlgorithmIdentifier.
    Path("a.der").write_bytes(data[:6] + bytes([data[6] + 1]) + data[7:])
    error = "tbs_certificate at offset 217: the enclosing element ends at offset 218, before the length octets"
    for command in ("show", "cert"):
        assert error in run(command, "a.der", status=1).output
    assert "linting as an X.509 Certificate" in run("lint", "a.der", status=1).output


def test_a_fault_in_the_common_start_of_two_types_names_none(empty_folder: None) -> None:
    data = pem.one(example("revoke.pem"))
    # The length in the signature algorithm: the start of a certificate of version 1 looks the same.
    Path("a.der").write_bytes(data[:10] + bytes([data[10] + 1]) + data[11:])
    assert "linting as DER of an unknown type" in run("lint", "a.der", status=1).output


#: For each file, the part whose tag is changed, what it becomes, and the error.
OTHER_TAGS = [
    ("server.pem", "tbs_certificate.validity.not_after", 0x04, "OCTET STRING is not an alternative of UTCTime"),
    ("server.pem", "signature_value", 0x04, "expected BIT STRING, found OCTET STRING"),
    ("revoke.pem", "tbs_cert_list.next_update", 0x16, "IA5String found; no component with this tag is allowed here"),
    ("request.pem", "certification_request_info.attributes[0]", 0x31, "found SET"),
]


@pytest.mark.parametrize(("name", "path", "tag", "error"), OTHER_TAGS)
def test_a_file_that_is_der_but_no_longer_of_its_type_is_not_der_of_an_unknown_type(
    name: str, path: str, tag: int, error: str, empty_folder: None
) -> None:
    data = bytearray(pem.one(example(name)))
    Path("a.der").write_bytes(data)
    (found,) = json.loads(run("grep", path, "a.der", "--json").stdout)
    data[found["matches"][0]["offset"]] = tag
    Path("a.der").write_bytes(data)
    parse(data)
    for command in (("show",), ("lint",), ("view", "-o", "out.html"), ("grep", "x")):
        result = run(*command, "a.der", status=1)
        assert error in result.output
        assert "DER of an unknown type" not in result.output
    assert "DER of an unknown type" in run("show", "a.der", "--type", "der").output


@pytest.mark.parametrize("data", ["30030a0109", "300b06032a0304a00205003100", "300730030201053000"])
def test_other_der_that_begins_like_a_known_type_stays_der(data: str) -> None:
    assert "DER of an unknown type" in run("show", "-", stdin=bytes.fromhex(data)).output


def test_the_page_of_ber_that_cannot_be_converted_has_the_error(empty_folder: None) -> None:
    data = pem.one(example("report.p7m"))
    whole = b"\x30\x80" + bytes(parse(data).content) + b"\0\0"
    # The last octet of an OBJECT IDENTIFIER says that another follows, so the file cannot be converted.
    place = whole.index(bytes.fromhex("06092a864886f70d010701"))
    Path("a.p7m").write_bytes(whole[: place + 10] + b"\x81" + whole[place + 11 :])
    result = run("view", "a.p7m", "--ber", "-o", "a.html", status=1)
    assert f"at offset {place}: OBJECT IDENTIFIER 2a 86 " in result.stderr


def test_a_missing_tag_does_not_make_values_of_the_elements_of_a_file(empty_folder: None) -> None:
    data = pem.one(example("server.pem"))
    words = "the length of an element has no tag: a byte before it is missing"
    end = len(data)
    second = f"value 2 (offset {end}): at offset {end}: {words}, or is in the value before it"
    files = [
        (data[1:], [], f"at offset 0: {words}"),
        (data[:-1] + data, [1], second),
        (data + data[1:], [1], second),
        (data + data[1:] + data, [1, 3], second),
    ]
    for octets, values, message in files:
        Path("a.der").write_bytes(octets)
        for command in ("show", "lint", "cert", "dump"):
            result = run(command, "a.der", status=1)
            assert result.stderr == f"derlib: a.der: {message} (X.690 8.1.2)\n"
            assert [value for value in (1, 2, 3) if f"a.der: value {value} " in result.stdout] == values


#: Files without their last octets, which begin with other tags than those of SEQUENCE and SET.
CUT = [
    "a103800105 a10380",
    "bf4f03800105 bf4f0380",
    "bf4f06800105 8002",
    "7f814803800105 7f",
    "6106800105 8002",
    "800105 80",
]


@pytest.mark.parametrize("octets", CUT)
def test_a_file_with_any_first_tag_is_shown_up_to_the_fault(octets: str, empty_folder: None) -> None:
    Path("a.der").write_bytes(bytes.fromhex(octets))
    result = run("dump", "a.der", status=1)
    assert "[0] 05\n" in result.stdout
    assert result.stderr.startswith("derlib: a.der: at offset ")
    assert run("view", "a.der", status=1).stderr == result.stderr
    assert Path("a.der.html").exists()


@pytest.mark.parametrize("octets", ["3f03800105", "ff4f03800105", "bf4f89800105", "9f4f0105", "bf80810305"])
def test_data_that_do_not_begin_like_a_file_of_elements_are_not_shown(octets: str) -> None:
    result = run("dump", "-", stdin=bytes.fromhex(octets) + b"\x80", status=1)
    assert result.stdout == ""
    assert "it is probably not ASN.1; at offset " in result.stderr
