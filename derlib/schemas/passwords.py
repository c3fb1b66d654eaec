"""Encryption with a password: RFC 8018 (PKCS #5), RFC 7914.

Used by `derlib.schemas.keys`, whose names include those of this module. derlib does not decrypt.

>>> PBKDF2Params(salt=PBKDF2Salt(specified=b"salt"), iteration_count=1000).prf.algorithm.name
'id-hmacWithSHA1'
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import NULL, Choice, ObjectIdentifier, OctetString, Range, Sequence, Size
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier

_COMPILE_AT_FIRST_USE = True


class PBEParameter(Sequence):
    """The parameters of PBES1 (RFC 8018 Appendix A.3).

    ::

        PBEParameter ::= SEQUENCE {
            salt             OCTET STRING (SIZE(8)),
            iterationCount   INTEGER }
    """

    salt: Annotated[OctetString, Size(8)]
    iteration_count: int


class PBES2Params(Sequence):
    """The parameters of PBES2 (RFC 8018 Appendix A.4).

    ::

        PBES2-params ::= SEQUENCE {
            keyDerivationFunc   AlgorithmIdentifier {{PBES2-KDFs}},
            encryptionScheme    AlgorithmIdentifier {{PBES2-Encs}} }
    """

    key_derivation_func: AlgorithmIdentifier
    encryption_scheme: AlgorithmIdentifier


class PBMAC1Params(Sequence):
    """The parameters of PBMAC1 (RFC 8018 Appendix A.5; RFC 9579 uses it in PKCS #12).

    ::

        PBMAC1-params ::= SEQUENCE {
            keyDerivationFunc   AlgorithmIdentifier {{PBMAC1-KDFs}},
            messageAuthScheme   AlgorithmIdentifier {{PBMAC1-MACs}} }
    """

    key_derivation_func: AlgorithmIdentifier
    message_auth_scheme: AlgorithmIdentifier


class PBKDF2Salt(Choice):
    """The salt of PBKDF2 (RFC 8018 Appendix A.2, where the CHOICE has no name).

    ::

        CHOICE {
            specified     OCTET STRING,
            otherSource   AlgorithmIdentifier {{PBKDF2-SaltSources}} }
    """

    specified: OctetString
    other_source: AlgorithmIdentifier


# algid-hmacWithSHA1 AlgorithmIdentifier ::= {algorithm id-hmacWithSHA1, parameters NULL : NULL} (RFC 8018 Appendix C).
# Plain data, which is decoded when the class is first used.
_HMAC_SHA1: Any = {"algorithm": ObjectIdentifier("1.2.840.113549.2.7"), "parameters": NULL}


class PBKDF2Params(Sequence):
    """The parameters of PBKDF2 (RFC 8018 Appendix A.2).

    ::

        PBKDF2-params ::= SEQUENCE {
            salt             CHOICE {
                specified     OCTET STRING,
                otherSource   AlgorithmIdentifier {{PBKDF2-SaltSources}} },
            iterationCount   INTEGER (1..MAX),
            keyLength        INTEGER (1..MAX) OPTIONAL,
            prf              AlgorithmIdentifier {{PBKDF2-PRFs}} DEFAULT algid-hmacWithSHA1 }
    """

    salt: PBKDF2Salt
    iteration_count: Annotated[int, Range(1, None)]
    key_length: Annotated[int, Range(1, None)] | None = None
    prf: AlgorithmIdentifier = _HMAC_SHA1


class ScryptParams(Sequence):
    """The parameters of scrypt (RFC 7914 section 7).

    ::

        scrypt-params ::= SEQUENCE {
            salt                       OCTET STRING,
            costParameter              INTEGER (1..MAX),
            blockSize                  INTEGER (1..MAX),
            parallelizationParameter   INTEGER (1..MAX),
            keyLength                  INTEGER (1..MAX) OPTIONAL }
    """

    salt: OctetString
    cost_parameter: Annotated[int, Range(1, None)]
    block_size: Annotated[int, Range(1, None)]
    parallelization_parameter: Annotated[int, Range(1, None)]
    key_length: Annotated[int, Range(1, None)] | None = None


_PASSWORD_ALGORITHMS: tuple[tuple[str, str, Any], ...] = (
    ("1.2.840.113549.1.5.1", "pbeWithMD2AndDES-CBC", PBEParameter),
    ("1.2.840.113549.1.5.3", "pbeWithMD5AndDES-CBC", PBEParameter),
    ("1.2.840.113549.1.5.4", "pbeWithMD2AndRC2-CBC", PBEParameter),
    ("1.2.840.113549.1.5.6", "pbeWithMD5AndRC2-CBC", PBEParameter),
    ("1.2.840.113549.1.5.10", "pbeWithSHA1AndDES-CBC", PBEParameter),
    ("1.2.840.113549.1.5.11", "pbeWithSHA1AndRC2-CBC", PBEParameter),
    ("1.2.840.113549.1.5.12", "id-PBKDF2", PBKDF2Params),
    ("1.2.840.113549.1.5.13", "id-PBES2", PBES2Params),
    ("1.2.840.113549.1.5.14", "id-PBMAC1", PBMAC1Params),
    ("1.3.6.1.4.1.11591.4.11", "id-scrypt", ScryptParams),
)

register_known({dotted: name for dotted, name, _ in _PASSWORD_ALGORITHMS})
for _dotted, _, _syntax in _PASSWORD_ALGORITHMS:
    ALGORITHMS.register(ObjectIdentifier(_dotted), _syntax)
