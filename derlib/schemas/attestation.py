"""Attestation of keys: the extension of Android, and the attributes of TPM endorsement certificates.

Import this module to read what a certificate says about the device that holds its key. Importing it registers the
extension of Android, the extension of FIDO authenticators, and the attributes of `derlib.schemas.tcg`. Classes have the
names of Android's documentation, Key and ID attestation. derlib does not verify certificate chains.

    >>> from derlib.schemas.attestation import id_android_key_attestation
    >>> from derlib.schemas.x509 import Certificate
    >>> certificate = Certificate.decode(open("key.der", "rb").read())  # doctest: +SKIP
    >>> description = certificate.get(id_android_key_attestation)  # doctest: +SKIP
    >>> description.attestation_challenge, description.hardware_enforced.root_of_trust.device_locked  # doctest: +SKIP
    (b'challenge', True)
"""

from __future__ import annotations

from typing import Annotated

from derlib import Containing, Enumerated, Explicit, NamedInteger, Null, OctetString, Sequence, SetOf, Size
from derlib.schemas.extensions import known_extension
from derlib.schemas.tcg import (
    CommonCriteriaMeasures,
    EKCertificateGenerationLocation,
    EKGenerationLocation,
    EKGenerationType,
    EvaluationAssuranceLevel,
    EvaluationStatus,
    FIPSLevel,
    StrengthOfFunction,
    TPMSecurityAssertions,
    TPMSpecification,
    tcg_at_tpm_manufacturer,
    tcg_at_tpm_model,
    tcg_at_tpm_security_assertions,
    tcg_at_tpm_specification,
    tcg_at_tpm_version,
    tcg_kp_aik_certificate,
    tcg_kp_ek_certificate,
)

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "Algorithm",
    "AttestationApplicationId",
    "AttestationPackageInfo",
    "AuthorizationList",
    "BlockMode",
    "CommonCriteriaMeasures",
    "Digest",
    "EKCertificateGenerationLocation",
    "EKGenerationLocation",
    "EKGenerationType",
    "EcCurve",
    "EvaluationAssuranceLevel",
    "EvaluationStatus",
    "FIPSLevel",
    "KeyDescription",
    "KeyOrigin",
    "KeyPurpose",
    "PaddingMode",
    "RootOfTrust",
    "SecurityLevel",
    "StrengthOfFunction",
    "TPMSecurityAssertions",
    "TPMSpecification",
    "VerifiedBootState",
    "id_android_key_attestation",
    "id_fido_gen_ce_aaguid",
    "tcg_at_tpm_manufacturer",
    "tcg_at_tpm_model",
    "tcg_at_tpm_security_assertions",
    "tcg_at_tpm_specification",
    "tcg_at_tpm_version",
    "tcg_kp_aik_certificate",
    "tcg_kp_ek_certificate",
]


class SecurityLevel(Enumerated):
    """Where the key is, and who attests it (Android, Key and ID attestation).

    ::

        SecurityLevel ::= ENUMERATED {
            Software             (0),
            TrustedEnvironment   (1),
            StrongBox            (2) }
    """

    software = 0
    trusted_environment = 1
    strong_box = 2


class VerifiedBootState(Enumerated):
    """Whether the system is the one that the manufacturer or the user signed (Android, Key and ID attestation).

    ::

        VerifiedBootState ::= ENUMERATED {
            Verified     (0),
            SelfSigned   (1),
            Unverified   (2),
            Failed       (3) }
    """

    verified = 0
    self_signed = 1
    unverified = 2
    failed = 3


class KeyPurpose(NamedInteger):
    """What a key can be used for (KeyMint, KeyPurpose)."""

    encrypt = 0
    decrypt = 1
    sign = 2
    verify = 3
    wrap_key = 5
    agree_key = 6
    attest_key = 7


class Algorithm(NamedInteger):
    """The kind of a key (KeyMint, Algorithm)."""

    rsa = 1
    ec = 3
    aes = 32
    triple_des = 33
    hmac = 128


