"""The table of rejections and differences: file, who rejects, derlib's kind of error, clause, and reason.

`test_corpus.py` compares it with the verdicts of both libraries: a verdict without a row fails, and so does a row
without its verdict. It was written for cryptography 50; another version may need other rows.

"derlib" rejects what cryptography accepts, "cryptography" rejects what derlib accepts, "both" reject, and "values"
means that both accept and read different values. The rows of "both" are not disagreements; they test that derlib
rejects each file for the correct clause.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Row(NamedTuple):
    """Who rejects, the kind of derlib's error (or the values that differ), the clause that decides, and the reason."""

    who: Literal["derlib", "cryptography", "both", "values"]
    kind: str
    clause: str
    reason: str


def _derlib(kind: str, clause: str, reason: str) -> Row:
    return Row("derlib", kind, clause, reason)


def _cryptography(clause: str, reason: str) -> Row:
    return Row("cryptography", "", clause, reason)


def _both(kind: str, clause: str, reason: str) -> Row:
    return Row("both", kind, clause, reason)


def _values(kind: str, clause: str, reason: str) -> Row:
    return Row("values", kind, clause, reason)


_INHERITED_DSA = _cryptography(
    "RFC 3279 2.3.2",
    "parameters are absent because those of the issuer apply; cryptography requires them",
)
_TEXT_REWRITTEN = _values(
    "extensions: 2.5.29.32",
    "RFC 5280 4.2.1.4",
    "explicitText is a BMPString or a VisibleString; cryptography writes every DisplayText as UTF8String",
)
_UNUSED_BIT = "bit 0 of ReasonFlags, called unused, is set and is part of the value; cryptography drops it"
_UNUSED_BIT_CERTIFICATE = _values("extensions: 2.5.29.31", "RFC 5280 4.2.1.13", _UNUSED_BIT)
_UNUSED_BIT_CRL = _values("crl_extensions: 2.5.29.28", "RFC 5280 4.2.1.13", _UNUSED_BIT)
_NULL_PARAMETERS = _cryptography(
    "RFC 5280 4.1.1.2",
    "parameters are ANY OPTIONAL, so NULL is valid; RFC 3279 2.2.2 and RFC 5758 3.2 require signers to omit it",
)
_SCT_LIST = _cryptography(
    "RFC 6962 3.3",
    "the SCT list is an OCTET STRING whose contents are not DER; derlib parses them on demand",
)
_NETMASK = _cryptography(
    "RFC 5280 4.2.1.6",
    "iPAddress is an OCTET STRING, so any bytes are valid; the profile requires an address and a mask",
)
_DUPLICATE = _cryptography(
    "RFC 5280 4.2",
    "Extensions is a SEQUENCE OF, which allows an extension twice; the profile forbids it",
)
_VERSION = _cryptography(
    "X.680 19.5",
    "Version is an INTEGER with named numbers, which allow other values; the profile limits them",
)
_MISMATCH = _cryptography(
    "RFC 5280 5.1.1.2",
    "the two algorithm identifiers are different, but each of them is valid",
)
_WRONG_QUALIFIER = "policyQualifierId selects the type of the qualifier, and the qualifier is of the other type"
_NOT_A_SAN = "value is [0] EXPLICIT ANY in AnotherName, and a UTF8String is there"
_INTERNATIONAL = "the name is an IA5String and has octets over 7f, UTF-8 of letters that IA5 lacks"
_REASON = _cryptography(
    "RFC 5280 5.3.1",
    "X.509 (2019) 9.5.3.1 makes CRLReason extensible, with item 11; derlib reads an unknown item as its number",
)

_PKITS = "vectors/x509/PKITS_data"
_CUSTOM = "vectors/x509/custom"
_WEBPKI = "shared/crl/webpki"

