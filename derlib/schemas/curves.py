"""Elliptic curves: the parameters of EC keys, as a named curve or in full.

Used by `derlib.schemas.x509`, which imports this module to register the parameters of EC keys. The points on the curve,
in a BIT STRING or an OCTET STRING, are not DER.

>>> ECParameters.decode(bytes.fromhex("06082a8648ce3d030107")).named_curve.dotted
'1.2.840.10045.3.1.7'
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier

_COMPILE_AT_FIRST_USE = True

# The parameters of a finite field by its type, and of a basis of a binary field by its type.
FIELD_TYPES = OpenTypes("FIELD_TYPES")
BASIS_TYPES = OpenTypes("BASIS_TYPES")


class Pentanomial(Sequence):
    """The reduction polynomial x^m + x^k3 + x^k2 + x^k1 + 1 (RFC 3279 section 2.3.5).

    ::

        Pentanomial ::= SEQUENCE {
            k1   INTEGER,
            k2   INTEGER,
            k3   INTEGER }
    """

    k1: int
    k2: int
    k3: int


class CharacteristicTwo(Sequence):
    """A binary field (RFC 3279 section 2.3.5).

    ::

        Characteristic-two ::= SEQUENCE {
            m            INTEGER,             -- field size 2^m
            basis        OBJECT IDENTIFIER,
            parameters   ANY DEFINED BY basis }
    """

    m: int
    basis: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("basis", BASIS_TYPES)]


class FieldID(Sequence):
    """The finite field that a curve is defined over (RFC 3279 section 2.3.5).

    ::

        FieldID ::= SEQUENCE {
            fieldType    OBJECT IDENTIFIER,
            parameters   ANY DEFINED BY fieldType }
    """

    field_type: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("field_type", FIELD_TYPES)]


class Curve(Sequence):
    """The coefficients of a curve (RFC 3279 section 2.3.5).

    ::

        Curve ::= SEQUENCE {
            a      FieldElement,   -- OCTET STRING
            b      FieldElement,
            seed   BIT STRING OPTIONAL }
    """

    a: OctetString
    b: OctetString
    seed: BitString | None = None


class SpecifiedECDomainVersion(NamedInteger):
    """The method by which the curve and its base point were chosen (SEC 1 Appendix C.2).

    ::

        SpecifiedECDomainVersion ::= INTEGER { ecdpVer1(1), ecdpVer2(2), ecdpVer3(3) }
    """

    ecdp_ver1 = 1
    ecdp_ver2 = 2
    ecdp_ver3 = 3


class SpecifiedECDomain(Sequence):
    """A curve in full (SEC 1 Appendix C.2; ECParameters in RFC 3279 section 2.3.5).

    ::

        SpecifiedECDomain ::= SEQUENCE {
            version    SpecifiedECDomainVersion,
            fieldID    FieldID {{FieldTypes}},
            curve      Curve,
            base       ECPoint,                  -- OCTET STRING
            order      INTEGER,
            cofactor   INTEGER OPTIONAL,
            hash       HashAlgorithm OPTIONAL }  -- AlgorithmIdentifier
    """

    version: SpecifiedECDomainVersion
    field_id: FieldID
    curve: Curve
    base: OctetString
    order: int
    cofactor: int | None = None
    hash: AlgorithmIdentifier | None = None


class ECParameters(Choice):
    """The elliptic curve of a key (RFC 5480 section 2.1.1).

    ::

        ECParameters ::= CHOICE {
            namedCurve       OBJECT IDENTIFIER,
            implicitCurve    NULL,
            specifiedCurve   SpecifiedECDomain }

    RFC 5480 allows only namedCurve in certificates, but root certificates with explicit parameters exist.
    """

    named_curve: ObjectIdentifier
    implicit_curve: Null
    specified_curve: SpecifiedECDomain


class ECDSASigValue(Sequence):
    """The value in the BIT STRING of an ECDSA signature (RFC 3279 section 2.2.3).

    ::

        Ecdsa-Sig-Value ::= SEQUENCE {
            r   INTEGER,
            s   INTEGER }
    """

    r: int
    s: int


# RFC 5480 section 2.1: all three types of keys have ECParameters.
_PARAMETERS: tuple[tuple[OpenTypes, str, str, Any], ...] = (
    (ALGORITHMS, "1.2.840.10045.2.1", "id-ecPublicKey", ECParameters),
    (ALGORITHMS, "1.3.132.1.12", "id-ecDH", ECParameters),
    (ALGORITHMS, "1.3.132.1.13", "id-ecMQV", ECParameters),
    (FIELD_TYPES, "1.2.840.10045.1.1", "prime-field", int),
    (FIELD_TYPES, "1.2.840.10045.1.2", "characteristic-two-field", CharacteristicTwo),
    (BASIS_TYPES, "1.2.840.10045.1.2.3.1", "gnBasis", Null),
    (BASIS_TYPES, "1.2.840.10045.1.2.3.2", "tpBasis", int),
    (BASIS_TYPES, "1.2.840.10045.1.2.3.3", "ppBasis", Pentanomial),
)

register_known({dotted: name for _, dotted, name, _ in _PARAMETERS})
for _table, _dotted, _, _syntax in _PARAMETERS:
    _table.register(ObjectIdentifier(_dotted), _syntax)
