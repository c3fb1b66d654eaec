"""`derlib lint`: all breaches with their places, what ends the reading, and agreement with the strict rules."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import BAD, CERTIFICATE, CRL, HOSTILE, SMALL, command, der, make_certificate, put, run, run_json

import derlib
from derlib import Deviation, pem
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

pytestmark = pytest.mark.usefixtures("empty_folder")

# A TRUE that is not ff in a value and beside it.
TWICE = CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("3003010101")).replace(
    bytes.fromhex("0101ff0404"), bytes.fromhex("0101070404")
)


def lint(file: str, *options: str, status: int = 0) -> Any:
    (document,) = run_json("lint", file, *options, status=status)
    return document["lint"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(CERTIFICATE, "certificate"), (CRL, "certificate revocation list"), (SMALL, "DER of an unknown type")],
)
def test_a_sound_document_is_said_to_be_sound_and_as_what(data: bytes, kind: str) -> None:
    put(a_der=data)
    assert run("lint", "a.der").stdout == f"a.der: no faults, as {'' if kind.startswith('DER') else 'a '}{kind}\n"


def test_all_breaches_are_told_with_place_and_clause() -> None:
    put(a_der=TWICE)
    first, second = TWICE.index(b"\x30\x03\x01\x01\x01") + 2, TWICE.index(b"\x01\x01\x07")
    path = "tbs_certificate.extensions"
    assert run("lint", "a.der", status=1).stdout.splitlines() == [
        f"a.der: offset {first}: {path}[0].extn_value.ca: TRUE is not encoded as ff (X.690 11.1) [boolean-true]",
        f"a.der: offset {second}: {path}[1].critical: TRUE is not encoded as ff (X.690 11.1) [boolean-true]",
    ]
    assert run("lint", "a.der", "--tolerate", "boolean-true").stdout == "a.der: no faults, as a certificate\n"
    assert len(lint("a.der", "--tolerate", "named-bits", status=1)["faults"]) == 2


def test_json_has_the_documented_keys() -> None:
    put(a_pem=pem.encode(TWICE, "CERTIFICATE"))
    (document,) = run_json("lint", "a.pem", status=1)
    assert document.keys() == {"file", "block", "label", "line", "lint"}
    assert document["lint"].keys() == {"type", "valid", "faults"}
    assert (document["lint"]["type"], document["lint"]["valid"]) == ("cert", False)
    assert document["lint"]["faults"][1] == {
        "offset": TWICE.index(b"\x01\x01\x07"),
        "path": ["tbs_certificate", "extensions", 1, "critical"],
        "message": "TRUE is not encoded as ff",
        "rule": "X.690 11.1",
        "kind": "boolean-true",
        "deviation": "boolean-true",
    }


def test_each_deviation_has_its_words() -> None:
    from derlib.cli.documents.faults import MESSAGES

    assert MESSAGES.keys() == {one for one in Deviation.__members__.values() if one.value & (one.value - 1) == 0}


def test_a_value_that_does_not_fit_its_type_says_what_does_not_fit() -> None:
    bad = CERTIFICATE.replace(bytes.fromhex("30030101ff"), bytes.fromhex("3003800105"))
    put(a_der=bad)
    (breach,) = lint("a.der", status=1)["faults"]
    assert breach["deviation"] == "open-type"
    assert breach["path"] == ["tbs_certificate", "extensions", 0, "extn_value"]
    assert breach["message"].startswith("a value does not have the type that its identifier selects: ")
    with pytest.raises(derlib.DecodeError) as strict:
        Certificate.decode(bad)
    assert (breach["offset"], breach["rule"]) == (strict.value.offset, strict.value.rule)


def test_what_nothing_tolerates_ends_it_and_is_told_last() -> None:
    # The arc of the last algorithm is not finished.
    place = TWICE.rindex(bytes.fromhex("0d01010b"))
    put(a_der=TWICE[: place + 3] + b"\x8b" + TWICE[place + 4 :])
    lines = run("lint", "a.der", status=1).stdout.splitlines()
    assert [line.count("[boolean-true]") for line in lines] == [1, 1, 0, 0] or len(lines) == 3
    assert "signature_algorithm.algorithm" in lines[-2]
    assert "(X.690 8.19.2, 8.20.2)" in lines[-2]
    assert lines[-1].startswith("a.der: linting as a certificate stopped at this fault;")
    found = lint("a.der", status=1)
    assert found["end"]["path"] == ["signature_algorithm", "algorithm"]
    assert found["end"]["offset"] == place - 7
    assert "deviation" not in found["end"]


def test_what_the_rules_without_a_type_find_is_told_in_full_all_the_same() -> None:
    # The last field is missing, so that it is no certificate; the tree of elements is there.
    cut = der(0x30, TWICE[4:-67])
    put(a_der=cut)
    assert [one["deviation"] for one in lint("a.der", "--type", "cert", status=1)["faults"]] == ["boolean-true"] * 2
    assert lint("a.der", "--type", "cert", status=1)["end"]["message"] != ""
    assert len(lint("a.der", "--type", "der", status=1)["faults"]) == 1


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_what_is_no_der_at_all_is_a_breach(data: bytes) -> None:
    put(bad_der=data)
    result = run("lint", "bad.der", status=1)
    assert 1 <= result.output.count("\n") <= 2
    assert result.output.startswith(("bad.der: offset ", "derlib: bad.der: "))
    json.loads(run("lint", "bad.der", "--json", status=1).stdout)


def test_a_type_can_be_asked_for() -> None:
    put(a_der=SMALL, a_crl=CRL)
    assert lint("a.der", "--type", "crl", status=1)["end"]["path"] == ["tbs_cert_list"]
    assert lint("a.crl", "--type", "der")["type"] == "der"
    run("lint", "a.der", "--type", "nonsense", status=2)


def test_the_label_says_what_a_block_should_be() -> None:
    put(a_pem=pem.encode(CRL, "CERTIFICATE"))
    assert lint("a.pem", status=1)["type"] == "cert"


def test_good_and_bad_and_absent_files() -> None:
    put(a_der=CERTIFICATE, b_der=TWICE)
    result = run("lint", "a.der", "absent", "b.der", status=1)
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["a.der:", "b.der:", "b.der:"]
    assert result.stderr.startswith("derlib: absent: ")


def test_nothing_in_a_file_reaches_the_terminal_raw() -> None:
    name = HOSTILE.replace("\n", "") + ".der"
    Path(name).write_bytes(make_certificate(HOSTILE).replace(b"\x55\x04\x03\x0c", b"\x55\x04\x03\x13"))
    for options in ((), ("--json",)):
        output = run("lint", name, *options, status=1).stdout
        assert output.replace("\n", "").isprintable()


def test_octets_that_were_changed_at_random_are_sound_for_lint_if_they_are_for_decode() -> None:
    chance = random.Random(690)
    sound = broken = 0
    for round_ in range(250):
        kind, type_, original = (("cert", Certificate, CERTIFICATE), ("crl", CertificateList, CRL))[round_ % 2]
        data = bytearray(original)
        for _ in range(chance.randint(1, 2)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        put(a_der=bytes(data))
        result = CliRunner().invoke(command, ["lint", "a.der", "--type", kind, "--json"])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        found = json.loads(result.stdout)[0]["lint"]
        fault: derlib.ASN1Error | None = None
        try:
            type_.decode(bytes(data))
        except derlib.ASN1Error as error:
            fault = error
        if fault is None:
            sound += 1
            assert (result.exit_code, found["valid"], found["faults"]) == (0, True, [])
        else:
            broken += 1
            assert (result.exit_code, found["valid"]) == (1, False)
            places = [one["offset"] for one in [*found["faults"], *filter(None, [found.get("end")])]]
            assert getattr(fault, "offset", 0) in places
    assert sound > 20
    assert broken > 100