class BlockMode(NamedInteger):
    """A mode of a block cipher (KeyMint, BlockMode)."""

    ecb = 1
    cbc = 2
    ctr = 3
    gcm = 32


class Digest(NamedInteger):
    """A hash function (KeyMint, Digest)."""

    none = 0
    md5 = 1
    sha1 = 2
    sha_2_224 = 3
    sha_2_256 = 4
    sha_2_384 = 5
    sha_2_512 = 6


class PaddingMode(NamedInteger):
    """How a message is padded (KeyMint, PaddingMode)."""

    none = 1
    rsa_oaep = 2
    rsa_pss = 3
    rsa_pkcs1_1_5_encrypt = 4
    rsa_pkcs1_1_5_sign = 5
    pkcs7 = 64


class EcCurve(NamedInteger):
    """An elliptic curve (KeyMint, EcCurve)."""

    p_224 = 0
    p_256 = 1
    p_384 = 2
    p_521 = 3
    curve_25519 = 4


class KeyOrigin(NamedInteger):
    """Where a key comes from (KeyMint, KeyOrigin)."""

    generated = 0
    derived = 1
    imported = 2
    reserved = 3
    securely_imported = 4


class RootOfTrust(Sequence):
    """How the device started (Android, Key and ID attestation).

    ::

        RootOfTrust ::= SEQUENCE {
            verifiedBootKey     OCTET_STRING,
            deviceLocked        BOOLEAN,
            verifiedBootState   VerifiedBootState,
            verifiedBootHash    OCTET_STRING }   -- since version 3
    """

    verified_boot_key: OctetString
    device_locked: bool
    verified_boot_state: VerifiedBootState
    verified_boot_hash: OctetString | None = None


class AttestationPackageInfo(Sequence):
    """An app that can use the key (Android, Key and ID attestation).

    ::

        AttestationPackageInfo ::= SEQUENCE {
            package_name   OCTET_STRING,   -- UTF-8
            version        INTEGER }
    """

    package_name: OctetString
    version: int


class AttestationApplicationId(Sequence):
    """The apps of the user who created the key (Android, Key and ID attestation).

    ::

        AttestationApplicationId ::= SEQUENCE {
            package_infos       SET OF AttestationPackageInfo,
            signature_digests   SET OF OCTET_STRING }   -- SHA-256 of the certificates that signed the apps
    """

    package_infos: SetOf[AttestationPackageInfo]
    signature_digests: SetOf[OctetString]


