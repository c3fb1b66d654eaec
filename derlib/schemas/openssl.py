"""What OpenSSL writes after a certificate in a PEM block with the label TRUSTED CERTIFICATE.

The block contains two values: a `Certificate`, and its trust settings.

>>> settings = CertAux.decode(bytes.fromhex("300c300a06082b06010505070302"))
>>> [purpose.name for purpose in settings.trust or ()]
['id-kp-clientAuth']
"""

from __future__ import annotations

from typing import Annotated

from derlib import Implicit, ObjectIdentifier, OctetString, Sequence, SequenceOf, UTF8String
from derlib.schemas.algorithms import AlgorithmIdentifier

_COMPILE_AT_FIRST_USE = True


class CertAux(Sequence):
    """The trust settings of a certificate (OpenSSL, X509_CERT_AUX).

    ::

        CertAux ::= SEQUENCE {
            trust    SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,               -- permitted purposes
            reject   [0] IMPLICIT SEQUENCE OF OBJECT IDENTIFIER OPTIONAL,  -- forbidden purposes
            alias    UTF8String OPTIONAL,
            keyid    OCTET STRING OPTIONAL,
            other    [1] IMPLICIT SEQUENCE OF AlgorithmIdentifier OPTIONAL }

    OpenSSL has no ASN.1 text for it; this is what its template says.
    """

    trust: SequenceOf[ObjectIdentifier] | None = None
    reject: Annotated[SequenceOf[ObjectIdentifier], Implicit(0)] | None = None
    alias: UTF8String | None = None
    keyid: OctetString | None = None
    other: Annotated[SequenceOf[AlgorithmIdentifier], Implicit(1)] | None = None
