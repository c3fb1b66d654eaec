"""The programs of examples/ that are ports write the same as the programs before."""

import subprocess
import sys

import pytest

pytest.importorskip("bench", reason="bench/ is not beside the tests")
pytest.importorskip("asn1crypto")
pytest.importorskip("cryptography")

from bench.paths import ROOT
from bench.ported import __main__ as ported
from bench.ported.inputs import AAGUID, PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_port_writes_the_same(program, tmp_path):
    data = tmp_path / "input"
    data.write_bytes(program.make(1000 if program.count > 10_000 else 30))
    before, after = ported.outputs(program, data)
    assert before == after
    assert len(after[0]) > 50


def test_the_outputs_of_the_linter_show_every_fault(tmp_path):
    [program] = [program for program in PROGRAMS if program.name == "crl_lint"]
    (tmp_path / "input").write_bytes(program.make(2000))
    _, (output, status) = ported.outputs(program, tmp_path / "input")
    assert status == 1
    for fault in ("revoked after", "reason certificate_hold", "critical extension 2.5.29.21", "occurs twice"):
        assert fault in output


def port(name, *arguments):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr, done.returncode


def test_a_model_that_is_not_an_octet_string_is_a_fault_of_an_authenticator_only_for_the_port(tmp_path):
    [program] = [program for program in PROGRAMS if program.name == "webauthn"]
    from cryptography import x509

    from derlib import pem

    text = program.make(1)
    [der] = pem.decode(text)
    model = bytes.fromhex(f"0410{AAGUID}")
    # An INTEGER with the same contents octets: the program before does not look at the tag.
    changed = pem.encode(der.replace(model, b"\x02" + model[1:]), "CERTIFICATE")
    assert x509.load_pem_x509_certificate(changed.encode()).extensions
    (tmp_path / "input").write_text(changed, encoding="utf-8")
    (before, _), (after, status) = ported.outputs(program, tmp_path / "input")
    assert before == "1: valid\n"
    assert (after, status) == ("1: the AAGUID is another one, or is not valid\n", 1)


def test_the_deviations_of_an_endorsement_certificate_are_listed(tmp_path):
    [program] = [program for program in PROGRAMS if program.name == "endorsement"]
    (tmp_path / "input").write_bytes(program.make(2))
    output, _, status = port("endorsement", "--deviations", tmp_path / "input")
    assert status == 0
    assert [line.split()[0] for line in output.splitlines()] == [
        "1:", "DEFAULT_ENCODED", "NAMED_BITS", "DEFAULT_ENCODED", "2:"
    ]


@pytest.mark.parametrize("name", [program.name for program in PROGRAMS])
def test_a_port_reports_wrong_arguments_and_damaged_input(name, tmp_path):
    assert port(name)[2] == 2
    (tmp_path / "input").write_text("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", encoding="utf-8")
    options = [AAGUID] if name == "webauthn" else []
    output, errors, status = port(name, *options, tmp_path / "input")
    assert status == 1
    assert "is missing; derlib.identify" in output + errors
    assert "Traceback" not in errors
