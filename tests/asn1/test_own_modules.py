"""The classes of `derlib.schemas` are what the texts of the standards say, except for differences that have a reason.

`tests/asn1/standards.py` says which text is compared with which class, and ``tests/asn1/differences`` has the
differences. Types from standards without a text here are in `NOT_COMPARED`.
"""

from functools import cache

import pytest
from asn1.comparison import Comparison
from asn1.standards import FOLDER, OWN_MODULES, STANDARDS, Standard, types_of

from derlib.schemas import x400

BY_NAME = {standard.name: standard for standard in STANDARDS}

# All classes of a module.
ALL = ["*"]

NOT_COMPARED = {
    "the text is not here": {
        "algorithms": ["GostR3410PublicKeyParameters"],  # RFC 4491
        "attributes": ["NameAndOptionalUID", "PostalAddress"],  # RFC 4519
        "csr": ["CsrAttribute", "AttrOrOID", "CsrAttrs"],  # RFC 7030
        "curves": ["CharacteristicTwo", "Curve", "FieldID", "Pentanomial"],  # RFC 3279
        "general": ["KRB5PrincipalName", "PermanentIdentifier"],  # RFC 4556, 4043
        "ocsp_requests": ["PreferredSignatureAlgorithm", "PreferredSignatureAlgorithms"],  # RFC 6960, which is newer
        # RFC 3820, RFC 3739
        "policies": ["ProxyCertInfo", "ProxyPolicy", "QCStatement", "QCStatements", "SemanticsInformation"],
        # RFC 2696, 2891, 3062
        "ldap_controls": [
            "PagedResultsValue",
            "PasswdModifyRequestValue",
            "PasswdModifyResponseValue",
            "SortKey",
            "SortKeyList",
            "SortResult",
            "SortResultCode",
        ],
        # RFC 9399
        "logotype": ALL,
        # RFC 5126 is of February 2008: its licence does not allow a copy.
        "cades_references": ALL,
        "cades_policy": [
            "DisplayText",
            "NoticeReference",
            "SPUserNotice",
            "SigPolicyQualifierInfo",
            "SignaturePolicy",
            "SignaturePolicyId",
        ],
        "cades_signer": [
            "ClaimedAttributes",
            "CommitmentTypeIndication",
            "CommitmentTypeQualifier",
            "PostalAddress",
            "SignerAttribute",
            "SignerAttributeElement",
            "SignerLocation",
        ],
        # RFC 5934
        "tamp": ALL,
        "tamp_types": ALL,
        "tamp_updates": ALL,
        # RFC 3412, 3414, 3416
        "snmp": ["BulkPDU", "HeaderData", "SNMPv3Message", "ScopedPDU", "ScopedPduData", "UsmSecurityParameters"],
        # RFC 4556, 8636
        "kerberos_preauth": [
            "AD_INITIAL_VERIFIED_CAS",
            "AuthPack",
            "DHRepInfo",
            "ExternalPrincipalIdentifier",
            "KDCDHKeyInfo",
            "KDFAlgorithmId",
            "OtherInfo",
            "PA_PK_AS_REP",
            "PA_PK_AS_REQ",
            "PKAuthenticator",
            "PkinitSuppPubInfo",
            "ReplyKeyPack",
            "TD_CERT_DIGEST_ALGORITHMS_DATA",
            "TD_CMS_DIGEST_ALGORITHMS_DATA",
            "TD_DH_PARAMETERS",
            "TD_INVALID_CERTIFICATES",
            "TD_TRUSTED_CERTIFIERS",
        ],
        "cmc_controls": ["ChangeSubjectName"],  # RFC 6402
        # RFC 2315
        "pkcs7": ALL,
        # RFC 4178, 2743
        "spnego": [
            "ContextFlagsBase",
            "InitialContextToken",
            "MechTypeList",
            "NegState",
            "NegTokenInit",
            "NegTokenResp",
            "NegotiationToken",
        ],
        # RFC 3161
        "tsp": ALL,
    },
    "a part of several types of the standard": {"snmp": ["AnyMessage"]},
    "the standard has the numbers in its text, not in its ASN.1": {
        "kerberos_types": ["EncryptionType", "ErrorCode", "PADataType"],
    },
    "a standard of others than the IETF": {
        "algorithms": ["DHParameter"],  # PKCS #3
        "keys": ["DSAPrivateKey"],  # OpenSSL
        "curves": ["SpecifiedECDomain", "SpecifiedECDomainVersion"],  # SEC 1
        "policies": ["MonetaryValue", "PSD2QcType", "PdsLocation", "RoleOfPSP"],  # ETSI EN 319 412-5, TS 119 495
        # ETSI TS 101 733, EN 319 122-1
        "cades": ALL,
        "cades_policy": ["SPDocSpecification", "SignaturePolicyDocument", "SignaturePolicyStore"],
        "cades_signer": [
            "CertifiedAttributesV2",
            "CertifiedAttributesV2Element",
            "OtherAttributeCertificate",
            "SignedAssertion",
            "SignedAssertions",
            "SignerAttributeV2",
        ],
        # X.509; the ASN.1 of ITU-T is not kept here.
        "x509_2016": ALL,
        "x509_2016_matching": ALL,
        # OpenSSL and Netscape
        "openssl": ALL,
        "spnego": ["NegHints", "NegTokenInit2"],  # MS-SPNG
        # Android's documentation, ICAO Doc 9303, and the TCG EK Credential Profile: no licence for the text here.
        "attestation": ALL,
        "icao": ALL,
        "icao_deviations": ALL,
        "tcg": ALL,
        # Microsoft
        "authenticode": ALL,
        "authenticode_stamp": ALL,
        "trust_list": ALL,
        "vendor": [
            "ApplicationPolicies",
            "CertificateTemplate",
            "EntrustVersInfo",
            "NetscapeCertType",
            "NtdsCaSecurityExt",
            "NtdsObjectSid",
        ],
        "vendor_attributes": ALL,
        # Adobe
        "pdf": ALL,
    },
}


