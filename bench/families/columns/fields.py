"""The fields of certificates that every library of the family `columns` reads: columns of `certificates_table`.

derlib's table has more columns, which are read and not compared, such as `key_kind`, `key_curve` and `public_key`. The
facts of a certificate are a tuple of these fields: numbers, texts, seconds since 1970 for times, hexadecimal digits for
bytes, and lists, which are empty if the extension is absent.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

FIELDS = (
    "version",
    "serial_number",
    "signature_algorithm",
    "issuer",
    "not_before",
    "not_after",
    "subject",
    "key_algorithm",
    "key_size",
    "dns_names",
    "email_addresses",
    "ip_addresses",
    "uris",
    "is_ca",
    "path_length",
    "key_usage",
    "extended_key_usage",
    "policies",
    "subject_key_identifier",
    "authority_key_identifier",
    "crl_urls",
    "ocsp_urls",
    "ca_issuer_urls",
    "extensions",
    "critical",
)
LISTS = {
    *("dns_names", "email_addresses", "ip_addresses", "uris", "extended_key_usage", "policies"),
    *("crl_urls", "ocsp_urls", "ca_issuer_urls"),
}


def plain(name: str, value: Any) -> object:
    """Return a value of Python in the form of the facts."""
    if value is None and name in LISTS:
        return []
    if name == "serial_number" and isinstance(value, int):
        value = value.to_bytes((value.bit_length() + 7) // 8, "big")
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime):
        return int(value.timestamp())
    return value


def certificate_facts(table: Mapping[str, Sequence[Any]]) -> Iterator[object]:
    """Yield the fields of every certificate in a table of Python values."""
    for row in zip(*(table[name] for name in FIELDS), strict=True):
        yield tuple(plain(name, value) for name, value in zip(FIELDS, row, strict=True))
