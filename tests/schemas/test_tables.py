"""The ready-made tables have the values that the properties of certificates and CRLs have."""

from pathlib import Path

import certifi
import cryptography_vectors
import pytest
from support import arrow
from support.pages import page

import derlib
from derlib import pem
from derlib.schemas.crl import CertificateList, CRLReason, entries_table
from derlib.schemas.tables import CERTIFICATE_COLUMNS, CRL_ENTRY_COLUMNS, with_display_names
from derlib.schemas.x509 import BasicConstraints, Certificate, CertificatePolicies, certificates_table

SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
VECTORS = Path(cryptography_vectors.__file__).parent / "x509"


def valid(type_, files):
    """Return the encodings in files that are values of the type, and all encodings."""
    every = [one for file in files for one in octets(file)]
    good = []
    for data in every:
        try:
            type_.decode(data)
        except derlib.ASN1Error:
            continue
        good.append(data)
    return good, every


def octets(file):
    data = file.read_bytes()
    if not pem.is_pem(data):
        return [data]
    try:
        return [block.der for block in pem.blocks(data)]
    except derlib.PEMError:
        return []


def files(*patterns):
    """Return the files of cryptography_vectors, and of ../shared/data if it is there."""
    folders = (VECTORS, SHARED_DATA)
    return [path for folder in folders for pattern in patterns for path in sorted(folder.rglob(pattern))]


CERTIFICATES, EVERY_CERTIFICATE = valid(
    Certificate, [*files("*.crt", "*.pem", "cert/*.der"), Path(certifi.where())]
)
CRLS, EVERY_CRL = valid(CertificateList, files("*.crl", "crl*.pem", "crl/*.der"))


def number(contents):
    return None if contents is None else int.from_bytes(contents, "big", signed=True)


def certificate_row(data):
    """Return the row of a certificate, by the views."""
    certificate = Certificate.decode(data)
    tbs = certificate.tbs_certificate
    key = tbs.subject_public_key_info
    policies = certificate.get(CertificatePolicies)
    names = {"dns_name": [], "rfc822_name": [], "ip_address": [], "uniform_resource_identifier": []}
    for name in certificate.subject_alt_names:
        names.get(name.alternative, []).append(name.value)
    dns, email, ip, uris = names.values() if certificate.get("2.5.29.17") is not None else [None] * 4
    constraints = certificate.get(BasicConstraints)
    access = certificate.get("1.3.6.1.5.5.7.1.1")
    return {
        "version": int(tbs.version),
        "serial_number": certificate.serial_number,
        "signature_algorithm": certificate.signature_algorithm.algorithm.dotted,
        "issuer": str(certificate.issuer),
        "issuer_display": certificate.issuer.display(),
        "not_before": certificate.not_before,
        "not_after": certificate.not_after,
        "subject": str(certificate.subject),
        "subject_display": certificate.subject.display(),
        "key_algorithm": key.algorithm.algorithm.dotted,
        "key_kind": kind_of(key),
        "key_size": key.size,
        "key_curve": key.curve,
        "key_parameters": encoding(key.algorithm, "parameters"),
        "public_key": key.raw("subject_public_key")[1:],
        "subject_alt_names": None if dns is None else [str(name) for name in certificate.subject_alt_names],
        "dns_names": dns,
        "email_addresses": email,
        "ip_addresses": ip,
        "uris": uris,
        "is_ca": None if constraints is None else constraints.ca,
        "path_length": None if constraints is None else constraints.path_len_constraint,
        "key_usage": None if certificate.key_usage is None else int(certificate.key_usage),
        "extended_key_usage": [one.dotted for one in certificate.extended_key_usage] or None,
        "policies": None if policies is None else [one.policy_identifier.dotted for one in policies],
        "subject_key_identifier": certificate.key_identifier,
        "authority_key_identifier": certificate.authority_key_identifier,
        "crl_urls": None if certificate.get("2.5.29.31") is None else list(certificate.crl_urls),
        "ocsp_urls": None if access is None else list(certificate.ocsp_urls),
        "ca_issuer_urls": None if access is None else list(certificate.ca_issuer_urls),
        "extensions": None if tbs.extensions is None else [one.extn_id.dotted for one in tbs.extensions],
        "critical": None if tbs.extensions is None else [one.critical for one in tbs.extensions],
    }


def kind_of(key):
    """Return the kind of a key; an algorithm without a kind is dotted in the table."""
    return key.algorithm.algorithm.dotted if key.kind == key.algorithm.algorithm.name else key.kind


def encoding(value, field):
    span = value.span(field)
    return None if span is None else value.der[span.offset - value.span().offset : span.end - value.span().offset]


