"""The programs of examples/ work: they run as a user runs them, on certificates and CRLs that are created here."""

from __future__ import annotations

import csv
import http.client
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from derlib import BitString, pem
from derlib.schemas.crl import (
    CertificateIssuer,
    CertificateList,
    CRLReason,
    IssuingDistributionPoint,
    RevokedCertificate,
    TBSCertList,
)
from derlib.schemas.x509 import (
    AuthorityKeyIdentifier,
    BasicConstraints,
    Certificate,
    Extension,
    Extensions,
    GeneralName,
    KeyUsage,
    Name,
    SubjectAltName,
    SubjectPublicKeyInfo,
    TBSCertificate,
    Validity,
    Version,
    sa_ed25519,
)

PROJECT = Path(__file__).resolve().parent.parent
EXAMPLES = PROJECT / "examples"
if not EXAMPLES.is_dir():
    pytest.skip("examples/ is not beside the tests", allow_module_level=True)

NOW = datetime.now(timezone.utc).replace(microsecond=0)
DAY = timedelta(days=1)
SECRET = "a secret that only the tests know"
SITE = {"CN": "site", "emailAddress": "ann@example.org"}
SITE_NAME = "emailAddress=ann@example.org, CN=site"
YEAR_0 = {"GeneralizedTime": "00000101000000Z"}
DELTA = Extension(extn_id="2.5.29.27", critical=True, extn_value=1)
UNMARKED_DELTA = Extension(extn_id="2.5.29.27", extn_value=1)
PARTIAL = Extension.of(IssuingDistributionPoint(only_contains_user_certs=True))
INDIRECT = Extension.of(IssuingDistributionPoint(indirect_crl=True), critical=True)
OF_ANOTHER = Extension.of(CertificateIssuer([{"directory_name": Name.of({"CN": "Another CA"})}]), critical=True)