class AuthorizationList(Sequence):
    """The properties of a key that one part of the system enforces (Android, Key and ID attestation).

    It has the fields of the versions 1 to 4, 100, 200, 300 and 400. Times are in milliseconds since 1970 in UTC.

    ::

        AuthorizationList ::= SEQUENCE {
            purpose                       [1] EXPLICIT SET OF INTEGER OPTIONAL,
            algorithm                     [2] EXPLICIT INTEGER OPTIONAL,
            keySize                       [3] EXPLICIT INTEGER OPTIONAL,     -- bits
            blockMode                     [4] EXPLICIT SET OF INTEGER OPTIONAL,
            digest                        [5] EXPLICIT SET OF INTEGER OPTIONAL,
            padding                       [6] EXPLICIT SET OF INTEGER OPTIONAL,
            callerNonce                   [7] EXPLICIT NULL OPTIONAL,
            minMacLength                  [8] EXPLICIT INTEGER OPTIONAL,     -- bits
            ecCurve                       [10] EXPLICIT INTEGER OPTIONAL,
            rsaPublicExponent             [200] EXPLICIT INTEGER OPTIONAL,
            mgfDigest                     [203] EXPLICIT SET OF INTEGER OPTIONAL,
            rollbackResistance            [303] EXPLICIT NULL OPTIONAL,
            earlyBootOnly                 [305] EXPLICIT NULL OPTIONAL,
            activeDateTime                [400] EXPLICIT INTEGER OPTIONAL,
            originationExpireDateTime     [401] EXPLICIT INTEGER OPTIONAL,
            usageExpireDateTime           [402] EXPLICIT INTEGER OPTIONAL,
            usageCountLimit               [405] EXPLICIT INTEGER OPTIONAL,
            userSecureId                  [502] EXPLICIT INTEGER OPTIONAL,
            noAuthRequired                [503] EXPLICIT NULL OPTIONAL,
            userAuthType                  [504] EXPLICIT INTEGER OPTIONAL,   -- bits of HardwareAuthenticatorType
            authTimeout                   [505] EXPLICIT INTEGER OPTIONAL,   -- seconds
            allowWhileOnBody              [506] EXPLICIT NULL OPTIONAL,
            trustedUserPresenceRequired   [507] EXPLICIT NULL OPTIONAL,
            trustedConfirmationRequired   [508] EXPLICIT NULL OPTIONAL,
            unlockedDeviceRequired        [509] EXPLICIT NULL OPTIONAL,
            allApplications               [600] EXPLICIT NULL OPTIONAL,      -- until version 3
            applicationId                 [601] EXPLICIT OCTET_STRING OPTIONAL,
            creationDateTime              [701] EXPLICIT INTEGER OPTIONAL,
            origin                        [702] EXPLICIT INTEGER OPTIONAL,
            rollbackResistant             [703] EXPLICIT NULL OPTIONAL,      -- until version 2
            rootOfTrust                   [704] EXPLICIT RootOfTrust OPTIONAL,
            osVersion                     [705] EXPLICIT INTEGER OPTIONAL,   -- 130000 is 13.0.0
            osPatchLevel                  [706] EXPLICIT INTEGER OPTIONAL,   -- YYYYMM
            attestationApplicationId      [709] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdBrand            [710] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdDevice           [711] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdProduct          [712] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdSerial           [713] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdImei             [714] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdMeid             [715] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdManufacturer     [716] EXPLICIT OCTET_STRING OPTIONAL,
            attestationIdModel            [717] EXPLICIT OCTET_STRING OPTIONAL,
            vendorPatchLevel              [718] EXPLICIT INTEGER OPTIONAL,   -- YYYYMMDD
            bootPatchLevel                [719] EXPLICIT INTEGER OPTIONAL,   -- YYYYMMDD
            deviceUniqueAttestation       [720] EXPLICIT NULL OPTIONAL,
            attestationIdSecondImei       [723] EXPLICIT OCTET_STRING OPTIONAL,
            moduleHash                    [724] EXPLICIT OCTET_STRING OPTIONAL }
    """

    purpose: Annotated[SetOf[KeyPurpose], Explicit(1)] | None = None
    algorithm: Annotated[Algorithm, Explicit(2)] | None = None
    key_size: Annotated[int, Explicit(3)] | None = None
    block_mode: Annotated[SetOf[BlockMode], Explicit(4)] | None = None
    digest: Annotated[SetOf[Digest], Explicit(5)] | None = None
    padding: Annotated[SetOf[PaddingMode], Explicit(6)] | None = None
    caller_nonce: Annotated[Null, Explicit(7)] | None = None
    min_mac_length: Annotated[int, Explicit(8)] | None = None
    ec_curve: Annotated[EcCurve, Explicit(10)] | None = None
    rsa_public_exponent: Annotated[int, Explicit(200)] | None = None
    mgf_digest: Annotated[SetOf[Digest], Explicit(203)] | None = None
    rollback_resistance: Annotated[Null, Explicit(303)] | None = None
    early_boot_only: Annotated[Null, Explicit(305)] | None = None
    active_date_time: Annotated[int, Explicit(400)] | None = None
    origination_expire_date_time: Annotated[int, Explicit(401)] | None = None
    usage_expire_date_time: Annotated[int, Explicit(402)] | None = None
    usage_count_limit: Annotated[int, Explicit(405)] | None = None
    user_secure_id: Annotated[int, Explicit(502)] | None = None
    no_auth_required: Annotated[Null, Explicit(503)] | None = None
    user_auth_type: Annotated[int, Explicit(504)] | None = None
    auth_timeout: Annotated[int, Explicit(505)] | None = None
    allow_while_on_body: Annotated[Null, Explicit(506)] | None = None
    trusted_user_presence_required: Annotated[Null, Explicit(507)] | None = None
    trusted_confirmation_required: Annotated[Null, Explicit(508)] | None = None
    unlocked_device_required: Annotated[Null, Explicit(509)] | None = None
    all_applications: Annotated[Null, Explicit(600)] | None = None
    application_id: Annotated[OctetString, Explicit(601)] | None = None
    creation_date_time: Annotated[int, Explicit(701)] | None = None
    origin_: Annotated[KeyOrigin, Explicit(702)] | None = None
    rollback_resistant: Annotated[Null, Explicit(703)] | None = None
    root_of_trust: Annotated[RootOfTrust, Explicit(704)] | None = None
    os_version: Annotated[int, Explicit(705)] | None = None
    os_patch_level: Annotated[int, Explicit(706)] | None = None
    attestation_application_id: (
        Annotated[AttestationApplicationId, OctetString, Containing(AttestationApplicationId), Explicit(709)] | None
    ) = None
    attestation_id_brand: Annotated[OctetString, Explicit(710)] | None = None
    attestation_id_device: Annotated[OctetString, Explicit(711)] | None = None
    attestation_id_product: Annotated[OctetString, Explicit(712)] | None = None
    attestation_id_serial: Annotated[OctetString, Explicit(713)] | None = None
    attestation_id_imei: Annotated[OctetString, Explicit(714)] | None = None
    attestation_id_meid: Annotated[OctetString, Explicit(715)] | None = None
    attestation_id_manufacturer: Annotated[OctetString, Explicit(716)] | None = None
    attestation_id_model: Annotated[OctetString, Explicit(717)] | None = None
    vendor_patch_level: Annotated[int, Explicit(718)] | None = None
    boot_patch_level: Annotated[int, Explicit(719)] | None = None
    device_unique_attestation: Annotated[Null, Explicit(720)] | None = None
    attestation_id_second_imei: Annotated[OctetString, Explicit(723)] | None = None
    module_hash: Annotated[OctetString, Explicit(724)] | None = None


