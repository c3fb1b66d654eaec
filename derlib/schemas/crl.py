"""Certificate revocation lists: RFC 5280 section 5, with every extension of lists and entries typed.

Import this module to work with CRLs. The types that CRLs share with certificates come from `derlib.schemas.x509`.

    >>> from derlib.schemas.crl import CertificateList
    >>> crl = CertificateList.decode(open("ca.crl", "rb").read())  # doctest: +SKIP
    >>> entry = crl.revoked_certificates[0]  # doctest: +SKIP
    >>> entry.reason  # doctest: +SKIP
    <CRLReason.key_compromise: 1>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from derlib import BitString, Explicit, GeneralizedTime, Sequence, SequenceOf
from derlib._core import indexed_value
from derlib._signing import signature_of, version_error
from derlib.oids import register_known
from derlib.schemas.crl_extensions import (
    CertificateIssuer,
    CRLNumber,
    CRLReason,
    IssuingDistributionPoint,
    id_ce_certificate_issuer,
    id_ce_crl_number,
    id_ce_crl_reasons,
    id_ce_delta_crl_indicator,
    id_ce_expired_certs_on_crl,
    id_ce_hold_instruction_code,
    id_ce_invalidity_date,
    id_ce_issuing_distribution_point,
)
from derlib.schemas.extension_properties import HasExtensions, HasFingerprint, typed_value
from derlib.schemas.x509 import (
    AlgorithmIdentifier,
    AuthorityKeyIdentifier,
    CertificateSerialNumber,
    Extension,
    Extensions,
    FreshestCRL,
    IssuerAltName,
    Name,
    Time,
    Version,
    id_ce_authority_key_identifier,
    id_ce_freshest_crl,
    id_ce_issuer_alt_name,
)

if TYPE_CHECKING:
    from derlib import Column, Columns, Deviation, Limits

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "AlgorithmIdentifier",
    "AuthorityKeyIdentifier",
    "CRLReason",
    "CertificateIssuer",
    "CertificateList",
    "CertificateSerialNumber",
    "Extension",
    "Extensions",
    "FreshestCRL",
    "IssuerAltName",
    "IssuingDistributionPoint",
    "Name",
    "RevokedCertificate",
    "TBSCertList",
    "Time",
    "Version",
    "entries_table",
    "id_ce_authority_key_identifier",
    "id_ce_certificate_issuer",
    "id_ce_crl_number",
    "id_ce_crl_reasons",
    "id_ce_delta_crl_indicator",
    "id_ce_expired_certs_on_crl",
    "id_ce_freshest_crl",
    "id_ce_hold_instruction_code",
    "id_ce_invalidity_date",
    "id_ce_issuer_alt_name",
    "id_ce_issuing_distribution_point",
]


class RevokedCertificate(HasExtensions, Sequence):
    """An entry of a CRL (RFC 5280 section 5.1.2.6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            userCertificate      CertificateSerialNumber,
            revocationDate       Time,
            crlEntryExtensions   Extensions OPTIONAL }   -- if present, version MUST be v2

    `revocation_date` is a `datetime` in UTC. Entries without `crl_entry_extensions` have no reason.

    >>> entry = RevokedCertificate.decode(bytes.fromhex(
    ...     "3020 020107 170d3236313030393132333030305a 300c300a0603551d1504030a0101"
    ... ))
    >>> entry.serial_number, str(entry.revocation_date), entry.reason
    (7, '2026-10-09 12:30:00+00:00', <CRLReason.key_compromise: 1>)
    """

    user_certificate: CertificateSerialNumber
    revocation_date: Time
    crl_entry_extensions: Extensions | None = None

    @property
    def serial_number(self) -> int:
        """The serial number of the certificate, which is the field `user_certificate` (RFC 5280 section 5.1.2.6)."""
        return self.user_certificate

    @property
    def extensions(self) -> Extensions | None:
        """The field `crl_entry_extensions`, the extensions of the entry. `get` returns the value of one of them."""
        return self.crl_entry_extensions

    @property
    def reason(self) -> CRLReason | None:
        """Why the certificate was revoked; None if the extension is absent (RFC 5280 section 5.3.1).

        Raises:
            DecodeError: the value of the extension is not a reason, and `Deviation.OPEN_TYPE` was tolerated.
        """
        extensions = self.crl_entry_extensions
        found: Any = None if extensions is None else extensions.get(CRLReason)
        # `typed_value` alone has the same result, but is slower by a fifth; lists have many entries.
        if found is None or isinstance(found, CRLReason):
            return found
        reason: CRLReason = typed_value(found, CRLReason, self)
        return reason

    @property
    def invalidity_date(self) -> datetime | None:
        """When the key was compromised or became invalid, in UTC; None if it is not said (RFC 5280 section 5.3.2).

        Raises:
            DecodeError: the value of the extension is not a time, and `Deviation.OPEN_TYPE` was tolerated.
            UnrepresentableError: `datetime` cannot represent the time.
        """
        extensions = self.crl_entry_extensions
        found = None if extensions is None else extensions.get(id_ce_invalidity_date)
        date: datetime | None = typed_value(found, GeneralizedTime, self)
        return date


class TBSCertList(Sequence):
    """The part of a CRL that is signed (RFC 5280 section 5.1.2).

    ::

        TBSCertList ::= SEQUENCE {
            version               Version OPTIONAL,   -- if present, MUST be v2
            signature             AlgorithmIdentifier,
            issuer                Name,
            thisUpdate            Time,
            nextUpdate            Time OPTIONAL,
            revokedCertificates   SEQUENCE OF SEQUENCE { ... } OPTIONAL,   -- see RevokedCertificate
            crlExtensions         [0] EXPLICIT Extensions OPTIONAL }

    The times are `datetime` values in UTC. `signature` repeats the algorithm of the signature. A list without entries
    has None as `revoked_certificates`.

    >>> from datetime import datetime, timezone
    >>> tbs = TBSCertList(
    ...     version=Version.v2,
    ...     signature=AlgorithmIdentifier.of("id-Ed25519"),
    ...     issuer=Name.of({"CN": "Example CA"}),
    ...     this_update=datetime(2026, 10, 9, 12, 30, tzinfo=timezone.utc),
    ... )
    >>> len(tbs.encode()), TBSCertList.decode(tbs.encode()) == tbs
    (50, True)
    """

    version: Version | None = None
    signature: AlgorithmIdentifier
    issuer: Name
    this_update: Time
    next_update: Time | None = None
    revoked_certificates: SequenceOf[RevokedCertificate] | None = None
    crl_extensions: Annotated[Extensions, Explicit(0)] | None = None


class CertificateList(HasExtensions, HasFingerprint, Sequence, ber="keep"):
    """A certificate revocation list (RFC 5280 section 5.1.1).

    ::

        CertificateList ::= SEQUENCE {
            tbsCertList          TBSCertList,
            signatureAlgorithm   AlgorithmIdentifier,
            signatureValue       BIT STRING }

    The signed bytes are ``tbs_cert_list.der``. The properties are fields of `tbs_cert_list` and the values of
    extensions.

    >>> crl = CertificateList.decode(bytes.fromhex(
    ...     "3058 304c 020101 300506032b6570 300d310b3009060355040313024341 170d3236313030393132333030305a"
    ...     "30223020 020107 170d3236313030393132333030305a 300c300a0603551d1504030a0101 300506032b6570 030100"
    ... ))
    >>> str(crl.issuer), str(crl.this_update), crl.next_update, crl.number
    ('CN=CA', '2026-10-09 12:30:00+00:00', None, None)
    >>> [(entry.serial_number, entry.reason) for entry in crl.revoked_certificates]
    [(7, <CRLReason.key_compromise: 1>)]
    >>> crl.find(8) is None
    True
    """

    tbs_cert_list: TBSCertList
    signature_algorithm: AlgorithmIdentifier
    signature_value: BitString

    @classmethod
    def signed(cls, tbs_cert_list: TBSCertList, sign: Callable[[bytes], bytes]) -> CertificateList:
        """Return the CRL with its signature, whose algorithm is ``tbs_cert_list.signature``.

        Args:
            tbs_cert_list: the part to sign.
            sign: a function that takes the bytes to sign and returns the signature, as for `Certificate.signed`.

        Raises:
            TypeError: `tbs_cert_list` is not a `TBSCertList`, or `sign` does not return bytes.
            ConstraintError: `tbs_cert_list` or one of its entries has extensions, and its version is not v2 (RFC 5280
                section 5.1.2.1).

        >>> tbs = TBSCertList.decode(bytes.fromhex(
        ...     "3028 020101 300506032b6570 300d310b3009060355040313024341 170d3236313030393132333030305a"
        ... ))
        >>> CertificateList.signed(tbs, lambda data: bytes(64)).signature_algorithm.name  # instead of key.sign
        'id-Ed25519'
        """
        signature = signature_of(tbs_cert_list, TBSCertList, sign, _require_v2)
        return cls(
            tbs_cert_list=tbs_cert_list, signature_algorithm=tbs_cert_list.signature, signature_value=signature
        )

    @property
    def issuer(self) -> Name:
        """The name of the CA that issued the list (RFC 5280 section 5.1.2.3)."""
        return self.tbs_cert_list.issuer

    @property
    def this_update(self) -> datetime:
        """When the list was issued, in UTC (RFC 5280 section 5.1.2.4).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.tbs_cert_list.this_update

    @property
    def next_update(self) -> datetime | None:
        """The latest time of the next list, in UTC; None if it is not said (RFC 5280 section 5.1.2.5).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.tbs_cert_list.next_update

    @property
    def revoked_certificates(self) -> SequenceOf[RevokedCertificate]:
        """The entries, in the order of the list; empty if there are none (RFC 5280 section 5.1.2.6)."""
        entries = self.tbs_cert_list.revoked_certificates
        return SequenceOf[RevokedCertificate]() if entries is None else entries

    @property
    def extensions(self) -> Extensions | None:
        """The extensions of the list, or None if there are none; `get` returns the value of one (section 5.1.2.7)."""
        return self.tbs_cert_list.crl_extensions

    @property
    def number(self) -> int | None:
        """The number of the list; None if the extension cRLNumber is absent (RFC 5280 section 5.2.3).

        Raises:
            DecodeError: the value of the extension is not a `CRLNumber`, and `Deviation.OPEN_TYPE` was tolerated.
        """
        found: int | None = typed_value(self.get(id_ce_crl_number), CRLNumber, self)
        return found

    @property
    def authority_key_identifier(self) -> bytes | None:
        """The identifier of the issuer's key; None if the extension has none or is absent (RFC 5280 section 5.2.1).

        Raises:
            DecodeError: the value of the extension has another type, and `Deviation.OPEN_TYPE` was tolerated.
        """
        found = self._typed(AuthorityKeyIdentifier)
        return None if found is None else found.key_identifier

    def find(self, serial_number: int) -> RevokedCertificate | None:
        """Return the first entry with this serial number, or None if there is none.

        The first call builds an index of about eight bytes per entry, which the CRL keeps. The entries of an indirect
        CRL (section 5.3.3) can belong to several issuers: `find_all` returns every entry with the number.

        Raises:
            ConstraintError: `serial_number` is not an int.
        """
        entries = self.tbs_cert_list.revoked_certificates
        return None if entries is None else indexed_value(entries, "user_certificate", serial_number)

    def find_all(self, serial_number: int) -> tuple[RevokedCertificate, ...]:
        """Return all entries with this serial number, in the order of the list.

        The first call builds the index that `find` uses, too.

        Raises:
            ConstraintError: `serial_number` is not an int.
        """
        entries = self.tbs_cert_list.revoked_certificates
        return () if entries is None else entries.index_by("user_certificate").find_all(serial_number)


def _require_v2(tbs: TBSCertList) -> None:
    """Raise ConstraintError if there are extensions, also of an entry, in a CRL of another version."""
    if tbs.version == Version.v2:
        return
    entries = tbs.revoked_certificates or ()
    if tbs.crl_extensions is not None or any(each.crl_entry_extensions is not None for each in entries):
        raise version_error(tbs.version, Version.v2, "RFC 5280 5.1.2.1")


def entries_table(
    data: Any,
    names: Iterable[str] | None = None,
    *,
    extra: Mapping[str, str | Column] | None = None,
    on_error: Literal["raise", "null"] = "raise",
    input_column: str | None = None,
    batch_rows: int = 65536,
    tolerate: Deviation | None = None,
    limits: Limits | None = None,
    threads: int = 1,
) -> Columns:
    """Read the entries of CRLs as rows of a table, without a Python object for each entry.

    The columns are described in docs/tables.md. pyarrow, Polars, DuckDB and pandas take the result.

    Args:
        data: one CRL, or an iterable of CRLs, as for `derlib.columns`.
        names: the names of the columns to read; None for the usual ones, which leave out the names for reading, such
            as `issuer_display`. Fewer columns take less time.
        extra: paths of more columns, as for `derlib.columns`.
        on_error: ``"raise"`` stops at the first CRL that is not valid. ``"null"`` gives it a row of nulls, and
            adds the columns `error`, `error_offset` and `error_rule`.
        input_column: the name of a column with the number of each row's CRL, from 0; None for no such column.
        batch_rows: the most rows of a batch.
        tolerate: the deviations from DER that each CRL may have; None for none.
        limits: the limits of each CRL; None for the limits of `decode`.
        threads: the number of threads, from 1 to 256.

    Raises:
        ValueError: the table has no column with a name in `names`, or an option is not valid.
        KeyError: the type has no part at a path in `extra`.

    >>> entries_table([], ["serial_number", "reason"])
    Columns(serial_number: binary, reason: int64)
    """
    from derlib import columns
    from derlib.schemas.tables import CRL_ENTRY_COLUMNS, chosen

    return columns(
        CertificateList,
        data,
        chosen(CRL_ENTRY_COLUMNS, names, extra),
        on_error=on_error,
        input_column=input_column,
        batch_rows=batch_rows,
        tolerate=tolerate,
        limits=limits,
        threads=threads,
    )


# Values of holdInstructionCode, RFC 3280 section 5.3.2.
register_known(
    {
        "1.2.840.10040.2.1": "id-holdinstruction-none",
        "1.2.840.10040.2.2": "id-holdinstruction-callissuer",
        "1.2.840.10040.2.3": "id-holdinstruction-reject",
    }
)