def run(program: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of examples/."""
    return subprocess.run(
        [sys.executable, EXAMPLES / program, *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8", **environment},
    )


class Authority:
    """The issuer of certificates and CRLs."""

    def __init__(self, name: str) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.name = Name.of({"CN": name})
        self.certificate = self.certify(1, name, Extension.of(BasicConstraints(ca=True), critical=True))

    def certify(self, serial_number: int, subject: str | dict[str, str], *extensions: Extension) -> Certificate:
        public = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        tbs = TBSCertificate(
            version=Version.v3,
            serial_number=serial_number,
            signature=sa_ed25519,
            issuer=self.name,
            validity=Validity(not_before=NOW - DAY, not_after=NOW + 365 * DAY),
            subject=Name.of({"CN": subject} if isinstance(subject, str) else subject),
            subject_public_key_info=SubjectPublicKeyInfo.decode(public),
            extensions=Extensions(list(extensions)) if extensions else None,
        )
        return Certificate(
            tbs_certificate=tbs, signature_algorithm=sa_ed25519, signature_value=BitString(self.key.sign(tbs.encode()))
        )

    def revoke(
        self,
        serials: Mapping[int, CRLReason | Extension | None] | Iterable[tuple[int, CRLReason | Extension | None]],
        *,
        this_update: datetime = NOW - DAY,
        days: int = 7,
        extensions: list[Extension] | None = None,
        version: Version = Version.v2,
        date: Any = NOW - DAY,
    ) -> CertificateList:
        entries = [
            RevokedCertificate(
                user_certificate=serial,
                revocation_date=date,
                crl_entry_extensions=None if extension is None else Extensions([
                    extension if isinstance(extension, Extension) else Extension.of(extension)
                ]),
            )
            for serial, extension in (serials.items() if isinstance(serials, Mapping) else serials)
        ]
        tbs = TBSCertList(
            version=version,
            signature=sa_ed25519,
            issuer=self.name,
            this_update=this_update,
            next_update=this_update + days * DAY,
            revoked_certificates=entries or None,
            crl_extensions=None if extensions is None else Extensions(extensions),
        )
        return CertificateList(
            tbs_cert_list=tbs, signature_algorithm=sa_ed25519, signature_value=BitString(self.key.sign(tbs.encode()))
        )


def put(path: Path, *values: Certificate | CertificateList) -> Path:
    """Write values as PEM, in one step, as a program that replaces a file should."""
    label = "CERTIFICATE" if isinstance(values[0], Certificate) else "X509 CRL"
    aside = path.with_suffix(".new")
    aside.write_text("".join(pem.encode(value.encode(), label) for value in values))
    aside.replace(path)
    return path


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority("Example CA")


PLANTED = {
    "any is all": ("return any(matches", "return all(matches"),
    "an attribute that is not there": ("attributes.get(equality.type, ())", "attributes[equality.type]"),
    "one error is not expected": ("except ASN1Error", "except ContentsError"),
    "the number is lost": ("Message(id=request.id, operation=each)", "Message(id=1, operation=each)"),
    "the limit is one too low": ("count > search.size_limit", "count >= search.size_limit"),
    "all attributes are given": ("if not search.attributes or type in", "if True or type in"),
}
# An example that fails is not shrunk.
FIRST_FOUND = """
settings.register_profile("first found", settings.get_profile("derlib"), phases=["generate"])
settings.load_profile("first found")
"""


@pytest.mark.parametrize("fault", PLANTED)
def test_the_fuzzing_of_the_directory_finds_a_planted_fault(fault, tmp_path):
    sound, broken = PLANTED[fault]
    text = (EXAMPLES / "directory.py").read_text(encoding="utf-8")
    assert text.count(sound) == 1
    text = text.replace("from derlib import ASN1Error,", "from derlib import ASN1Error, ContentsError,")
    (tmp_path / "directory.py").write_text(text.replace(sound, broken), encoding="utf-8")
    (tmp_path / "test_directory.py").write_bytes((EXAMPLES / "test_directory.py").read_bytes())
    settings = (PROJECT / "conftest.py").read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(settings + FIRST_FOUND, encoding="utf-8")
    # With a seed, each run tries the same examples.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=line", "--hypothesis-seed=1", "."],
        cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, "1 failed" in done.stdout) == (1, True), done.stdout + done.stderr


class TestCheckRevocation:
    @pytest.fixture
    def files(self, authority: Authority, tmp_path: Path) -> Path:
        (tmp_path / "crls").mkdir()
        crl = authority.revoke({2: CRLReason.key_compromise, 4: None})
        (tmp_path / "crls" / "a.crl").write_bytes(crl.encode())
        put(tmp_path / "ca.pem", authority.certificate)
        put(tmp_path / "two.pem", authority.certify(2, "two"))
        put(tmp_path / "three.pem", authority.certify(3, SITE))
        return tmp_path

    def check(self, files: Path, *names: str, **environment: str) -> tuple[int, list[str]]:
        done = run(
            "check_revocation.py", files / "crls", "--issuer", files / "ca.pem", "--cache", files / "cache",
            *(files / name for name in names), **environment,
        )
        return done.returncode, (done.stdout + done.stderr).splitlines()

    def test_the_check_reports_revoked_and_valid_certificates(self, files):
        yesterday = f"{NOW - DAY:%Y-%m-%d}"
        assert self.check(files, "two.pem", "three.pem") == (
            1,
            [f"revoked  CN=two ({yesterday}, key_compromise)", f"good     {SITE_NAME} (as of {yesterday})"],
        )
        assert self.check(files, "three.pem")[0] == 0

    @pytest.mark.parametrize(
        ("flaw", "name", "words"),
        [
            ("forged", "Example CA", "no known issuer signed it"),
            ("out of date", "Example CA", "it is not current"),
            ("of the future", "Example CA", "it is not current"),
            ("damaged", "", ""),
            ("of another", "Another CA", "no known issuer signed it"),
            ("a delta", "Example CA", "it is partial, or has a critical extension"),
            ("a delta that is not critical", "Example CA", "it is partial, or has a critical extension"),
            ("partial", "Example CA", "it is partial, or has a critical extension"),
            ("with entries of another issuer", "Example CA", "it is partial, or has a critical extension"),
            ("of a version that cryptography refuses", "Example CA", "no known issuer signed it"),
        ],
    )
    def test_an_unusable_crl_does_not_decide(self, files, authority, flaw, name, words):
        other = Authority("Example CA")
        crl = {
            "forged": lambda: other.revoke({}),
            "out of date": lambda: authority.revoke({}, this_update=NOW - 30 * DAY),
            "of the future": lambda: authority.revoke({}, this_update=NOW + DAY),
            "damaged": lambda: authority.revoke({}),
            "of another": lambda: Authority("Another CA").revoke({}),
            # Its signature is valid, but it contains only the changes since list number 1.
            "a delta": lambda: authority.revoke({}, extensions=[DELTA]),
            "a delta that is not critical": lambda: authority.revoke({}, extensions=[UNMARKED_DELTA]),
            "partial": lambda: authority.revoke({}, extensions=[PARTIAL]),
            "with entries of another issuer": lambda: authority.revoke({3: OF_ANOTHER}),
            "of a version that cryptography refuses": lambda: authority.revoke({}, version=Version.v1),
        }[flaw]().encode()
        (files / "crls" / "a.crl").write_bytes(crl[:-1] if flaw == "damaged" else crl)
        status, lines = self.check(files, "three.pem")
        assert status == 2
        answer, reason = lines
        assert answer == f"unknown  {SITE_NAME} (no current CRL of CN=Example CA)"
        assert reason.startswith(f"a.crl: the CRL of CN={name} is not used: " if flaw != "damaged" else "a.crl: ")
        assert reason.endswith(words)

    def test_a_crl_is_used_if_one_of_the_certificates_of_its_issuer_has_the_key(self, files, authority):
        old = Authority("Example CA").certificate
        for certificates in ((old, authority.certificate), (authority.certificate, old)):
            put(files / "ca.pem", *certificates)
            assert self.check(files, "two.pem")[0] == 1

    def test_the_names_of_an_issuer_can_differ_in_case_and_string_type(self, files, authority):
        other = Name.of({"CN": {"UTF8String": "EXAMPLE  ca"}})
        assert other != authority.name
        for path in ("ca.pem", "two.pem"):
            certificate = Certificate.decode(pem.one((files / path).read_bytes()))
            field = "subject" if path == "ca.pem" else "issuer"
            changed = certificate.tbs_certificate.replace(**{field: other})
            put(files / path, Certificate.signed(changed, authority.key.sign))
            assert self.check(files, "two.pem")[0] == 1

    def test_a_date_that_datetime_cannot_represent_still_revokes(self, files, authority):
        (files / "crls" / "a.crl").write_bytes(authority.revoke({3: None}, date=YEAR_0).encode())
        assert self.check(files, "three.pem")[1] == [f"revoked  {SITE_NAME} (00000101000000Z, no reason given)"]

    def test_only_the_newest_crl_of_a_key_counts(self, files, authority):
        hold = authority.revoke({3: CRLReason.certificate_hold}, this_update=NOW - 2 * DAY)
        (files / "crls" / "b.crl").write_bytes(hold.encode())
        assert self.check(files, "three.pem")[0] == 0

    def test_a_certificate_is_good_only_by_a_crl_with_the_key_that_signed_it(self, files, authority):
        # Some CAs publish a CRL for each of their keys.
        other = Authority("Example CA")
        put(files / "ca.pem", authority.certificate, other.certificate)
        of_key = {each: Extension.of(AuthorityKeyIdentifier(key_identifier=each)) for each in (b"1", b"2")}
        put(files / "three.pem", authority.certify(3, SITE, of_key[b"1"]))
        (files / "crls" / "a.crl").write_bytes(other.revoke({}, extensions=[of_key[b"2"]]).encode())
        status, [line] = self.check(files, "three.pem")
        assert (status, line) == (2, f"unknown  {SITE_NAME} (the current CRLs are of other keys of the issuer)")
        (files / "crls" / "b.crl").write_bytes(authority.revoke({}, extensions=[of_key[b"1"]]).encode())
        assert self.check(files, "three.pem")[0] == 0
        (files / "crls" / "a.crl").write_bytes(other.revoke({3: None}, extensions=[of_key[b"2"]]).encode())
        assert self.check(files, "three.pem")[0] == 1

    def test_a_certificate_that_must_not_sign_crls_does_not_make_one_valid(self, files, authority):
        usage = Extension.of(KeyUsage.digital_signature, critical=True)
        put(files / "ca.pem", authority.certify(1, "Example CA", usage))
        assert self.check(files, "three.pem")[0] == 2

    def test_a_key_that_cryptography_cannot_use_and_a_name_that_the_output_cannot_show_are_no_errors(
        self, files, authority
    ):
        key = SubjectPublicKeyInfo.decode(
            X25519PrivateKey.generate().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        )
        unusable = authority.certificate.replace_at("tbs_certificate.subject_public_key_info", key)
        put(files / "ca.pem", unusable, authority.certificate)
        put(files / "three.pem", authority.certify(3, "\u017b"))
        status, [line] = self.check(files, "three.pem", PYTHONIOENCODING="ascii")
        assert (status, line.split()[:2]) == (0, ["good", "CN=\\u017b"])

    def test_an_unreadable_crl_is_unknown_and_the_others_are_still_answered(self, files):
        (files / "crls" / "folder").mkdir()
        (files / "bad.pem").write_text("-----BEGIN CERTIFICATE-----\n!\n")
        status, lines = self.check(files, "missing.pem", "bad.pem", "three.pem")
        assert status == 2
        assert lines[0].startswith(f"good     {SITE_NAME} ")
        assert [line.partition(": ")[0] for line in lines[1:]] == ["folder", "missing.pem", "bad.pem"]

    @pytest.mark.parametrize("missing", ["folder", "issuer", "no certificate", "secret", "package"])
    def test_a_check_that_cannot_start_does_not_report_revoked(self, files, missing):
        folder, issuer, secret = "crls", "ca.pem", SECRET
        if missing == "folder":
            folder = "none"
        elif missing == "issuer":
            issuer = "none.pem"
        elif missing == "no certificate":
            (files / "ca.pem").write_text("nothing")
        elif missing == "package":
            (files / "blake2signer.py").write_text("raise ImportError('blake2signer is not installed')")
        else:
            secret = "short"
        done = run(
            "check_revocation.py", files / folder, "--issuer", files / issuer, "--cache", files / "cache",
            files / "three.pem", DERLIB_CACHE_SECRET=secret, PYTHONPATH=os.pathsep.join([str(files), str(PROJECT)]),
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr

    def test_the_cache_stores_the_result_for_a_list_and_an_issuer(self, files, authority):
        once = self.check(files, "two.pem", DERLIB_CACHE_SECRET=SECRET)
        kept = sorted((files / "cache").rglob("*"))
        assert any(path.is_file() for path in kept)
        assert self.check(files, "two.pem", DERLIB_CACHE_SECRET=SECRET) == once
        assert sorted((files / "cache").rglob("*")) == kept
        # The same list is forged if another key is that of the issuer: the result for the first does not apply.
        put(files / "ca.pem", Authority("Example CA").certificate)
        status, lines = self.check(files, "two.pem", DERLIB_CACHE_SECRET=SECRET)
        assert status == 2, lines


def test_the_inventory_has_a_row_for_each_certificate_valid_or_not(authority, tmp_path):
    hosts = SubjectAltName.of("a.example", GeneralName.of_ip("2001:db8::7"), "b.example")
    site = authority.certify(7, SITE, Extension.of(hosts))
    bundle = put(tmp_path / "bundle.pem", authority.certificate, site)
    broken = site.encode().replace(b"\x02\x01\x07", b"\x02\x81\x07")
    bundle.write_text(bundle.read_text() + pem.encode(broken, "CERTIFICATE") + "-----BEGIN CERTIFICATE-----\n!\n")
    done = run("inventory.py", bundle)
    assert (done.returncode, done.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["ca"] for row in rows] == ["yes", "no", "", ""]
    assert rows[1] == {
        "file": "bundle.pem", "line": rows[1]["line"], "subject": SITE_NAME, "issuer": "CN=Example CA",
        "serial": "0x07", "from": (NOW - DAY).isoformat(), "until": (NOW + 365 * DAY).isoformat(), "key": "Ed25519",
        "ca": "no", "hosts": "a.example b.example 2001:db8::7", "problem": "",
    }
    assert "tbs_certificate.serial_number" in rows[2]["problem"]
    lines = bundle.read_text().splitlines()
    assert [lines[int(row["line"]) - 1] for row in rows[:3]] == ["-----BEGIN CERTIFICATE-----"] * 3
    assert rows[3]["subject"] == ""
    assert rows[3]["problem"]


def test_the_inventory_is_utf_8_whatever_the_encoding_of_the_output(authority, tmp_path):
    path = put(tmp_path / "a.pem", authority.certify(1, "\u017b"))
    assert "CN=\u017b" in run("inventory.py", path, PYTHONIOENCODING="ascii").stdout


def test_the_inventory_has_a_row_for_a_file_without_certificates(authority, tmp_path):
    (tmp_path / "some.der").write_bytes(authority.certificate.encode())
    done = run("inventory.py", tmp_path / "some.der", tmp_path / "missing.pem")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["file"], row["line"], row["subject"], bool(row["problem"])) for row in rows] == [
        ("some.der", "", "", True), ("missing.pem", "", "", True)
    ]


@pytest.mark.parametrize(("program", "status"), [("inventory.py", 1), ("crl_diff.py", 2), ("revocation_service.py", 1)])
def test_a_program_without_arguments_prints_its_usage(program, status):
    done = run(program)
    assert done.returncode == status
    assert f"{program} " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows does not have the signal SIGPIPE")
@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("check_revocation.py", [".", "ca.pem"]),
        ("crl_diff.py", ["old.pem", "new.pem"]),
        ("crl_lint.py", ["old.pem"]),
        ("crl_to_json.py", ["old.pem"]),
        ("endorsement.py", ["ca.pem"]),
        ("inventory.py", ["ca.pem"]),
        ("webauthn.py", ["00" * 16, "ca.pem"]),
    ],
)
def test_a_program_ends_without_an_error_if_the_reader_closes_the_pipe(authority, tmp_path, program, arguments):
    put(tmp_path / "ca.pem", authority.certificate)
    put(tmp_path / "old.pem", authority.revoke({1: CRLReason.certificate_hold}))
    put(tmp_path / "new.pem", authority.revoke({2: None}))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, EXAMPLES / program, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=300,
        check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert "BrokenPipeError" not in done.stderr
    assert done.returncode == -signal.SIGPIPE


def test_the_inventory_of_the_roots_of_certifi(certifi_roots, tmp_path):
    certifi = pytest.importorskip("certifi")
    done = run("inventory.py", certifi.where())
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == len(certifi_roots)
    assert {row["problem"] for row in rows} == {""}
    assert {row["ca"] for row in rows} >= {"yes"}
    assert any(row["key"] == "RSA 4096" for row in rows)


def test_the_difference_of_two_lists(authority, tmp_path):
    old = put(tmp_path / "old.pem", authority.revoke({1: None, 2: None, 3: CRLReason.certificate_hold}))
    new = put(tmp_path / "new.pem", authority.revoke({2: None, 3: CRLReason.key_compromise, 0x10: None}))
    date = f"{NOW - DAY:%Y-%m-%d}"
    done = run("crl_diff.py", old, new)
    assert (done.returncode, done.stdout.splitlines()) == (
        1, [f"~ 3 {date} certificate_hold -> {date} key_compromise", f"+ 10 {date}", f"- 1 {date}"]
    )
    assert run("crl_diff.py", old, old).returncode == 0
    other = put(tmp_path / "other.pem", Authority("Another CA").revoke({}))
    done = run("crl_diff.py", old, other)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{authority.name} is not CN=Another CA\n"
    # The same name in another case and string type.
    renamed = Authority("Example CA")
    renamed.name = Name.of({"CN": {"UTF8String": "Example ca"}})
    assert run("crl_diff.py", old, put(tmp_path / "renamed.pem", renamed.revoke({1: None}))).returncode == 1
    for bad in (tmp_path / "none.crl", put(tmp_path / "ca.pem", authority.certificate)):
        done = run("crl_diff.py", old, bad)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{bad}: ")


def test_the_difference_shows_each_entry_of_a_serial_number(authority, tmp_path):
    pairs = [(1, None), (1, CRLReason.key_compromise), (2, None)]
    old = put(tmp_path / "old.pem", authority.revoke(pairs))
    new = put(tmp_path / "new.pem", authority.revoke(pairs[::2]))
    date = f"{NOW - DAY:%Y-%m-%d}"
    assert run("crl_diff.py", old, new).stdout.splitlines() == [f"- 1 {date} key_compromise"]
    assert run("crl_diff.py", new, old).stdout.splitlines() == [f"+ 1 {date} key_compromise"]
    assert run("crl_diff.py", old, old).returncode == 0


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [(None, DELTA, "different critical extensions"), (INDIRECT, INDIRECT, "the CRLs are indirect")],
)
def test_crls_with_other_certificates_are_not_compared(authority, tmp_path, before, after, problem):
    paths = [
        put(tmp_path / name, authority.revoke({1: None}, extensions=None if extension is None else [extension]))
        for name, extension in (("old.pem", before), ("new.pem", after))
    ]
    done = run("crl_diff.py", *paths)
    assert (done.returncode, done.stdout, problem in done.stderr) == (2, "", True)


def test_a_date_that_datetime_cannot_represent_is_shown_as_it_is(authority, tmp_path):
    old = put(tmp_path / "old.pem", authority.revoke({1: None}, date=YEAR_0))
    new = put(tmp_path / "new.pem", authority.revoke({}))
    done = run("crl_diff.py", old, new)
    assert (done.returncode, done.stdout) == (1, "- 1 00000101000000Z\n")
    done = run("crl_lint.py", old)
    assert (done.returncode, done.stdout[:34]) == (1, "1: GeneralizedTime 00000101000000Z")


def test_the_linter_reports_a_reason_that_rfc_5280_does_not_have(authority, tmp_path):
    done = run("crl_lint.py", put(tmp_path / "a.crl", authority.revoke({1: CRLReason(11), 2: CRLReason.superseded})))
    assert (done.returncode, done.stdout) == (1, "1: reason unknown (11)\n")


def test_json_has_every_attribute_of_the_issuer_and_no_entries_of_another(authority, tmp_path):
    without_common_name = Authority("none")
    without_common_name.name = Name.of([("C", "EE"), ("OU", "a"), ("OU", "b")])
    done = run("crl_to_json.py", put(tmp_path / "a.crl", without_common_name.revoke({1: None})))
    assert json.loads(done.stdout)["issuer"] == [["2.5.4.6", "EE"], ["2.5.4.11", "a"], ["2.5.4.11", "b"]]
    done = run("crl_to_json.py", put(tmp_path / "a.crl", authority.revoke({1: OF_ANOTHER}, extensions=[INDIRECT])))
    assert (done.returncode, done.stdout, "the extension 2.5.29.28 is not processed" in done.stderr) == (1, "", True)
    done = run("crl_to_json.py", put(tmp_path / "a.crl", authority.revoke({1: None}, extensions=[UNMARKED_DELTA])))
    assert (done.returncode, done.stdout) == (1, "")


def test_a_number_in_the_name_of_an_authenticator_is_a_fault_and_not_a_crash(authority, tmp_path):
    # C and O are INTEGERs.
    name = Name.decode(bytes.fromhex("301e 310d 300b 0603550406 0204 00bc614e 310d 300b 060355040a 0204 00bc614e"))
    certificate = authority.certificate.replace_at("tbs_certificate.subject", name)
    done = run("webauthn.py", "00" * 16, put(tmp_path / "a.pem", certificate))
    assert done.stdout.split("; ")[:2] == [
        "1: the country is not a code of two letters", "the vendor or the common name is missing"
    ]


def test_an_authenticator_must_have_basic_constraints(authority, tmp_path):
    without, made = authority.certify(2, "a"), authority.certify(3, "b", Extension.of(BasicConstraints()))
    path = put(tmp_path / "a.pem", without, made)
    fault = "the certificate has no basic constraints, or is that of a CA"
    assert [fault in line for line in run("webauthn.py", "00" * 16, path).stdout.splitlines()] == [True, False]


def test_the_model_of_an_authenticator_can_have_hyphens(authority, tmp_path):
    path = put(tmp_path / "a.pem", authority.certificate)
    identifier = "cb69481e-8ff7-4039-93ec-0a2729a154a8"
    outputs = {run("webauthn.py", each, path).stdout for each in (identifier, identifier.replace("-", ""))}
    assert len(outputs) == 1
    assert "1: " in outputs.pop()


class TestRevocationService:
    @pytest.fixture
    def path(self, authority, tmp_path):
        return put(tmp_path / "now.crl", authority.revoke({0x1002: CRLReason.key_compromise, 0x1003: None}))

    @pytest.fixture
    def port(self, path, monkeypatch):
        monkeypatch.syspath_prepend(EXAMPLES)
        import revocation_service

        with revocation_service.server(path) as server:
            server.daemon_threads = True
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            yield server.server_port
            server.shutdown()
            thread.join()

    @staticmethod
    def ask(connection: http.client.HTTPConnection, path: str) -> tuple[int, dict[str, object]]:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def test_the_service_reports_whether_a_serial_number_is_revoked(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        assert self.ask(connection, "/1002") == (
            200,
            {"serial": "1002", "revoked": True, "date": f"{NOW - DAY:%Y-%m-%d}", "reason": "key_compromise"},
        )
        assert self.ask(connection, "/1003")[1]["reason"] is None
        assert self.ask(connection, "/1004") == (200, {"serial": "1004", "revoked": False})
        assert self.ask(connection, "/0x1002") == self.ask(connection, "/1002")
        for wrong in ("/", "/xyz", "/1002/", "/" + 41 * "1"):
            assert self.ask(connection, wrong)[0] == 404
        connection.close()

    def test_an_answer_is_sent_in_one_piece(self, port):
        # Sending head and body separately costs 40 ms a request: the second waits until the client acknowledges the
        # first.
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            for _ in range(20):
                connection.sendall(b"GET /1002 HTTP/1.1\r\nHost: here\r\n\r\n")
                first = connection.recv(65536)
                assert first.endswith(b"}"), "the body did not come with the head"

    def test_many_clients_at_once_get_the_answer_of_one_list_or_the_next(self, port, path, authority):
        # Serial number 1 is revoked in the lists of one kind, 2 in those of the other: an answer must not mix them.
        kinds = [authority.revoke({serial: None, 5: CRLReason.superseded}) for serial in (1, 2)]
        put(path, kinds[0])
        # While one request reads a new list, others are answered from the old one, here that of the fixture.
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            assert self.ask(connection, "/5")[1]["revoked"] is True
        over = threading.Event()

        def client(number: int) -> int:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
                for asked in range(100):
                    status, told = self.ask(connection, f"/{(5, 1, 6)[asked % 3]:x}")
                    assert status == 200
                    assert told["serial"] == "516"[asked % 3]
                    assert told["revoked"] is {0: True, 2: False}.get(asked % 3, told["revoked"])
            return 100

        def replace() -> int:
            count = 0
            while not over.is_set():
                count += 1
                put(path, kinds[count % 2])
            return count

        with ThreadPoolExecutor(9) as pool:
            replacing = pool.submit(replace)
            try:
                assert sum(pool.map(client, range(8))) == 800
            finally:
                over.set()
            assert replacing.result() > 1
        put(path, kinds[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        assert [self.ask(connection, f"/{serial}")[1]["revoked"] for serial in (1, 2)] == [False, True]
        connection.close()

    def test_an_invalid_new_file_does_not_replace_the_old_list(self, port, path, capfd):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        path.write_bytes(b"\x30\x05no CRL")
        assert self.ask(connection, "/1002")[1]["revoked"] is True
        assert "the old CRL remains in use" in capfd.readouterr().err
        path.unlink()
        assert self.ask(connection, "/1002")[1]["revoked"] is True
        connection.close()

    @pytest.mark.parametrize(
        ("entries", "extensions"),
        [
            ({}, [DELTA]), ({}, [INDIRECT]), ({3: OF_ANOTHER}, None),
            # These must be critical (RFC 5280 sections 5.2.4 and 5.2.5).
            ({}, [UNMARKED_DELTA]), ({}, [PARTIAL]),
        ],
    )
    def test_a_list_that_is_not_complete_does_not_replace_the_old_list(
        self, port, path, authority, entries, extensions
    ):
        put(path, authority.revoke(entries, extensions=extensions))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        assert self.ask(connection, "/1002")[1]["revoked"] is True
        connection.close()

    def test_an_outdated_list_gives_no_answers(self, port, path, authority):
        put(path, authority.revoke({}, this_update=NOW - 30 * DAY))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        assert self.ask(connection, "/1002")[0] == 503
        connection.close()

    def test_the_service_runs_as_a_program(self, path):
        child = subprocess.Popen(
            [sys.executable, "-u", EXAMPLES / "revocation_service.py", path, "0"],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        try:
            place = child.stdout.readline()
            connection = http.client.HTTPConnection("127.0.0.1", int(place.split(":")[2].split("/")[0]), timeout=60)
            assert self.ask(connection, "/1002")[1]["revoked"] is True
            connection.close()
        finally:
            child.terminate()
            child.stdout.close()
            child.wait(timeout=60)