def crl_rows(data):
    """Return the rows of a CRL, by the views."""
    crl = CertificateList.decode(data)
    tbs = crl.tbs_cert_list
    extensions = {one.extn_id.dotted: one.extn_value for one in tbs.crl_extensions or ()}
    authority = extensions.get("2.5.29.35")
    for entry in tbs.revoked_certificates or ():
        found = {one.extn_id.dotted: one.extn_value for one in entry.crl_entry_extensions or ()}
        yield {
            "serial_number": entry.user_certificate,
            "revocation_date": entry.revocation_date,
            "reason": None if entry.reason is None else int(entry.reason),
            "invalidity_date": entry.invalidity_date,
            "certificate_issuer": None if "2.5.29.29" not in found else found["2.5.29.29"].der,
            "issuer": str(crl.issuer),
            "issuer_display": crl.issuer.display(),
            "this_update": crl.this_update,
            "next_update": crl.next_update,
            "crl_number": crl.number,
            "base_crl_number": extensions.get("2.5.29.27"),
            "authority_key_identifier": None if authority is None else authority.key_identifier,
        }


def rows(table, numbers):
    """Return the rows of a table; the columns `numbers` are the contents octets of integers."""
    columns = arrow.table(table)
    for name in numbers:
        columns[name] = [number(one) for one in columns[name]]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_certificates_have_the_values_of_their_properties():
    assert len(CERTIFICATES) > 500
    names = with_display_names(CERTIFICATE_COLUMNS)
    table = rows(certificates_table(CERTIFICATES, names), ["serial_number"])
    for data, row in zip(CERTIFICATES, table, strict=True):
        assert row == certificate_row(data)
    for name in names:
        assert any(row[name] for row in table), f"no certificate has {name}"


def test_entries_have_the_values_of_their_properties():
    assert len(CRLS) > 150
    expected = [row for data in CRLS for row in crl_rows(data)]
    names = with_display_names(CRL_ENTRY_COLUMNS)
    table = rows(entries_table(CRLS, names), ["serial_number", "crl_number", "base_crl_number"])
    assert table == expected
    for name in names:
        assert any(row[name] for row in table), f"no entry has {name}"
    assert {row["reason"] for row in table} > {None, int(CRLReason.key_compromise)}


def kind_of_error(type_, data):
    """Return the kind of the fault in an input, None if it is valid."""
    try:
        type_.decode(data)
    except derlib.DecodeError as error:
        return error.kind
    return None


@pytest.mark.parametrize(
    ("read", "type_", "data"),
    [(certificates_table, Certificate, EVERY_CERTIFICATE), (entries_table, CertificateList, EVERY_CRL)],
)
def test_input_that_is_not_valid_is_a_row_of_nulls_with_its_error(read, type_, data):
    table = arrow.table(read([*data, None], on_error="null", input_column="number"))
    errors = dict(zip(table["number"], table["error"], strict=True))
    kinds = [kind_of_error(type_, one) for one in data]
    assert [errors.get(i) for i in range(len(data))] == kinds
    assert any(kinds)
    assert errors[len(data)] is None
    assert all(values[-1] is None for name, values in table.items() if name != "number")


def test_users_choose_columns_and_add_their_own():
    extra = {"inner": "tbs_certificate.signature.algorithm", "der": derlib.Column("tbs_certificate", "encoding")}
    table = arrow.table(certificates_table(CERTIFICATES[:2], ("not_after", "version"), extra=extra))
    assert list(table) == ["not_after", "version", "inner", "der"]
    assert table["der"] == [Certificate.decode(one).tbs_certificate.der for one in CERTIFICATES[:2]]
    assert entries_table([], "reason").schema == {"reason": "int64"}
    assert entries_table([], []).schema == {}
    # A column of the user can replace one of the table.
    assert entries_table([], ["issuer"], extra={"issuer": "tbs_cert_list.version"}).schema == {"issuer": "int64"}


def test_names_for_people_are_columns_that_must_be_named():
    assert list(certificates_table([]).schema) == list(CERTIFICATE_COLUMNS)
    assert list(entries_table([]).schema) == list(CRL_ENTRY_COLUMNS)
    assert entries_table([], "issuer_display").schema == {"issuer_display": "utf8"}
    added = [*CERTIFICATE_COLUMNS, "issuer_display", "subject_display"]
    assert list(certificates_table([], added).schema) == added
    with pytest.raises(ValueError, match="'subject_display' is not a column of this table"):
        entries_table([], ["subject_display"])


def test_a_wrong_name_and_a_wrong_path_are_errors():
    with pytest.raises(ValueError, match=r"^'reasons' is not a column of this table; they are serial_number, "):
        entries_table([], ["reason", "reasons"])
    with pytest.raises(KeyError, match="did you mean 'not_after'"):
        certificates_table([], [], extra={"x": "tbs_certificate.validity.not_afer"})


def test_the_page_describes_every_column():
    lines = [line.split("|") for line in page("tables.md").splitlines() if line.startswith("| `")]
    described = {line[1].strip().strip("`"): line[2].strip() for line in lines}
    for table in (
        certificates_table([], with_display_names(CERTIFICATE_COLUMNS)),
        entries_table([], with_display_names(CRL_ENTRY_COLUMNS)),
    ):
        for name, type_ in table.schema.items():
            assert described[name].strip("`").split("`")[0] == type_, name
