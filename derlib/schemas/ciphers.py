"""The parameters of ciphers, key wrapping, key agreement, message authentication codes and PKCS #12 encryption.

Used by `derlib.schemas.cms` and `derlib.schemas.keys`, which register these parameters in `ALGORITHMS` when they are
imported. Certificates do not have these algorithms. Modes that take an initialization vector have it as their
parameters: ``bytes`` of the block size.

>>> from derlib.schemas.algorithms import AlgorithmIdentifier
>>> gcm = AlgorithmIdentifier.decode(bytes.fromhex("301e060960864801650304012e3011040c") + bytes(12) + b"\\2\\1\\20")
>>> gcm.algorithm.name, gcm.parameters
('id-aes256-GCM',
    GCMParameters(aes_nonce=b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00', aes_icv_len=16))
"""

from typing import Annotated, Any, TypeAlias

from derlib import NamedInteger, Null, ObjectIdentifier, OctetString, OneOf, Range, Sequence, Size
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier

_COMPILE_AT_FIRST_USE = True

AES_IV: TypeAlias = Annotated[OctetString, Size(16)]  # AES-IV, RFC 3565 section 4.1
CamelliaIV: TypeAlias = Annotated[OctetString, Size(16)]  # Camellia-IV, RFC 3657 section 3.1
CBCParameter: TypeAlias = Annotated[OctetString, Size(8)]  # RFC 3370 section 5.1, RFC 8018 Appendix B.2.1 and B.2.2
SeedIV: TypeAlias = Annotated[OctetString, Size(16)]  # SeedCBCParameter, RFC 4010 section 4
AEADChaCha20Poly1305Nonce: TypeAlias = Annotated[OctetString, Size(12)]  # RFC 8103 section 3
RC2ParameterVersion: TypeAlias = int  # RFC 3370 section 4.3.2
KeyWrapAlgorithm: TypeAlias = AlgorithmIdentifier  # RFC 3370 section 4.1, RFC 5753 section 7.1


class GCMParameters(Sequence):
    """The parameters of AES-GCM (RFC 5084 section 3.2).

    ::

        GCMParameters ::= SEQUENCE {
            aes-nonce    OCTET STRING,   -- recommended size is 12 octets
            aes-ICVlen   AES-GCM-ICVlen DEFAULT 12 }

        AES-GCM-ICVlen ::= INTEGER (12 | 13 | 14 | 15 | 16)
    """

    aes_nonce: OctetString
    aes_icv_len: Annotated[int, OneOf(12, 13, 14, 15, 16)] = 12


class CCMParameters(Sequence):
    """The parameters of AES-CCM (RFC 5084 section 3.1).

    ::

        CCMParameters ::= SEQUENCE {
            aes-nonce    OCTET STRING (SIZE(7..13)),
            aes-ICVlen   AES-CCM-ICVlen DEFAULT 12 }

        AES-CCM-ICVlen ::= INTEGER (4 | 6 | 8 | 10 | 12 | 14 | 16)
    """

    aes_nonce: Annotated[OctetString, Size(7, 13)]
    aes_icv_len: Annotated[int, OneOf(4, 6, 8, 10, 12, 14, 16)] = 12


class RC2CBCParameter(Sequence):
    """The parameters of RC2 in CBC mode (RFC 8018 Appendix B.2.3; RFC 3370 section 5.2 requires the version).

    ::

        RC2-CBC-Parameter ::= SEQUENCE {
            rc2ParameterVersion   INTEGER OPTIONAL,
            iv                    OCTET STRING (SIZE(8)) }
    """

    rc2_parameter_version: RC2ParameterVersion | None = None
    iv: Annotated[OctetString, Size(8)]


class RC5Version(NamedInteger):
    """The version of RC5 (RFC 8018 Appendix B.2.4, where the INTEGER has no name).

    ::

        INTEGER { v1-0(16) }
    """

    v1_0 = 16


class RC5CBCParameters(Sequence):
    """The parameters of RC5 in CBC mode (RFC 8018 Appendix B.2.4).

    ::

        RC5-CBC-Parameters ::= SEQUENCE {
            version           INTEGER { v1-0(16) } (v1-0),
            rounds            INTEGER (8..127),
            blockSizeInBits   INTEGER (64 | 128),
            iv                OCTET STRING OPTIONAL }
    """

    version: Annotated[RC5Version, OneOf(RC5Version.v1_0)]
    rounds: Annotated[int, Range(8, 127)]
    block_size_in_bits: Annotated[int, OneOf(64, 128)]
    iv: OctetString | None = None


class KMACwithSHAKE128Params(Sequence):
    """The parameters of KMAC with SHAKE128 (RFC 8702 section 3.4).

    ::

        KMACwithSHAKE128-params ::= SEQUENCE {
            kMACOutputLength      INTEGER DEFAULT 256,   -- in bits
            customizationString   OCTET STRING DEFAULT ''H }
    """

    kmac_output_length: int = 256
    customization_string: OctetString = b""


