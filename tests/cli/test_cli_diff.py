"""`derlib diff`: the differences, by path, and nothing else."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.commands import BAD, CERTIFICATE, CRL, HOSTILE, SMALL, der, make_certificate, make_crl, put, rebuilt, run

from derlib import pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")


def diff(*options: str, status: int = 1) -> list[str]:
    return run("diff", "a.der", "b.der", *options, status=status).stdout.splitlines()


def changes(*options: str, status: int = 1) -> Any:
    return json.loads(run("diff", "a.der", "b.der", "--json", *options, status=status).stdout)


def test_equal_files_have_status_0_and_no_output() -> None:
    put(a_der=CERTIFICATE, b_der=pem.encode(CERTIFICATE, "CERTIFICATE"))
    assert diff(status=0) == []
    assert changes(status=0) == []


def test_the_number_of_a_block_counts_in_a_file_that_has_several() -> None:
    put(a_der=pem.encode(CERTIFICATE, "CERTIFICATE") + pem.encode(make_certificate("Other"), "CERTIFICATE"))
    put(b_der=make_certificate("Other"))
    assert "select one with --block N" in run("diff", "a.der", "b.der", status=2).stderr
    assert diff("--block", "2", status=0) == []
    assert diff("--block", "1") == ["~ tbs_certificate.subject.rdn_sequence[0][0].value: Test -> Other"]
    assert "block 3 does not exist" in run("diff", "a.der", "b.der", "--block", "3", status=2).stderr


def test_a_changed_field_is_shown_with_both_values() -> None:
    put(a_der=CERTIFICATE, b_der=make_certificate("Other"))
    assert diff() == ["~ tbs_certificate.subject.rdn_sequence[0][0].value: Test -> Other"]
    (change,) = changes()
    assert change == {
        "change": "changed",
        "path": ["tbs_certificate", "subject", "rdn_sequence", 0, 0, "value"],
        "old": {"offset": CERTIFICATE.index(b"\x0c\x04Test"), "value": "Test"},
        "new": {"offset": make_certificate("Other").index(b"\x0c\x05Other"), "value": "Other"},
    }


def test_fields_and_elements_in_only_one_file() -> None:
    extensions = Certificate.decode(CERTIFICATE).tbs_certificate.extensions
    assert extensions is not None
    put(a_der=CERTIFICATE, b_der=rebuilt(extensions=[*extensions[:1], *extensions[2:]]))
    (line,) = diff()
    assert line.startswith("- tbs_certificate.extensions[1]: extn_id: id-ce-keyUsage; critical: true; extn_value: ")
    put(a_der=rebuilt(extensions=None))
    assert diff()[0].startswith("+ tbs_certificate.extensions: ")
    put(a_der=CERTIFICATE, b_der=rebuilt(extensions=None))
    assert diff()[0].startswith("- tbs_certificate.extensions: ")
    put(a_der=rebuilt(extensions=[*extensions[1:], extensions[0]]), b_der=CERTIFICATE)
    assert diff() == ["~ tbs_certificate.extensions: the same elements in another order"]


def list_of(numbers: list[int]) -> bytes:
    """Return a CRL with the entries of `make_crl` that have these numbers."""
    whole = CertificateList.decode(make_crl(50))
    entries = whole.tbs_cert_list.revoked_certificates
    assert entries is not None
    chosen = [entries[number] for number in numbers]
    return whole.replace(tbs_cert_list=whole.tbs_cert_list.replace(revoked_certificates=chosen)).encode()


def test_an_inserted_or_removed_entry_does_not_affect_others() -> None:
    put(a_der=list_of([*range(40)]), b_der=list_of([45, *range(3), *range(4, 40), 44]))
    path = "tbs_cert_list.revoked_certificates"
    date = "2025-01-01T00:00:00Z"
    assert [line.split(";")[0] for line in diff()] == [
        f"- {path}[3]: user_certificate: 0x100003",
        f"+ {path}[0]: user_certificate: 0x10002d",
        f"+ {path}[40]: user_certificate: 0x10002c",
    ]
    assert all(date in line for line in diff())


def test_a_changed_element_is_matched_by_its_first_field() -> None:
    put(a_der=make_crl(20), b_der=make_crl(20).replace(b"\x10\x00\x07\x17\x0d25", b"\x10\x00\x07\x17\x0d24"))
    assert diff() == [
        "~ tbs_cert_list.revoked_certificates[7].revocation_date: 2025-01-01T00:00:00Z -> 2024-01-01T00:00:00Z"
    ]


def test_random_lists_differ_in_the_changed_entries() -> None:
    chance = random.Random(3)
    for _ in range(10):
        old, new = (sorted(chance.sample(range(50), chance.randint(1, 30))) for _ in "ab")
        put(a_der=list_of(old), b_der=list_of(new))
        found = changes(status=int(old != new))
        serials = {kind: {one[side]["value"]["user_certificate"] - 0x100000 for one in found if one["change"] == kind}
                   for kind, side in (("removed", "old"), ("added", "new"))}
        assert serials == {"removed": {*old} - {*new}, "added": {*new} - {*old}}


def test_other_types_are_compared_by_their_elements() -> None:
    put(a_der=SMALL, b_der=SMALL.replace("é".encode(), "è".encode()).replace(b"text", b"TEXT"))
    assert diff() == ['~ [1][0][1]: é -> è', "~ [4]: (opaque) 80:04:74:65:78:74 -> (opaque) 80:04:54:45:58:54"]
    put(b_der=b"\x02\x01\x05")
    assert diff()[0].startswith("~ all: (opaque) 30:")
    put(a_der=CERTIFICATE, b_der=CRL)
    assert diff()[0].startswith("- [0][0]: ")


def test_a_note_says_that_the_types_differ() -> None:
    put(a_der=CERTIFICATE, b_der=CRL, c_der=SMALL)
    message = "derlib: different types: a.der is an X.509 Certificate, and b.der is an X.509 CertificateList; "
    for options in ((), ("--json",)):
        assert run("diff", "a.der", "b.der", *options, status=1).stderr == message + "their elements are compared\n"
    assert "c.der is DER of an unknown type" in run("diff", "a.der", "c.der", status=1).stderr
    for pair in (("c.der", "c.der"), ("a.der", "a.der")):
        assert run("diff", *pair).stderr == ""
    assert run("diff", "a.der", "b.der", "--type", "der", status=1).stderr == ""


def test_values_with_equal_text_name_the_types_that_differ() -> None:
    printable = CERTIFICATE.replace(b"\x0c\x07Test CA", b"\x13\x07Test CA")
    assert printable != CERTIFICATE
    put(a_der=CERTIFICATE, b_der=printable)
    assert diff()[0].endswith(".value: Test CA (UTF8String -> PrintableString)")
    put(a_der=der(0x13, b"Test"), b_der=der(0x0C, b"Test"))
    assert diff() == ["~ all: Test (PrintableString -> UTF8String)"]


def test_values_with_equal_text_name_the_byte_that_differs() -> None:
    put(a_der=der(0x30, b"\x01\x01\xff"), b_der=der(0x30, b"\x01\x01\x01"))
    assert diff("--tolerate", "boolean-true") == ["~ [0]: true (byte 2 of its encoding differs)"]
    put(a_der=der(0x04, bytes(100)), b_der=der(0x04, bytes(99) + b"\1"))
    assert diff()[0].endswith("(byte 101 of its encoding differs)")
    # The elements are equal, but the length of their parent is not minimal.
    put(a_der=der(0x30, b"\x30\x03\x01\x01\xff"), b_der=der(0x30, b"\x30\x81\x03\x01\x01\xff"))
    assert diff("--tolerate", "length-form") == ["~ [0]: (opaque) 30:03:01:01:ff -> (opaque) 30:81:03:01:01:ff"]


def test_an_unreadable_file_has_status_2() -> None:
    put(a_der=CERTIFICATE)
    for name, data in BAD.items():
        Path("b.der").write_bytes(data)
        result = run("diff", "a.der", "b.der", status=2)
        assert (result.stdout, result.stderr.count("\n")) == ("", 1), name
        assert result.stderr.startswith("derlib: b.der: ")
    run("diff", "absent", "a.der", status=2)
    run("diff", "a.der", status=2)
    put(b_der=2 * pem.encode(CERTIFICATE, "CERTIFICATE"))
    assert "--block" in run("diff", "a.der", "b.der", status=2).stderr


def test_the_contents_of_a_file_are_escaped() -> None:
    put(a_der=make_certificate(HOSTILE), b_der=make_certificate("x", alternative="\x1b[2J"))
    for options in ((), ("--json",), ("--type", "der")):
        output = run("diff", "a.der", "b.der", *options, status=1).stdout
        assert output.replace("\n", "").isprintable()


def test_colours_are_written_only_on_request() -> None:
    put(a_der=CERTIFICATE, b_der=make_certificate("Other"))
    assert "\033[33m~ " in run("diff", "a.der", "b.der", "--color", status=1).stdout
    assert "\033[" not in run("diff", "a.der", "b.der", status=1).stdout


def test_long_lists_are_compared_completely() -> None:
    put(a_der=make_crl(30_000), b_der=make_crl(30_001))
    assert len(diff()) == 1
