"""The columns of the ready-made tables: of certificates, and of the entries of CRLs.

`derlib.schemas.x509.certificates_table` and `derlib.schemas.crl.entries_table` read them. For a table of your own, take
columns from here and pass them to `derlib.columns`:

    >>> import derlib
    >>> from derlib.schemas.tables import CERTIFICATE_COLUMNS
    >>> from derlib.schemas.x509 import Certificate
    >>> names = ("serial_number", "not_after")
    >>> derlib.columns(Certificate, [], {name: CERTIFICATE_COLUMNS[name] for name in names})
    Columns(serial_number: binary, not_after: timestamp[s, UTC])

The tables have these columns by default. `with_display_names` adds those that are read only if they are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from derlib import Column
from derlib.oids import name_of
from derlib.schemas.key_kinds import CURVE_SIZE_BY_OID, KIND_BY_OID

__all__ = ["CERTIFICATE_COLUMNS", "CRL_ENTRY_COLUMNS", "chosen", "with_display_names"]

_TBS = "tbs_certificate"
_KEY = f"{_TBS}.subject_public_key_info"
_EXTENSIONS = f"{_TBS}.extensions"
_ACCESS = f'{_EXTENSIONS}["1.3.6.1.5.5.7.1.1"][]'
_FIELD = "specified_curve.field_id"
# The algorithms whose keys are RSAPublicKey, and those whose parameters are ECParameters.
_RSA, _EC = ([oid for oid, kind in KIND_BY_OID.items() if kind == wanted] for wanted in ("RSA", "EC"))
_CURVE_NAMES = {curve: name_of(curve) for curve in CURVE_SIZE_BY_OID}
_ALT_NAMES = f'{_EXTENSIONS}["2.5.29.17"]'

#: The columns of `certificates_table`, by name. docs/tables.md describes each of them.
CERTIFICATE_COLUMNS: Final[dict[str, Column]] = {
    "version": Column(f"{_TBS}.version"),
    "serial_number": Column(f"{_TBS}.serial_number", "binary"),
    "signature_algorithm": Column("signature_algorithm.algorithm"),
    "issuer": Column(f"{_TBS}.issuer"),
    "not_before": Column(f"{_TBS}.validity.not_before"),
    "not_after": Column(f"{_TBS}.validity.not_after"),
    "subject": Column(f"{_TBS}.subject"),
    "key_algorithm": Column(f"{_KEY}.algorithm.algorithm"),
    "key_kind": Column(f"{_KEY}.algorithm.algorithm", "text", KIND_BY_OID),
    "key_size": Column((
        *(Column(f'{_KEY}["{rsa}"].modulus', "bits") for rsa in _RSA),
        *(Column(f'{_KEY}.algorithm["{ec}"].named_curve', "int64", CURVE_SIZE_BY_OID) for ec in _EC),
        *(Column(f'{_KEY}.algorithm["{ec}"].{_FIELD}["1.2.840.10045.1.1"].parameters', "bits") for ec in _EC),
        *(Column(f'{_KEY}.algorithm["{ec}"].{_FIELD}["1.2.840.10045.1.2"].m') for ec in _EC),
        Column(f'{_KEY}.algorithm["1.2.840.10040.4.1"].p', "bits"),
        Column(f'{_KEY}.algorithm["1.2.840.10046.2.1"].p', "bits"),
        Column(f'{_KEY}.algorithm["1.2.840.113549.1.3.1"].prime', "bits"),
    )),
    "key_curve": Column(tuple(
        Column(f'{_KEY}.algorithm["{ec}"].named_curve', "text", _CURVE_NAMES) for ec in _EC
    )),
    "key_parameters": Column(f"{_KEY}.algorithm.parameters", "encoding"),
    "public_key": Column(f"{_KEY}.subject_public_key"),
    "subject_alt_names": Column(f"{_ALT_NAMES}[]", "display"),
    "dns_names": Column(f"{_ALT_NAMES}.dns_name"),
    "email_addresses": Column(f"{_ALT_NAMES}.rfc822_name"),
    "ip_addresses": Column(f"{_ALT_NAMES}.ip_address"),
    "uris": Column(f"{_ALT_NAMES}.uniform_resource_identifier"),
    "is_ca": Column(f'{_EXTENSIONS}["2.5.29.19"].ca'),
    "path_length": Column(f'{_EXTENSIONS}["2.5.29.19"].path_len_constraint'),
    "key_usage": Column(f'{_EXTENSIONS}["2.5.29.15"]'),
    "extended_key_usage": Column(f'{_EXTENSIONS}["2.5.29.37"][]'),
    "policies": Column(f'{_EXTENSIONS}["2.5.29.32"].policy_identifier'),
    "subject_key_identifier": Column(f'{_EXTENSIONS}["2.5.29.14"]'),
    "authority_key_identifier": Column(f'{_EXTENSIONS}["2.5.29.35"].key_identifier'),
    "crl_urls": Column(f'{_EXTENSIONS}["2.5.29.31"].distribution_point.full_name.uniform_resource_identifier'),
    "ocsp_urls": Column(f'{_ACCESS}["1.3.6.1.5.5.7.48.1"].access_location.uniform_resource_identifier'),
    "ca_issuer_urls": Column(f'{_ACCESS}["1.3.6.1.5.5.7.48.2"].access_location.uniform_resource_identifier'),
    "extensions": Column(f"{_EXTENSIONS}[].extn_id"),
    "critical": Column(f"{_EXTENSIONS}[].critical"),
}

_LIST = "tbs_cert_list"
_ENTRY = f"{_LIST}.revoked_certificates[*]"
_ENTRY_EXTENSIONS = f"{_ENTRY}.crl_entry_extensions"
_LIST_EXTENSIONS = f"{_LIST}.crl_extensions"

#: The columns of `entries_table`, by name. docs/tables.md describes each of them.
CRL_ENTRY_COLUMNS: Final[dict[str, Column]] = {
    "serial_number": Column(f"{_ENTRY}.user_certificate", "binary"),
    "revocation_date": Column(f"{_ENTRY}.revocation_date"),
    "reason": Column(f'{_ENTRY_EXTENSIONS}["2.5.29.21"]'),
    "invalidity_date": Column(f'{_ENTRY_EXTENSIONS}["2.5.29.24"]'),
    "certificate_issuer": Column(f'{_ENTRY_EXTENSIONS}["2.5.29.29"]'),
    "issuer": Column(f"{_LIST}.issuer"),
    "this_update": Column(f"{_LIST}.this_update"),
    "next_update": Column(f"{_LIST}.next_update"),
    "crl_number": Column(f'{_LIST_EXTENSIONS}["2.5.29.20"]', "binary"),
    "base_crl_number": Column(f'{_LIST_EXTENSIONS}["2.5.29.27"]', "binary"),
    "authority_key_identifier": Column(f'{_LIST_EXTENSIONS}["2.5.29.35"].key_identifier'),
}


#: The columns of names, in the form of RFC 4514. Each has another one for people, with `_display` after its name. That
#: one is read only if it is named, because it takes time, most of all for each entry of a CRL.
_NAMES = ("issuer", "subject")


def with_display_names(known: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns of a table, and after each column of names, such as `issuer`, the column `issuer_display`.

    >>> from derlib.schemas.tables import CRL_ENTRY_COLUMNS
    >>> [name for name in with_display_names(CRL_ENTRY_COLUMNS) if name not in CRL_ENTRY_COLUMNS]
    ['issuer_display']
    """
    columns: dict[str, Column] = {}
    for name, column in known.items():
        columns[name] = column
        if name in _NAMES:
            columns[f"{name}_display"] = Column(column.path, "display")
    return columns


def chosen(
    known: Mapping[str, Column], names: Iterable[str] | None, extra: Mapping[str, str | Column] | None
) -> dict[str, str | Column]:
    """Return the paths of the columns `names` of a table, or of all in `known`, and then those of `extra`.

    Raises:
        ValueError: neither `known` nor its `with_display_names` has a column with a name in `names`.

    >>> list(chosen(CRL_ENTRY_COLUMNS, ["reason"], {"version": "tbs_cert_list.version"}))
    ['reason', 'version']
    """
    paths: dict[str, str | Column] = dict(known)
    if names is not None:
        names = [names] if isinstance(names, str) else list(names)
        every = with_display_names(known)
        unknown = [name for name in names if name not in every]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not a column of this table; they are {', '.join(every)}")
        paths = {name: every[name] for name in names}
    return {**paths, **(extra or {})}