class KMACwithSHAKE256Params(Sequence):
    """The parameters of KMAC with SHAKE256 (RFC 8702 section 3.4).

    ::

        KMACwithSHAKE256-params ::= SEQUENCE {
            kMACOutputLength      INTEGER DEFAULT 512,   -- in bits
            customizationString   OCTET STRING DEFAULT ''H }
    """

    kmac_output_length: int = 512
    customization_string: OctetString = b""


class PKCS12PBEParams(Sequence):
    """The parameters of the PKCS #12 encryption schemes (RFC 7292 Appendix C).

    ::

        pkcs-12PbeParams ::= SEQUENCE {
            salt         OCTET STRING,
            iterations   INTEGER }
    """

    salt: OctetString
    iterations: int


_AES = "2.16.840.1.101.3.4.1"
_SMIME_ALGORITHMS = "1.2.840.113549.1.9.16.3"
_RSADSI_DIGESTS = "1.2.840.113549.2"
_PKCS12_PBE = "1.2.840.113549.1.12.1"

_ARIA_GCM = ((128, 34), (192, 35), (256, 36))

_CIPHERS: tuple[tuple[str, str, Any], ...] = (
    # RFC 3565 section 4.1, RFC 5084 section 3. AES key wrap has no parameters (RFC 3565 section 4.2).
    (f"{_AES}.2", "id-aes128-CBC", AES_IV),
    (f"{_AES}.22", "id-aes192-CBC", AES_IV),
    (f"{_AES}.42", "id-aes256-CBC", AES_IV),
    (f"{_AES}.6", "id-aes128-GCM", GCMParameters),
    (f"{_AES}.26", "id-aes192-GCM", GCMParameters),
    (f"{_AES}.46", "id-aes256-GCM", GCMParameters),
    (f"{_AES}.7", "id-aes128-CCM", CCMParameters),
    (f"{_AES}.27", "id-aes192-CCM", CCMParameters),
    (f"{_AES}.47", "id-aes256-CCM", CCMParameters),
    # RFC 3370 section 5, RFC 8018 Appendix B.2.
    ("1.3.14.3.2.7", "desCBC", CBCParameter),
    ("1.2.840.113549.3.2", "rc2CBC", RC2CBCParameter),
    ("1.2.840.113549.3.7", "des-EDE3-CBC", CBCParameter),
    ("1.2.840.113549.3.9", "rc5-CBC-PAD", RC5CBCParameters),
    # RFC 3657 section 3.1, RFC 8103 section 3.
    ("1.2.392.200011.61.1.1.1.2", "id-camellia128-cbc", CamelliaIV),
    ("1.2.392.200011.61.1.1.1.3", "id-camellia192-cbc", CamelliaIV),
    ("1.2.392.200011.61.1.1.1.4", "id-camellia256-cbc", CamelliaIV),
    (f"{_SMIME_ALGORITHMS}.18", "id-alg-AEADChaCha20Poly1305", AEADChaCha20Poly1305Nonce),
    # RFC 4010 section 4.
    ("1.2.410.200004.1.4", "id-seedCBC", SeedIV),
    # Key wrapping and key agreement: RFC 3370 section 4, RFC 3211 section 2.3.2.
    (f"{_SMIME_ALGORITHMS}.5", "id-alg-ESDH", KeyWrapAlgorithm),
    (f"{_SMIME_ALGORITHMS}.6", "id-alg-CMS3DESwrap", Null),
    (f"{_SMIME_ALGORITHMS}.7", "id-alg-CMSRC2wrap", RC2ParameterVersion),
    (f"{_SMIME_ALGORITHMS}.9", "id-alg-PWRI-KEK", KeyWrapAlgorithm),
    (f"{_SMIME_ALGORITHMS}.10", "id-alg-SSDH", KeyWrapAlgorithm),
    # RFC 8418 section 2.3.
    (f"{_SMIME_ALGORITHMS}.19", "dhSinglePass-stdDH-hkdf-sha256-scheme", KeyWrapAlgorithm),
    (f"{_SMIME_ALGORITHMS}.20", "dhSinglePass-stdDH-hkdf-sha384-scheme", KeyWrapAlgorithm),
    (f"{_SMIME_ALGORITHMS}.21", "dhSinglePass-stdDH-hkdf-sha512-scheme", KeyWrapAlgorithm),
    # RFC 5753 section 7.1.4.
    ("1.3.133.16.840.63.0.2", "dhSinglePass-stdDH-sha1kdf-scheme", KeyWrapAlgorithm),
    ("1.3.133.16.840.63.0.3", "dhSinglePass-cofactorDH-sha1kdf-scheme", KeyWrapAlgorithm),
    ("1.3.133.16.840.63.0.16", "mqvSinglePass-sha1kdf-scheme", KeyWrapAlgorithm),
    *(
        (f"1.3.132.1.{arc}.{index}", f"{scheme}-sha{size}kdf-scheme", KeyWrapAlgorithm)
        for arc, scheme in ((11, "dhSinglePass-stdDH"), (14, "dhSinglePass-cofactorDH"), (15, "mqvSinglePass"))
        for index, size in enumerate((224, 256, 384, 512))
    ),
    # How recipients of KEMs derive keys: RFC 9690 Appendix A. The parameters are the hash function.
    ("1.3.133.16.840.9.44.1.1", "id-kdf-kdf2", AlgorithmIdentifier),
    ("1.3.133.16.840.9.44.1.2", "id-kdf-kdf3", AlgorithmIdentifier),
    # Message authentication codes, RFC 3370 section 3.1, RFC 8018 Appendix B.1.
    ("1.3.6.1.5.5.8.1.2", "hMAC-SHA1", Null),
    (f"{_RSADSI_DIGESTS}.7", "id-hmacWithSHA1", Null),
    (f"{_RSADSI_DIGESTS}.8", "id-hmacWithSHA224", Null),
    (f"{_RSADSI_DIGESTS}.9", "id-hmacWithSHA256", Null),
    (f"{_RSADSI_DIGESTS}.10", "id-hmacWithSHA384", Null),
    (f"{_RSADSI_DIGESTS}.11", "id-hmacWithSHA512", Null),
    (f"{_RSADSI_DIGESTS}.12", "id-hmacWithSHA512-224", Null),
    (f"{_RSADSI_DIGESTS}.13", "id-hmacWithSHA512-256", Null),
    ("2.16.840.1.101.3.4.2.19", "id-KMACWithSHAKE128", KMACwithSHAKE128Params),
    ("2.16.840.1.101.3.4.2.20", "id-KMACWithSHAKE256", KMACwithSHAKE256Params),
    # RFC 7292 Appendix C. Keys in PKCS #8 have these schemes, too.
    (f"{_PKCS12_PBE}.1", "pbeWithSHAAnd128BitRC4", PKCS12PBEParams),
    (f"{_PKCS12_PBE}.2", "pbeWithSHAAnd40BitRC4", PKCS12PBEParams),
    (f"{_PKCS12_PBE}.3", "pbeWithSHAAnd3-KeyTripleDES-CBC", PKCS12PBEParams),
    (f"{_PKCS12_PBE}.4", "pbeWithSHAAnd2-KeyTripleDES-CBC", PKCS12PBEParams),
    (f"{_PKCS12_PBE}.5", "pbeWithSHAAnd128BitRC2-CBC", PKCS12PBEParams),
    (f"{_PKCS12_PBE}.6", "pbewithSHAAnd40BitRC2-CBC", PKCS12PBEParams),
)

