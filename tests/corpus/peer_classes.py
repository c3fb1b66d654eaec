"""The table of disagreements with decoders of single elements, by class, each with its reason.

`test_peers.py` passes every element of `tests/rules` that can be decoded without a schema, of Go's tables and of the
free ASN.1 suite to derlib and to the peers of `peers.py`. If only the peer accepts, the class is the peer and the kind
of derlib's error. If only derlib accepts, it is the peer and "accepted XX" with the first identifier octet. A class
without a row fails, and so does a row without its class. The clause of a kind is that of the core (docs/rules.md).

It was written for asn1crypto 1.5, pyasn1 0.6, cryptography 50, and OpenSSL 3.0 and 3.6; other versions may need other
rows. A row that only a later version needs is not stale with an earlier one.
"""

from __future__ import annotations

from typing import NamedTuple


class Class(NamedTuple):
    """Kinds of disagreement with one peer that have one reason."""

    peer: str
    kinds: tuple[str, ...]
    reason: str
    later: bool


def _class(peer: str, kinds: str, reason: str, later: bool = False) -> Class:
    return Class(peer, tuple(kind.strip() for kind in kinds.split(",")), reason, later)


CLASSES = [
    # --- cryptography agrees with derlib in both directions, except for one limit.
    _class(
        "cryptography",
        "accepted 06",
        "an arc of up to 20 octets is within derlib's limit; cryptography holds 32 bits",
    ),
    # --- asn1crypto reads BER on purpose, and checks few contents.
    _class(
        "asn1crypto",
        "bits-padding, boolean-length, boolean-true, generalized-form, generalized-fraction, integer-empty, "
        "integer-not-minimal, null-contents, utc-form",
        "asn1crypto reads BER forms of contents in its strict way, too: strict forbids trailing data only",
    ),
    _class(
        "asn1crypto",
        "length-indefinite, length-not-minimal, string-constructed",
        "asn1crypto reads all of BER: indefinite and padded lengths, strings in parts",
    ),
    _class("asn1crypto", "length-reserved", "asn1crypto takes ff for 127 length octets, which X.690 8.1.3.5 c forbids"),
    _class("asn1crypto", "not-constructed, not-primitive", "asn1crypto does not look at the form of an identifier"),
    _class(
        "asn1crypto",
        "numeric, printable, visible",
        "asn1crypto decodes these strings as ASCII or Latin-1, no more",
    ),
    _class(
        "asn1crypto",
        "bmp",
        "asn1crypto decodes a BMPString as UTF-16, so that a pair of surrogates is a character",
    ),
    _class("asn1crypto", "oid-empty, oid-not-minimal, oid-unfinished", "asn1crypto reads any octets as arcs"),
    _class("asn1crypto", "oid-arc-limit, depth-limit", "limits of derlib; asn1crypto has none but Python's stack"),
    _class(
        "asn1crypto",
        "accepted 30, accepted 31",
        "asn1crypto needs a schema for SET, for ENUMERATED and for context tags inside",
    ),
    _class("asn1crypto", "accepted 0a", "asn1crypto needs the names of its items to read an ENUMERATED"),
    # --- pyasn1: its DER decoder forbids indefinite lengths and constructed strings, and otherwise is the BER decoder.
    _class(
        "pyasn1",
        "any-set-order, length-not-minimal, integer-not-minimal, tag-not-minimal, string-constructed",
        "the DER decoder of pyasn1 is its BER decoder without indefinite lengths and without OCTET and BIT STRINGs in "
        "parts; shortest forms and the order of sets are not checked",
    ),
    _class("pyasn1", "integer-empty", "pyasn1 reads an INTEGER without contents as 0"),
    _class("pyasn1", "bits-padding, bits-unused-empty", "pyasn1 drops unused bits without a look at them"),
    _class(
        "pyasn1",
        "generalized-form, generalized-fraction, generalized-range, utc-form, utc-range",
        "pyasn1 keeps a time as text, and reads it when it is asked for a datetime",
    ),
    _class("pyasn1", "numeric, printable, visible", "pyasn1 decodes these strings as ASCII, no more"),
    _class("pyasn1", "bmp", "pyasn1 decodes a BMPString as UTF-16, so that a pair of surrogates is a character"),
    _class("pyasn1", "oid-arc-limit, real-limit", "limits of derlib; pyasn1 has none"),
    _class(
        "pyasn1",
        "real-binary, real-decimal, real-exponent, real-mantissa, real-special",
        "pyasn1 reads every form of REAL that BER has, and special values by two bits of the octet",
    ),
    _class(
        "pyasn1",
        "accepted 30",
        "pyasn1 needs a schema for tags in it that are not universal, and for an empty or deep SEQUENCE",
    ),
    _class(
        "pyasn1",
        "accepted 31",
        "pyasn1 needs a schema for an empty SET, and for tags in it that are not universal",
    ),
    _class("pyasn1", "accepted 0e, accepted 1f, accepted 28, accepted 2b, accepted 3d", "pyasn1 lacks these types"),
    # --- openssl asn1parse shows the structure of BER.
    _class(
        "openssl",
        "alternative, component-extra, component-missing, explicit-empty, explicit-extra, reference-missing, "
        "unexpected-tag",
        "asn1parse knows no components of EXTERNAL, EMBEDDED PDV and CHARACTER STRING",
    ),
    _class(
        "openssl",
        "length-reserved",
        "ff is read as 127 length octets, which X.690 8.1.3.5 c forbids; 3.0 refuses them where all are zero",
        later=True,
    ),
    _class("openssl", "any-set-order", "asn1parse does not compare the members of a SET"),
    _class(
        "openssl",
        "bits-empty, bits-padding, bits-unused, bits-unused-empty, boolean-true, null-contents",
        "asn1parse shows lengths, not whether contents octets are right",
    ),
    _class(
        "openssl",
        "generalized-form, generalized-fraction, generalized-range, utc-form, utc-range",
        "asn1parse prints the text of a time as it stands",
    ),
    _class(
        "openssl",
        "bmp, ia5, numeric, printable, universal, utf8, visible",
        "asn1parse prints the octets of a string as they stand",
    ),
    _class(
        "openssl",
        "date-form, date-time-form, duration-form, iri-form, iri-label, iri-utf8, iso-range, oid-empty, time-form, "
        "time-of-day-form",
        "asn1parse does not know the times of X.680 38, OID-IRI and RELATIVE-OID",
    ),
    _class(
        "openssl",
        "real-binary, real-decimal, real-exponent, real-limit, real-mantissa, real-special, real-unfinished",
        "asn1parse does not look into a REAL",
    ),
    _class(
        "openssl",
        "oid-not-minimal, oid-unfinished",
        "RELATIVE-OID, and identifiers under implicit tags, are opaque",
    ),
    _class(
        "openssl",
        "oid-arc-limit, depth-limit",
        "limits of derlib; asn1parse prints long arcs and stops at depth 128",
    ),
    _class(
        "openssl",
        "length-indefinite, length-not-minimal, string-constructed, tag-not-minimal, tag-reserved",
        "asn1parse reads BER, and end-of-contents octets wherever they stand",
    ),
    _class(
        "openssl",
        "not-constructed, not-primitive",
        "asn1parse takes the form from the identifier, whatever the type",
    ),
    _class("openssl", "trailing-data", "asn1parse goes on with the next element"),
]