def listed(standard: Standard) -> set[str]:
    """Return the differences of the file of a standard; each group of them has a reason."""
    path = FOLDER / "differences" / f"{standard.name}.txt"
    found: set[str] = set()
    for group in path.read_text().split("\n\n") if path.exists() else ():
        lines = group.strip().splitlines()
        assert lines[0].startswith("# "), f"{path.name}: {lines[0]} has no reason"
        found.update(line for line in lines if not line.startswith("# "))
    return found


@cache
def compared(standard: Standard) -> tuple[set[str], set[type]]:
    """Return the differences of a standard, and the classes that were compared."""
    comparison = Comparison()
    lines: set[str] = set()
    for name, expected, actual in standard.pairs():
        lines.update(comparison.compare(expected, actual, name))
    return lines, comparison.compared


@pytest.mark.parametrize("standard", STANDARDS, ids=lambda standard: standard.name)
def test_classes_are_those_of_the_standard(standard: Standard) -> None:
    found, _ = compared(standard)
    elsewhere = {line for name in standard.based_on for line in listed(BY_NAME[name])}
    assert sorted(found - listed(standard) - elsewhere) == []
    # A difference that does not occur any more is removed from the list.
    assert sorted(listed(standard) - found) == []


def test_every_class_is_compared() -> None:
    classes = set[type]().union(*(compared(standard)[1] for standard in STANDARDS))
    missing = {
        module: names
        for module in OWN_MODULES
        if (names := sorted(name for name, value in types_of(module).items() if is_missing(value, classes)))
    }
    expected: dict[str, list[str]] = {}
    for group in NOT_COMPARED.values():
        for module, names in group.items():
            full_name = f"derlib.schemas.{module}"
            if names is ALL:
                names = sorted(name for name, value in types_of(full_name).items() if is_missing(value, set()))
            expected.setdefault(full_name, []).extend(names)
    assert missing == {module: sorted(names) for module, names in expected.items()}


def is_missing(value: object, classes: set[type]) -> bool:
    """Return whether a type is a class that was not compared."""
    return isinstance(value, type) and value not in classes


def test_extension_attributes_of_addresses() -> None:
    """The value `common-name` of RFC 5280 is the number of the type `CommonName`."""
    comparison = Comparison()
    text = BY_NAME["rfc5280"].load()
    types = {name.replace("_", "").lower(): name for name in text.__all__ if name[0].isupper()}
    numbers = {
        number: types[name.replace("_", "")]
        for name, number in vars(text).items()
        if type(number) is int and name.replace("_", "") in types
    }
    assert numbers.keys() == x400.EXTENSION_ATTRIBUTES.keys()
    for number, name in numbers.items():
        found = comparison.compare(getattr(text, name), x400.EXTENSION_ATTRIBUTES[number], name)
        # The upper bounds ub-* are not enforced.
        assert [line for line in found if ": size " not in line and ": range " not in line] == []
