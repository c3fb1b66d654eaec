"""The texts of standards, and the classes of `derlib.schemas` that implement their types.

A type is compared with the class that has the same name in the modules of `own`, of which the first one counts; `names`
has the others.
``tests/asn1/differences`` has a file for each standard: the differences, under a comment with their reason.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import pytest
from asn1.modules import RFC_MODULES

import derlib
import derlib.schemas
from derlib import BitString, DefinedBy, ObjectIdentifier, OctetString, asn1, inspect
from derlib.schemas import (
    attributes,
    cmc,
    cms,
    cms_recipients,
    ers,
    extensions,
    general,
    ip_resources,
    keys,
    ldap,
    pkcs12,
    rpki,
    smime_capabilities,
    snmp,
    x400,
    x509,
)
from derlib.schemas.algorithms import PUBLIC_KEYS
from derlib.schemas.extensions import EXTENSIONS
from derlib.schemas.general import OTHER_NAMES
from derlib.schemas.keys import PRIVATE_KEYS

# Each module registers types in the tables. Import all of them, as another test could.
OWN_MODULES = sorted(module.name for module in pkgutil.iter_modules(derlib.schemas.__path__, "derlib.schemas."))
for _name in OWN_MODULES:
    importlib.import_module(_name)

FOLDER = Path(__file__).parent
STORED_TEXTS = FOLDER / "rfc"

PKIX_1988 = ("PKIX1Explicit88", "PKIX1Implicit88")
CMS_1988 = (
    *PKIX_1988,
    "PKIXAttributeCertificate",
    "AttributeCertificateVersion1",
    "CryptographicMessageSyntax2004",
)
# They import each other.
PKIX_2009 = (
    "PKIX-CommonTypes-2009",
    "AlgorithmInformation-2009",
    "PKIX1Explicit-2009",
    "PKIX1Implicit-2009",
    "PKIXAlgs-2009",
    "PKIX1-PSS-OAEP-Algorithms-2009",
    "PKIX-X400Address-2009",
    "PKIXAttributeCertificate-2009",
    "AttributeCertificateVersion1-2009",
    "CryptographicMessageSyntax-2009",
    "CryptographicMessageSyntaxAlgorithms-2009",
    "SecureMimeMessageV3dot1-2009",
)
# The first module with a name gets it; the names of later ones have a number.
CMS_2010 = (
    "CryptographicMessageSyntax-2010",
    "CMS-AuthEnvelopedData-2010",
    "CompressedDataContent-2010",
    "BinarySigningTimeModule-2010",
    "HMAC-2010",
    "CMS-AES-CCM-and-AES-GCM-2009",
    *PKIX_2009,
    "ExtendedSecurityServices-2009",
)
CERTIFICATES = (
    "x509",
    "extensions",
    "crl",
    "crl_extensions",
    "general",
    "policies",
    "attributes",
    "algorithms",
    "public_keys",
    "curves",
    "x400",
)
ATTRIBUTE_CERTIFICATES = ("attribute_cert", "attribute_cert_values")
CMS = ("cms", "cms_signed", "cms_recipients", "cms_certificates", "cms_attributes", "ciphers")

KERBEROS = ("kerberos_types", "kerberos_tickets", "kerberos")
CRMF = ("crmf", "crmf_controls")
CMP = ("cmp", "cmp_body", "cmp_certificates", "cmp_info", "cmp_status")
# What the messages of CMP import.
REQUESTS = ("PKIXCRMF-2009", "PKCS-10", *PKIX_2009)


@dataclass(frozen=True, eq=False)
class Standard:
    """A group of modules. `based_on` are standards whose differences can occur here, too."""

    name: str
    files: tuple[str, ...]
    own: tuple[str, ...] = ()
    names: dict[str, Any] = field(default_factory=dict[str, Any])
    based_on: tuple[str, ...] = ()

    def load(self) -> ModuleType:
        """Compile the texts, and return the Python module."""
        return load(self.files)

    def pairs(self) -> list[tuple[str, Any, Any]]:
        """Return the types that are compared: the name in the text, the compiled type, the type of derlib."""
        compiled = self.load()
        own = {
            comparable_name(name): value
            for module in reversed(self.own)
            for name, value in types_of(f"derlib.schemas.{module}").items()
        }
        found: list[tuple[str, Any, Any]] = []
        for name, value in self.names.items():
            found.append((name, getattr(compiled, name), value))
        for name in compiled.__all__:
            value = getattr(compiled, name)
            if name not in self.names and comparable_name(name) in own and is_type(value):
                found.append((name, value, own[comparable_name(name)]))
        return found


def comparable_name(name: str) -> str:
    """Return a name without the differences of X.680's and Python's styles."""
    return name.replace("_", "").lower()


def is_type(value: Any) -> bool:
    """Return whether a public name is a type, and not a value or a table."""
    if isinstance(value, (str, bytes, int, tuple, dict, derlib.OpenTypes)) or value is None:
        return False
    try:
        inspect.type_info(value)
    except derlib.SchemaError:
        return False
    return True


@functools.cache
def types_of(module_name: str) -> dict[str, Any]:
    """Return the public types that a module defines, by name: its classes, and its aliases."""
    module = importlib.import_module(module_name)
    aliases = getattr(module, "__annotations__", ())
    return {
        name: value
        for name, value in list(vars(module).items())
        if name[0] != "_"
        and (value.__module__ == module_name if isinstance(value, type) else name in aliases)
        and is_type(value)
    }


def text_of(name: str) -> str:
    """Return the text of a module; skip the test if only ../shared/data has it, and that is not here."""
    for folder in (STORED_TEXTS, FOLDER, RFC_MODULES):
        path = folder / f"{name}.asn"
        if path.exists():
            return path.read_text()
    pytest.skip(f"{RFC_MODULES} is not here, and the licence of {name} does not allow a copy")


@functools.cache
def load(files: tuple[str, ...]) -> ModuleType:
    """Compile texts, and return the Python module."""
    code, _ = asn1.compile_sources([asn1.Source(f"{name}.asn", text_of(name)) for name in files])
    made = ModuleType(f"standard_{abs(hash(files))}")
    sys.modules[made.__name__] = made
    exec(code, vars(made))
    return made


class KeyPair(derlib.Sequence):
    """The tables of keys, as tests/asn1/uses.asn has them."""

    algorithm: ObjectIdentifier
    public_key: Annotated[Any, BitString, DefinedBy("algorithm", PUBLIC_KEYS)]
    private_key: Annotated[Any, OctetString, DefinedBy("algorithm", PRIVATE_KEYS)]


STANDARDS = [
    Standard("rfc5280", PKIX_1988, CERTIFICATES, {"CountryName": x400.CountryName}),
    Standard(
        "rfc5912",
        PKIX_2009,
        (*CERTIFICATES, *ATTRIBUTE_CERTIFICATES),
        {"CountryName": x400.CountryName},
        # The attribute encAttrs has a ContentInfo.
        based_on=("rfc5911",),
    ),
    Standard(
        "uses",
        (*PKIX_2009, "rfc9881", "rfc9935", "uses"),
        ("keys_pq",),
        {"KeyPair": KeyPair, "Capabilities": smime_capabilities.SMIMECapabilities},
        based_on=("rfc5912",),
    ),
    Standard(
        "rfc5652",
        CMS_1988,
        CMS,
        {"Attribute": attributes.Attribute, "Attribute_2": cms.Attribute},
        based_on=("rfc5280",),
    ),
    Standard(
        "rfc5911",
        (*PKIX_2009, "CMS-AES-CCM-and-AES-GCM-2009", "CMSAesRsaesOaep-2009", "CMS-AuthEnvelopedData-2009"),
        (*CMS, "smime"),
        based_on=("rfc5912",),
    ),
    Standard("rfc6268", CMS_2010, CMS, based_on=("rfc5912", "rfc5911")),
    Standard("csr", ("PKCS-10", *PKIX_2009), ("csr",), {"Version": x509.Version}, based_on=("rfc5912", "rfc5911")),
    Standard("ocsp", ("OCSP-2009", *PKIX_2009), ("ocsp", "ocsp_requests"), based_on=("rfc5912", "rfc5911")),
    Standard("crmf", ("PKIXCRMF-2009", *PKIX_2009), CRMF, based_on=("rfc5912", "rfc5911", "rfc5958")),
    Standard("cmp", ("PKIXCMP-2009", *REQUESTS), CMP, based_on=("rfc5912", "rfc5911", "crmf", "rfc5958")),
    Standard(
        "rfc9810",
        ("rfc9810", "PKIXCMP-2009", *REQUESTS),
        (*CMP, "crmf_controls"),
        based_on=("rfc5912", "rfc5911", "crmf", "rfc5958", "cmp"),
    ),
    Standard("ess", ("ExtendedSecurityServices-2009", *PKIX_2009), ("ess",), based_on=("rfc5912", "rfc5911")),
    Standard(
        "rfc9629",
        (*CMS_2010, "rfc9629"),
        (),
        {
            "KEMRecipientInfo": cms_recipients.KEMRecipientInfo,
            "CMSORIforKEMOtherInfo": cms_recipients.CMSORIforKEMOtherInfo,
        },
        based_on=("rfc5912", "rfc5911", "rfc6268"),
    ),
    Standard(
        "rfc6211",
        (*PKIX_2009, "rfc6211"),
        (),
        {"CMSAlgorithmProtection": cms.CMSAlgorithmProtection},
        based_on=("rfc5912", "rfc5911"),
    ),
    Standard(
        "rfc5755",
        ("PKIXAttributeCertificate-2008", *CMS_1988),
        ATTRIBUTE_CERTIFICATES,
        based_on=("rfc5280", "rfc5652"),
    ),
    Standard(
        "rfc5958",
        (*PKIX_2009, "AsymmetricKeyPackageModuleV1"),
        (),
        {
            "AsymmetricKeyPackage": keys.AsymmetricKeyPackage,
            "OneAsymmetricKey": keys.OneAsymmetricKey,
            "PrivateKeyInfo": keys.PrivateKeyInfo,
            "EncryptedPrivateKeyInfo": keys.EncryptedPrivateKeyInfo,
        },
        based_on=("rfc5912", "rfc5911"),
    ),
    Standard("rfc5915", (*PKIX_2009, "rfc5915"), (), {"ECPrivateKey": keys.ECPrivateKey}, based_on=("rfc5912",)),
    Standard(
        "rfc7292",
        (*PKIX_2009, "AsymmetricKeyPackageModuleV1", "stand_ins", "PKCS-12"),
        ("pkcs12",),
        based_on=("rfc5912", "rfc5911", "rfc5958"),
    ),
    Standard(
        "rfc8018",
        ("rfc8018",),
        ("passwords", "ciphers"),
        {"AllAlgorithms": derlib.SequenceOf[x509.AlgorithmIdentifier]},
    ),
    Standard("rfc7914", ("rfc7914",), ("passwords",)),
    Standard("rfc5480", ("PKIX1Algorithms2008",), ("curves", "algorithms")),
    Standard(
        "rfc3370",
        (*PKIX_1988, "CryptographicMessageSyntaxAlgorithms"),
        ("ciphers", "passwords", "algorithms"),
        {"Version": x509.Version},
        based_on=("rfc5280",),
    ),
    Standard("rfc4055", (*PKIX_1988, "PKIX1-PSS-OAEP-Algorithms"), ("algorithms",), based_on=("rfc5280",)),
    Standard(
        "rfc3447", ("PKCS-1", "NIST-HASH"), ("keys", "algorithms", "pkcs12"), {"Version": keys.RSAPrivateKeyVersion}
    ),
    Standard(
        "rfc4108",
        (*PKIX_2009, "ExtendedSecurityServices-2009", "CMSFirmwareWrapper-2009"),
        (),
        {"HardwareModuleName": general.HardwareModuleName},
    ),
    Standard(
        "rfc4511",
        ("Lightweight-Directory-Access-Protocol-V3",),
        ("ldap_types", "ldap_search", "ldap"),
        {
            "LDAPMessageProtocolOp": ldap.ProtocolOp,
            "LDAPResultResultCode": ldap.ResultCode,
            "ModifyRequestChanges": ldap.Change,
            "ModifyRequestChangesOperation": ldap.ModifyOperation,
            "SearchRequestDerefAliases": ldap.DerefAliases,
            "SearchRequestScope": ldap.SearchScope,
            "SubstringFilterSubstrings": ldap.Substring,
        },
    ),
    Standard(
        "rfc1157",
        ("RFC1157-SNMP", "RFC1155-SMI"),
        ("snmp",),
        {
            "Counter": snmp.Counter32,
            "Gauge": snmp.Gauge32,
            "GetResponse_PDU": snmp.Response_PDU,
            "SimpleSyntax": snmp.VarBindValue,
        },
    ),
    Standard(
        "cmc",
        ("EnrollmentMessageSyntax-2009", *REQUESTS),
        ("cmc_requests", "cmc_controls", "cmc"),
        {
            "TaggedRequestOrm": cmc.OtherRequest,
            "CMCStatusInfoOtherInfo": cmc.OtherInfo,
            "CMCStatusInfoV2OtherInfo": cmc.OtherInfoV2,
            "CMCStatusInfoV2OtherInfoExtendedFailInfo": cmc.ExtendedFailInfo,
        },
        based_on=("rfc5912", "rfc5911", "crmf", "rfc5958", "csr", "rfc5652"),
    ),
    Standard(
        "scvp",
        ("SCVP-2009", "OCSP-2009", *PKIX_2009),
        ("scvp_request", "scvp_response", "scvp"),
        based_on=("rfc5912", "rfc5911", "ocsp"),
    ),
    Standard(
        "trust_anchors",
        ("TrustAnchorInfoModule", *PKIX_2009),
        ("trust_anchors",),
        based_on=("rfc5912", "rfc5911"),
    ),
    Standard(
        "ers",
        ("ERS", *PKIX_2009),
        ("ers",),
        {"Version": x509.Version, "EvidenceRecordVersion": ers.Version},
        based_on=("rfc5912", "rfc5911"),
    ),
    Standard(
        "rfc6268_rpki", ("IPAddrAndASCertExtn-2010", *PKIX_2009), ("ip_resources",), based_on=("rfc5912", "rfc5911")
    ),
    Standard("rfc9286", ("RPKIManifest", *PKIX_2009), ("rpki",), based_on=("rfc5912", "rfc5911")),
    Standard(
        "rfc9582",
        ("rfc9582", *CMS_2010),
        ("rpki",),
        {"ROAAddressesIPv6Element": rpki.ROAIPAddress},
        based_on=("rfc5912", "rfc5911", "rfc6268"),
    ),
    Standard(
        "rfc9323",
        ("rfc9323", "IPAddrAndASCertExtn-2010", *CMS_2010),
        ("rpki", "ip_resources"),
        {"ASId": ip_resources.ASId},
        based_on=("rfc5912", "rfc5911", "rfc6268", "rfc6268_rpki"),
    ),
    Standard("rfc4120", ("KerberosV5Spec2",), KERBEROS),
    Standard("rfc6113", ("rfc6113", "KerberosV5Spec2"), ("kerberos_preauth", *KERBEROS), based_on=("rfc4120",)),
    Standard(
        "simple_types",
        ("simple_types",),
        ("algorithms", "extensions", "ciphers", "keys", "passwords"),
        {
            "Authorization": EXTENSIONS.get("1.3.6.1.5.5.7.1.31"),
            "Features": extensions.TLSFeatures,
            "Pkcs_12PbeParams": pkcs12.PKCS12PBEParams,
            "SmtpUTF8Mailbox": OTHER_NAMES.get("1.3.6.1.5.5.7.8.9"),
        },
    ),
]
