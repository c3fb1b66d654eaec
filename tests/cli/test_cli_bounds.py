"""The size of the output for hostile files: bounded in text, proportional to the file in JSON."""

from __future__ import annotations

import pytest
from support.commands import put, run
from support.der import der
from support.operations import certificate, entry, extension, in_strings, nested, oid, revocations

import derlib
from derlib.cli.documents.paths import PathFinder, item_at, root_item
from derlib.cli.rendering.values import path_text
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")

COUNT = 40_000
BITS = der(0x03, b"\0" + b"\xff" * COUNT)
LONG_TIME = der(0x18, b"20260101000000." + b"1" * COUNT + b"Z")
# Elements of two bytes each.
NAMES = der(0x30, b"\x82\x00" * (COUNT // 2))
CERTIFICATES = {
    "named bits": certificate(extension("551d0f", BITS)),
    "bits in a list": certificate(extension("551d1f", der(0x30, der(0x30, b"\x81" + BITS[1:])))),
    "a serial number": certificate(serial=b"\x7f" * COUNT),
    "times": certificate(time=LONG_TIME),
    "an identifier": certificate(extension("551d25", der(0x30, oid("2a" + "01" * COUNT)))),
    "the identifier of an extension": certificate(extension("2a" + "01" * COUNT, b"")),
    "names": certificate(extension("551d11", NAMES)),
    "opaque octets": certificate(extension("2a0304", bytes(COUNT))),
}
LISTS = {
    "extensions of an entry": revocations(entry(0, extension("2a0304", b"") * (COUNT // 9))),
    "a serial number": revocations(der(0x30, der(0x02, b"\x7f" * COUNT) + der(0x17, b"260101000000Z"))),
    "a time": revocations(der(0x30, b"\x02\x01\x05" + LONG_TIME)),
}
# At most 1,000 lines of an extension are shown, and the lines of names are short.
MOST_TEXT = 40_000
# In JSON, each element has its own line and its name.
MOST_JSON = 30


@pytest.mark.parametrize(
    ("command", "octets"),
    [
        *(pytest.param("cert", octets, id=f"cert, {name}") for name, octets in CERTIFICATES.items()),
        *(pytest.param("crl", octets, id=f"crl, {name}") for name, octets in LISTS.items()),
    ],
)
def test_text_of_a_hostile_file_is_bounded_and_json_is_proportional_to_its_size(command: str, octets: bytes) -> None:
    put(a_der=octets)
    text = run(command, "a.der").stdout
    assert max(map(len, text.splitlines())) < 1500
    assert len(text) < MOST_TEXT
    assert len(run(command, "a.der", "--json").stdout) < MOST_JSON * len(octets)


@pytest.mark.parametrize("octets", CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_converted_hostile_file_is_proportional_to_its_size(octets: bytes) -> None:
    put(a_der=octets)
    made = run("convert", "a.der", "--to", "json").stdout
    assert len(made) < MOST_JSON * len(octets)
    put(a_json=made)
    assert run("convert", "a.json", "--to", "der").stdout_bytes == octets


@pytest.mark.parametrize("octets", [*CERTIFICATES.values()], ids=CERTIFICATES)
def test_repr_and_pretty_of_a_hostile_value_are_bounded(octets: bytes) -> None:
    value = Certificate.decode(octets)
    assert len(repr(value)) < 20_000
    assert len(derlib.pretty(value, positions=True)) < 10_000
    # At most 1,000 lines for each extension, indented by their depth.
    assert len(derlib.pretty(value)) < 20_000


def test_a_long_extension_is_cut_with_a_note() -> None:
    put(a_der=CERTIFICATES["names"], b_der=certificate(extension("551d11", der(0x30, b"\x82\x01a" * 1000))))
    assert run("cert", "a.der").stdout.count("dns_name") == 1000
    assert run("cert", "a.der").stdout.endswith("and more (--json shows all)\n")
    assert "and more" not in run("cert", "b.der").stdout


def test_named_bits_are_shown_in_both_forms() -> None:
    put(a_der=certificate(extension("551d0f", b"\x03\x02\x01\x06")), b_der=CERTIFICATES["named bits"])
    assert "key_cert_sign, crl_sign\n" in run("cert", "a.der").stdout
    assert '"key_cert_sign",' in run("cert", "a.der", "--json").stdout
    assert f", ... {8 * COUNT} in all\n" in run("cert", "b.der").stdout
    assert '"value": "0xffff' in run("cert", "b.der", "--json").stdout


@pytest.mark.parametrize("strings", [0, 5], ids=["elements", "strings"])
def test_the_path_of_a_match_fits_a_line(strings: int) -> None:
    put(a_der=in_strings(nested(b"\x0c\x01a" * 100, 9), strings))
    found = run("grep", "a", "a.der", "--by", "text", status=0 if strings < 2 else 3).stdout
    assert all(len(line) < 500 for line in found.splitlines())
    put(b_der=nested(b"\x0c\x01a" * 100, 90))
    found = run("grep", "a", "b.der", "--by", "text").stdout
    assert found.count("...") == found.count("\n") == 100
    assert max(map(len, found.splitlines())) < 250


def test_a_long_path_is_cut_in_the_middle() -> None:
    assert path_text((*["a"] * 24, *["b"] * 24)) == ".".join(["a"] * 24 + ["b"] * 24)
    assert path_text((*["a"] * 24, "x", *["b"] * 24)) == ".".join(["a"] * 24 + ["..."] + ["b"] * 24)


def test_a_path_finder_finds_items_in_any_order() -> None:
    root = root_item(derlib.parse(nested(der(0x30, b"\x05\x00\x01\x01\xff") + der(0x30, b"\x02\x01\x05"), 2)))
    finder = PathFinder(root)
    for path in [(), (0,), (0, 0, 1), (0, 0, 2), (0, 0), (0, 1, 0), (0, 1), (1,), (0, 0, 0, 0), (0, 0, 0), (0, 1, 0)]:
        assert finder.find(path) == item_at(root, path), path


def test_each_mismatch_of_a_list_is_reported_once() -> None:
    values = der(0x31, b"\x05\x00" * 3)
    two = der(0x30, oid("2b06010505070901") + values) * 2
    put(a_der=certificate(extension("551d09", der(0x30, two))), b_der=certificate(extension("551d0f", b"\x05\x00") * 3))
    # The other lines say that the extension occurs more than once.
    reported = [line for line in run("lint", "b.der", status=1).stdout.splitlines() if line.endswith("[open-type]")]
    assert len(reported) == 3
    assert [f"extensions[{number}].extn_value" in line for number, line in enumerate(reported)] == [True] * 3
    assert run("lint", "a.der", status=0).stdout.endswith("no faults, as an X.509 Certificate\n")