DISAGREEMENTS: dict[str, Row] = {
    # --- derlib rejects, cryptography accepts.
    "vectors/pkcs7/non-ascii-san.pem": _derlib("ia5", "X.680 41.1", _INTERNATIONAL),
    "vectors/x509/utf8-dnsname.pem": _derlib("ia5", "X.680 41.1", _INTERNATIONAL),
    "vectors/x509/belgian-eid-invalid-visiblestring.pem": _derlib(
        "visible", "X.680 41.1", "explicitText is a VisibleString and has an é in Latin-1; cryptography reads no text"
    ),
    f"{_CUSTOM}/alternate-rsa-sha1-oid.der": _derlib(
        "bits-named", "X.690 11.2.2", "KeyUsage has named bits, and its three last octets are zero bits only"
    ),
    f"{_WEBPKI}/crl.entry.empty.ext.seq.der": _derlib(
        "size", "X.680 51.5", "Extensions is SIZE (1..MAX), and that of the entry is empty"
    ),
    # --- cryptography rejects, derlib accepts.
    f"{_PKITS}/certpairs/DSAParametersInheritedCACertforwardcrossCertificatePair.cp[0]": _INHERITED_DSA,
    f"{_PKITS}/certs/ValidDSAParameterInheritanceTest5EE.crt": _INHERITED_DSA,
    "vectors/x509/badssl-sct-anonymous-sig.der": _SCT_LIST,
    "vectors/x509/badssl-sct-none-hash.der": _SCT_LIST,
    f"{_CUSTOM}/invalid-sct-length.der": _SCT_LIST,
    f"{_CUSTOM}/invalid-sct-version.der": _SCT_LIST,
    f"{_CUSTOM}/crl_bad_version.pem": _VERSION,
    f"{_CUSTOM}/crl_unsupported_reason.pem": _REASON,
    f"{_WEBPKI}/crl.entry.invalid.reason.der": _REASON,
    f"{_CUSTOM}/invalid_version.pem": _VERSION,
    f"{_WEBPKI}/crl.wrong.version.der": _VERSION,
    f"{_CUSTOM}/crl_dup_entry_ext.pem": _DUPLICATE,
    f"{_CUSTOM}/two_basic_constraints.pem": _DUPLICATE,
    f"{_CUSTOM}/crl_inner_outer_mismatch.der": _MISMATCH,
    f"{_WEBPKI}/crl.mismatched.sigalg.der": _MISMATCH,
    f"{_CUSTOM}/crl_inval_date_fractional_seconds.der": _cryptography(
        "X.690 11.7", "DER permits a fraction of seconds without trailing zeros; RFC 5280 5.3.2 forbids it to issuers"
    ),
    f"{_CUSTOM}/dsa_null_alg_params.pem": _NULL_PARAMETERS,
    f"{_CUSTOM}/ecdsa_null_alg.pem": _NULL_PARAMETERS,
    f"{_CUSTOM}/long-form-name-attribute.pem": _cryptography(
        "X.690 8.1.2.4", "an attribute value is ANY, and 7f 20 is the correct identifier of [APPLICATION 32]"
    ),
    f"{_CUSTOM}/nc_invalid_ip4_netmask.der": _NETMASK,
    f"{_CUSTOM}/nc_invalid_ip_netmask.pem": _NETMASK,
    f"{_CUSTOM}/nc_ip_invalid_length.pem": _NETMASK,
    "vectors/x509/wosign-bc-invalid.pem": _cryptography(
        "RFC 5280 4.2.1.9", "pathLenConstraint occurs without cA, but each of them is valid"
    ),
    # --- Both accept, and the values differ.
    "certifi/57de0583efd2b26e": _TEXT_REWRITTEN,
    "certifi/9a6ec012e1a7da9d": _TEXT_REWRITTEN,
    f"{_PKITS}/certpairs/P1anyPolicyMapping1to2CACertforwardcrossCertificatePair.cp[0]": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/UserNoticeQualifierTest15EE.crt": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/UserNoticeQualifierTest16EE.crt": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/UserNoticeQualifierTest17EE.crt": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/UserNoticeQualifierTest18EE.crt": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/UserNoticeQualifierTest19EE.crt": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/ValidPolicyMappingTest12EE.crt": _TEXT_REWRITTEN,
    "vectors/x509/accvraiz1.pem": _TEXT_REWRITTEN,
    f"{_CUSTOM}/cp_user_notice_no_explicit_text.pem": _TEXT_REWRITTEN,
    f"{_CUSTOM}/cp_user_notice_with_explicit_text.pem": _TEXT_REWRITTEN,
    f"{_CUSTOM}/cp_user_notice_with_notice_reference.pem": _TEXT_REWRITTEN,
    f"{_PKITS}/certs/InvalidonlySomeReasonsTest20EE.crt": _UNUSED_BIT_CERTIFICATE,
    f"{_PKITS}/certs/InvalidonlySomeReasonsTest21EE.crt": _UNUSED_BIT_CERTIFICATE,
    f"{_PKITS}/certs/ValidonlySomeReasonsTest19EE.crt": _UNUSED_BIT_CERTIFICATE,
    f"{_PKITS}/crls/onlySomeReasonsCA1otherreasonsCRL.crl": _UNUSED_BIT_CRL,
    f"{_PKITS}/crls/onlySomeReasonsCA3otherreasonsCRL.crl": _UNUSED_BIT_CRL,
    f"{_PKITS}/crls/onlySomeReasonsCA4otherreasonsCRL.crl": _UNUSED_BIT_CRL,
    "vectors/x509/scottishpower-bitstring-dn.pem": _values(
        "subject: 2.5.4.45",
        "X.690 8.6.2.2",
        "the first contents octet of a BIT STRING counts unused bits; cryptography gives it as part of the value",
    ),
    # --- Both reject.
    "vectors/x509/badasn1time.pem": _both("utc-form", "X.690 11.8", "notAfter is a UTCTime with a year of four digits"),
    f"{_CUSTOM}/cp_invalid.pem": _both("unexpected-tag", "X.690 8.1.2", _WRONG_QUALIFIER),
    f"{_CUSTOM}/cp_invalid2.der": _both("unexpected-tag", "X.690 8.1.2", _WRONG_QUALIFIER),
    f"{_CUSTOM}/crl_inval_cert_issuer_entry_ext.pem": _both(
        "identifier-truncated", "X.690 8.1.2", "extnValue of certificateIssuer is empty, and GeneralNames needs a tag"
    ),
    f"{_CUSTOM}/crl_invalid_time.der": _both("utc-form", "X.690 11.8", "thisUpdate has seconds of one digit"),
    f"{_CUSTOM}/crl_issuer_invalid_printable_string.der": _both(
        "printable", "X.680 41.4", "a PrintableString of the issuer has < and >, which its alphabet lacks"
    ),
    f"{_CUSTOM}/empty-eku.pem": _both("size", "X.680 51.5", "ExtKeyUsageSyntax is SIZE (1..MAX) and is empty"),
    f"{_CUSTOM}/inhibit_any_policy_negative.pem": _both("range", "X.680 51.4", "SkipCerts is (0..MAX) and is -1"),
    f"{_CUSTOM}/invalid_utf8_common_name.pem": _both(
        "utf8", "X.690 8.23.10", "the UTF8String of commonName ends inside a character"
    ),
    f"{_CUSTOM}/malformed-ian.pem": _both("unexpected-tag", "X.690 8.1.2", _NOT_A_SAN),
    f"{_CUSTOM}/malformed-san.pem": _both("unexpected-tag", "X.690 8.1.2", _NOT_A_SAN),
    f"{_CUSTOM}/name_attribute_unsupported_tag.pem": _both(
        "content-truncated",
        "X.690 8.1.3",
        "the attribute value is constructed, [APPLICATION 9], and its contents (the text PyCA) are not elements",
    ),
    "vectors/x509/ed25519/ed25519-rfc8410.pem": _both(
        "default-encoded", "X.690 11.5", "cA is encoded as FALSE, its default (and so is critical)"
    ),
    "vectors/x509/san_edipartyname.der": _both(
        "not-constructed",
        "X.690 8.1.2.5",
        "partyName is a CHOICE, whose tag is explicit (X.680 31.2.7), and it has the primitive form",
    ),
    "vectors/x509/san_x400address.der": _both(
        "unexpected-tag", "X.690 8.1.2", "ORAddress starts with a SEQUENCE, and a PrintableString is there"
    ),
    f"{_WEBPKI}/crl.entry.invalidity.date.der": _both(
        "unexpected-tag", "X.690 8.1.2", "invalidityDate is a GeneralizedTime, and a UTCTime is there"
    ),
    f"{_WEBPKI}/crl.entry.issuer.ext.der": _both(
        "unexpected-tag", "X.690 8.1.2", "certificateIssuer is GeneralNames, and a PrintableString is there"
    ),
    f"{_WEBPKI}/crl.idp.explicit.false.bool.der": _both(
        "default-encoded", "X.690 11.5", "onlyContainsUserCerts is encoded as FALSE, its default"
    ),
    f"{_WEBPKI}/crl.idp.invalid.bool.der": _both("boolean-true", "X.690 11.1", "onlyContainsCACerts is ab, TRUE is ff"),
    f"{_WEBPKI}/crl.idp.invalid.name.der": _both(
        "alternative", "X.690 8.13", "[8] is not an alternative of DistributionPointName"
    ),
    f"{_WEBPKI}/crl.idp.unknown.tag.der": _both(
        "component-extra", "X.690 8.9.2", "IssuingDistributionPoint has no component [9] and no extension marker"
    ),
    f"{_WEBPKI}/crl.negative.crl.number.der": _both("range", "X.680 51.4", "CRLNumber is (0..MAX) and is negative"),
    "shared/x509-parser/cert/assets__duplicate_value_in_authority_info_access.der.der": _both(
        "trailing-data", "X.690 8.1.1.1", "two zero octets follow the end of the certificate"
    ),
}