# What OpenSSL writes. No standard that we know of has these forms, or it has another one, so other values are opaque.
_BY_USE: tuple[tuple[str, str, Any], ...] = (
    *(
        (f"{_AES}.{base + offset}", f"id-aes{size}-{mode}", OctetString)
        for size, base in ((128, 0), (192, 20), (256, 40))
        for offset, mode in ((1, "ECB"), (3, "OFB"), (4, "CFB"))
    ),
    *(
        (f"1.2.410.200046.1.1.{number + index}", f"id-aria{size}-{mode}", OctetString)
        for size, number in ((128, 1), (192, 6), (256, 11))
        for index, mode in enumerate(("ecb", "cbc", "cfb", "ofb"))
    ),
    *((f"1.2.410.200046.1.1.{number}", f"id-aria{size}-gcm", GCMParameters) for size, number in _ARIA_GCM),
    ("1.2.156.10197.1.104.2", "sm4-cbc", OctetString),
    ("1.2.840.113533.7.66.10", "cast5CBC", OctetString),
    ("1.2.840.113549.3.4", "rc4", OctetString),
    ("1.3.6.1.4.1.3029.1.2", "blowfishCBC", OctetString),
    ("1.3.14.3.2.17", "desEDE", OctetString),
    ("1.3.36.3.2.1", "ripemd160", Null),
    (f"{_RSADSI_DIGESTS}.6", "id-hmacWithMD5", Null),
    # RFC 9688 section 2 has no parameters.
    *(
        (f"2.16.840.1.101.3.4.2.{number}", f"id-sha3-{size}", Null)
        for number, size in ((7, 224), (8, 256), (9, 384), (10, 512))
    ),
)

register_known({dotted: name for dotted, name, _ in (*_CIPHERS, *_BY_USE)})
for _dotted, _, _syntax in _CIPHERS:
    ALGORITHMS.register(ObjectIdentifier(_dotted), _syntax)
for _dotted, _, _syntax in _BY_USE:
    ALGORITHMS.register(ObjectIdentifier(_dotted), _syntax, on_mismatch="opaque")
