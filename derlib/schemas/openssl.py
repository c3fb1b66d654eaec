"""Files that only OpenSSL writes: trust settings, sessions of TLS, and requests in the format of Netscape (SPKAC).

OpenSSL has no ASN.1 text for its own types. The text of their classes is what the templates in its source say.

A PEM block with the label TRUSTED CERTIFICATE contains two values: a `Certificate`, and its trust settings.

>>> settings = CertAux.decode(bytes.fromhex("300c300a06082b06010505070302"))
>>> [purpose.name for purpose in settings.trust or ()]
['id-kp-clientAuth']
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    BitString,
    Explicit,
    IA5String,
    Implicit,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    UTF8String,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.x509 import Certificate, SubjectPublicKeyInfo

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
    """

    trust: SequenceOf[ObjectIdentifier] | None = None
    reject: Annotated[SequenceOf[ObjectIdentifier], Implicit(0)] | None = None
    alias: UTF8String | None = None
    keyid: OctetString | None = None
    other: Annotated[SequenceOf[AlgorithmIdentifier], Implicit(1)] | None = None


class PublicKeyAndChallenge(Sequence):
    """The part of a `SignedPublicKeyAndChallenge` that is signed (Netscape).

    ::

        PublicKeyAndChallenge ::= SEQUENCE {
            spki        SubjectPublicKeyInfo,
            challenge   IA5String }
    """

    spki: SubjectPublicKeyInfo
    challenge: IA5String


class SignedPublicKeyAndChallenge(Sequence, ber="keep"):
    """A request for a certificate, from the element keygen of old browsers or `openssl spkac` (Netscape).

    ::

        SignedPublicKeyAndChallenge ::= SEQUENCE {
            publicKeyAndChallenge   PublicKeyAndChallenge,
            signatureAlgorithm      AlgorithmIdentifier,
            signature               BIT STRING }

    OpenSSL writes it in base64 after the text ``SPKAC=``. The signed bytes are ``public_key_and_challenge.der``.
    """

    public_key_and_challenge: PublicKeyAndChallenge
    signature_algorithm: AlgorithmIdentifier
    signature: BitString


class SSLSession(Sequence):
    """A session of TLS, in a PEM block with the label SSL SESSION PARAMETERS (OpenSSL, SSL_SESSION_ASN1).

    ::

        SSLSession ::= SEQUENCE {
            version                       INTEGER,
            ssl_version                   INTEGER,        -- 772 for TLS 1.3
            cipher                        OCTET STRING,
            session_id                    OCTET STRING,
            master_key                    OCTET STRING,
            key_arg                       [0] IMPLICIT OCTET STRING OPTIONAL,
            time                          [1] EXPLICIT INTEGER OPTIONAL,
            timeout                       [2] EXPLICIT INTEGER OPTIONAL,
            peer                          [3] EXPLICIT Certificate OPTIONAL,
            session_id_context            [4] EXPLICIT OCTET STRING OPTIONAL,
            verify_result                 [5] EXPLICIT INTEGER OPTIONAL,
            tlsext_hostname               [6] EXPLICIT OCTET STRING OPTIONAL,
            psk_identity_hint             [7] EXPLICIT OCTET STRING OPTIONAL,
            psk_identity                  [8] EXPLICIT OCTET STRING OPTIONAL,
            tlsext_tick_lifetime_hint     [9] EXPLICIT INTEGER OPTIONAL,
            tlsext_tick                   [10] EXPLICIT OCTET STRING OPTIONAL,
            comp_id                       [11] EXPLICIT OCTET STRING OPTIONAL,
            srp_username                  [12] EXPLICIT OCTET STRING OPTIONAL,
            flags                         [13] EXPLICIT INTEGER OPTIONAL,
            tlsext_tick_age_add           [14] EXPLICIT INTEGER OPTIONAL,
            max_early_data                [15] EXPLICIT INTEGER OPTIONAL,
            alpn_selected                 [16] EXPLICIT OCTET STRING OPTIONAL,
            tlsext_max_fragment_len_mode  [17] EXPLICIT INTEGER OPTIONAL,
            ticket_appdata                [18] EXPLICIT OCTET STRING OPTIONAL,
            kex_group                     [19] EXPLICIT INTEGER OPTIONAL,
            peer_rpk                      [20] EXPLICIT OCTET STRING OPTIONAL }

    `master_key` is secret. `time` counts seconds since 1970.
    """

    version: int
    ssl_version: int
    cipher: OctetString
    session_id: OctetString
    master_key: OctetString
    key_arg: Annotated[OctetString, Implicit(0)] | None = None
    time: Annotated[int, Explicit(1)] | None = None
    timeout: Annotated[int, Explicit(2)] | None = None
    peer: Annotated[Certificate, Explicit(3)] | None = None
    session_id_context: Annotated[OctetString, Explicit(4)] | None = None
    verify_result: Annotated[int, Explicit(5)] | None = None
    tlsext_hostname: Annotated[OctetString, Explicit(6)] | None = None
    psk_identity_hint: Annotated[OctetString, Explicit(7)] | None = None
    psk_identity: Annotated[OctetString, Explicit(8)] | None = None
    tlsext_tick_lifetime_hint: Annotated[int, Explicit(9)] | None = None
    tlsext_tick: Annotated[OctetString, Explicit(10)] | None = None
    comp_id: Annotated[OctetString, Explicit(11)] | None = None
    srp_username: Annotated[OctetString, Explicit(12)] | None = None
    flags: Annotated[int, Explicit(13)] | None = None
    tlsext_tick_age_add: Annotated[int, Explicit(14)] | None = None
    max_early_data: Annotated[int, Explicit(15)] | None = None
    alpn_selected: Annotated[OctetString, Explicit(16)] | None = None
    tlsext_max_fragment_len_mode: Annotated[int, Explicit(17)] | None = None
    ticket_appdata: Annotated[OctetString, Explicit(18)] | None = None
    kex_group: Annotated[int, Explicit(19)] | None = None
    peer_rpk: Annotated[OctetString, Explicit(20)] | None = None