class KeyDescription(Sequence):
    """What a device attests about a key: the value of `id_android_key_attestation` (Android, Key and ID attestation).

    ::

        KeyDescription ::= SEQUENCE {
            attestationVersion         INTEGER,        -- 1 to 4; of KeyMint 100, 200, 300 and 400
            attestationSecurityLevel   SecurityLevel,
            keyMintVersion             INTEGER,
            keyMintSecurityLevel       SecurityLevel,
            attestationChallenge       OCTET_STRING,
            uniqueId                   OCTET_STRING,
            softwareEnforced           AuthorizationList,
            hardwareEnforced           AuthorizationList }
    """

    attestation_version: int
    attestation_security_level: SecurityLevel
    key_mint_version: int
    key_mint_security_level: SecurityLevel
    attestation_challenge: OctetString
    unique_id: OctetString
    software_enforced: AuthorizationList
    hardware_enforced: AuthorizationList


# New versions add fields, and some devices have fields of their own: a value of another form is left opaque.
id_android_key_attestation = known_extension(
    "1.3.6.1.4.1.11129.2.1.17", "id-android-keyAttestation", KeyDescription, on_mismatch="opaque"
)
# Web Authentication, section 8.2.1: the model of the authenticator.
id_fido_gen_ce_aaguid = known_extension(
    "1.3.6.1.4.1.45724.1.1.4", "id-fido-gen-ce-aaguid", Annotated[OctetString, Size(16)], on_mismatch="opaque"
)
