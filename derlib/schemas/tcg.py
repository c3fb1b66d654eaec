"""Attributes of endorsement certificates of a TPM (TCG EK Credential Profile for TPM Family 2.0).

The attributes tpmManufacturer, tpmModel and tpmVersion are in a directoryName of the subjectAltName. The others are in
the extension subjectDirectoryAttributes. Importing this module registers all of them. The module of the profile has
explicit tags; its misspelt references, such as IA5STRING, are read as what they mean.

    >>> from derlib.schemas.x509 import Attribute
    >>> TPMSpecification(family="2.0", level=0, revision=159).encode().hex()
    '300c0c03322e300201000202009f'
    >>> Attribute.decode(bytes.fromhex("3017 0605 6781050210 310e 300c 0c03322e30 020100 0202009f")).values[0]
    TPMSpecification(family='2.0', level=0, revision=159)
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    BitString,
    Enumerated,
    IA5String,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    Sequence,
    Size,
    UTF8String,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CommonCriteriaMeasures",
    "EKCertificateGenerationLocation",
    "EKGenerationLocation",
    "EKGenerationType",
    "EvaluationAssuranceLevel",
    "EvaluationStatus",
    "FIPSLevel",
    "SecurityLevel",
    "StrengthOfFunction",
    "TPMSecurityAssertions",
    "TPMSpecification",
    "URIReference",
    "Version",
    "tcg_at_tpm_manufacturer",
    "tcg_at_tpm_model",
    "tcg_at_tpm_security_assertions",
    "tcg_at_tpm_specification",
    "tcg_at_tpm_version",
    "tcg_kp_aik_certificate",
    "tcg_kp_ek_certificate",
]

STRMAX = 256
URIMAX = 1024


class Version(NamedInteger):
    """The version of `TPMSecurityAssertions` (TCG EK Credential Profile, appendix A).

    ::

        Version ::= INTEGER { v1(0) }
    """

    v1 = 0


class EKGenerationType(Enumerated):
    """How the endorsement key came into the TPM (TCG EK Credential Profile, section 3.1.1).

    ::

        EKGenerationType ::= ENUMERATED {
            internal            (0),
            injected            (1),
            internalRevocable   (2),
            injectedRevocable   (3),
            firmwareLimited     (4) }
    """

    internal = 0
    injected = 1
    internal_revocable = 2
    injected_revocable = 3
    firmware_limited = 4


class EKGenerationLocation(Enumerated):
    """Who generated the endorsement key (TCG EK Credential Profile, section 3.1.1).

    ::

        EKGenerationLocation ::= ENUMERATED {
            tpmManufacturer        (0),
            platformManufacturer   (1),
            ekCertSigner           (2) }
    """

    tpm_manufacturer = 0
    platform_manufacturer = 1
    ek_cert_signer = 2


class EKCertificateGenerationLocation(Enumerated):
    """Who generated the certificate (TCG EK Credential Profile, section 3.1.1).

    ::

        EKCertificateGenerationLocation ::= ENUMERATED {
            tpmManufacturer        (0),
            platformManufacturer   (1),
            ekCertSigner           (2) }
    """

    tpm_manufacturer = 0
    platform_manufacturer = 1
    ek_cert_signer = 2


class EvaluationAssuranceLevel(Enumerated):
    """How deeply the TPM was evaluated by the Common Criteria (TCG EK Credential Profile, section 3.1.1).

    ::

        EvaluationAssuranceLevel ::= ENUMERATED {
            level1 (1), level2 (2), level3 (3), level4 (4), level5 (5), level6 (6), level7 (7) }
    """

    level1 = 1
    level2 = 2
    level3 = 3
    level4 = 4
    level5 = 5
    level6 = 6
    level7 = 7


class EvaluationStatus(Enumerated):
    """Whether the evaluation is complete (TCG EK Credential Profile, section 3.1.1).

    ::

        EvaluationStatus ::= ENUMERATED {
            designedToMeet         (0),
            evaluationInProgress   (1),
            evaluationCompleted    (2) }
    """

    designed_to_meet = 0
    evaluation_in_progress = 1
    evaluation_completed = 2


class StrengthOfFunction(Enumerated):
    """The strength of the security functions in the Common Criteria 2 (TCG EK Credential Profile, section 3.1.1).

    ::

        StrengthOfFunction ::= ENUMERATED { basic (0), medium (1), high (2) }
    """

    basic = 0
    medium = 1
    high = 2


class SecurityLevel(Enumerated):
    """A level of FIPS 140 (TCG EK Credential Profile, section 3.1.1).

    ::

        SecurityLevel ::= ENUMERATED { level1 (1), level2 (2), level3 (3), level4 (4) }
    """

    level1 = 1
    level2 = 2
    level3 = 3
    level4 = 4


class URIReference(Sequence):
    """The place of a document, and its hash (TCG EK Credential Profile, section 3.1.1).

    ::

        URIReference ::= SEQUENCE {
            uniformResourceIdentifier   IA5String (SIZE (1..URIMAX)),
            hashAlgorithm               AlgorithmIdentifier OPTIONAL,
            hashValue                   BIT STRING OPTIONAL }
    """

    uniform_resource_identifier: Annotated[IA5String, Size(1, URIMAX)]
    hash_algorithm: AlgorithmIdentifier | None = None
    hash_value: BitString | None = None


class CommonCriteriaMeasures(Sequence):
    """An evaluation by the Common Criteria (TCG EK Credential Profile, section 3.1.1).

    ::

        CommonCriteriaMeasures ::= SEQUENCE {
            version              IA5STRING (SIZE (1..STRMAX)),   -- "2.2" or "3.1"
            assurancelevel       EvaluationAssuranceLevel,
            evaluationStatus     EvaluationStatus,
            plus                 BOOLEAN DEFAULT FALSE,
            strengthOfFunction   [0] IMPLICIT StrengthOfFunction OPTIONAL,
            profileOid           [1] IMPLICIT OBJECT IDENTIFIER OPTIONAL,
            profileUri           [2] IMPLICIT URIReference OPTIONAL,
            targetOid            [3] IMPLICIT OBJECT IDENTIFIER OPTIONAL,
            targetUri            [4] IMPLICIT URIReference OPTIONAL }
    """

    version: Annotated[IA5String, Size(1, STRMAX)]
    assurancelevel: EvaluationAssuranceLevel
    evaluation_status: EvaluationStatus
    plus: bool = False
    strength_of_function: Annotated[StrengthOfFunction, Implicit(0)] | None = None
    profile_oid: Annotated[ObjectIdentifier, Implicit(1)] | None = None
    profile_uri: Annotated[URIReference, Implicit(2)] | None = None
    target_oid: Annotated[ObjectIdentifier, Implicit(3)] | None = None
    target_uri: Annotated[URIReference, Implicit(4)] | None = None


class FIPSLevel(Sequence):
    """A validation by FIPS 140 (TCG EK Credential Profile, section 3.1.1).

    ::

        FIPSLevel ::= SEQUENCE {
            version   IA5STRING (SIZE (1..STRMAX)),   -- "140-1" or "140-2"
            level     SecurityLevel,
            plus      BOOLEAN DEFAULT FALSE }
    """

    version: Annotated[IA5String, Size(1, STRMAX)]
    level: SecurityLevel
    plus: bool = False


class TPMSecurityAssertions(Sequence):
    """What the manufacturer asserts about the TPM: the attribute `tcg_at_tpm_security_assertions`.

    TCG EK Credential Profile, section 3.1.1.

    ::

        TPMSecurityAssertions ::= SEQUENCE {
            version                           Version DEFAULT v1,
            fieldUpgradable                   BOOLEAN DEFAULT FALSE,
            ekGenerationType                  [0] IMPLICIT EKGenerationType OPTIONAL,
            ekGenerationLocation              [1] IMPLICIT EKGenerationLocation OPTIONAL,
            ekCertificateGenerationLocation   [2] IMPLICIT EKCertificateGenerationLocation OPTIONAL,
            ccInfo                            [3] IMPLICIT CommonCriteriaMeasures OPTIONAL,
            fipsLevel                         [4] IMPLICIT FIPSLevel OPTIONAL,
            iso9000Certified                  [5] IMPLICIT BOOLEAN DEFAULT FALSE,
            iso9000Uri                        IA5STRING (SIZE (1..URIMAX)) OPTIONAL }
    """

    version: Version = Version.v1
    field_upgradable: bool = False
    ek_generation_type: Annotated[EKGenerationType, Implicit(0)] | None = None
    ek_generation_location: Annotated[EKGenerationLocation, Implicit(1)] | None = None
    ek_certificate_generation_location: Annotated[EKCertificateGenerationLocation, Implicit(2)] | None = None
    cc_info: Annotated[CommonCriteriaMeasures, Implicit(3)] | None = None
    fips_level: Annotated[FIPSLevel, Implicit(4)] | None = None
    iso9000_certified: Annotated[bool, Implicit(5)] = False
    iso9000_uri: Annotated[IA5String, Size(1, URIMAX)] | None = None


class TPMSpecification(Sequence):
    """The specification that the TPM implements: the attribute `tcg_at_tpm_specification`.

    TCG EK Credential Profile, section 3.1.3.

    ::

        TPMSpecification ::= SEQUENCE {
            family     UTF8String (SIZE (1..STRMAX)),
            level      INTEGER,
            revision   INTEGER }
    """

    family: Annotated[UTF8String, Size(1, STRMAX)]
    level: int
    revision: int


tcg_at_tpm_manufacturer = ObjectIdentifier("2.23.133.2.1")
tcg_at_tpm_model = ObjectIdentifier("2.23.133.2.2")
tcg_at_tpm_version = ObjectIdentifier("2.23.133.2.3")
tcg_at_tpm_specification = ObjectIdentifier("2.23.133.2.16")
tcg_at_tpm_security_assertions = ObjectIdentifier("2.23.133.2.18")
tcg_kp_ek_certificate = ObjectIdentifier("2.23.133.8.1")
tcg_kp_aik_certificate = ObjectIdentifier("2.23.133.8.3")
register_known(
    {
        tcg_at_tpm_specification.dotted: "tcg-at-tpmSpecification",
        tcg_at_tpm_security_assertions.dotted: "tcg-at-tpmSecurityAssertions",
    }
)
for _oid in (tcg_at_tpm_manufacturer, tcg_at_tpm_model, tcg_at_tpm_version):
    ATTRIBUTES.register(_oid, Annotated[UTF8String, Size(1, STRMAX)], on_mismatch="opaque")
ATTRIBUTES.register(tcg_at_tpm_specification, TPMSpecification, on_mismatch="opaque")
ATTRIBUTES.register(tcg_at_tpm_security_assertions, TPMSecurityAssertions, on_mismatch="opaque")
