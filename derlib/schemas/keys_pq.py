"""Private keys of ML-DSA (RFC 9881 section 6) and ML-KEM (RFC 9935 section 6).

Used by `derlib.schemas.keys`. Each key is its seed, its expanded form, or both. Public keys of both, and all keys of
SLH-DSA (RFC 9909), HSS/LMS and XMSS (RFC 9802), are bytes without ASN.1: derlib keeps them opaque.

>>> MLDSA44PrivateKey(seed=bytes(32)).encode()[:2].hex()
'8020'
"""

from typing import Annotated

from derlib import Choice, Implicit, OctetString, Sequence, Size

_COMPILE_AT_FIRST_USE = True


# --- ML-DSA: RFC 9881


class MLDSA44PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-DSA-44 key (RFC 9881 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (2560)) }
    """

    seed: Annotated[OctetString, Size(32)]
    expanded_key: Annotated[OctetString, Size(2560)]


class MLDSA44PrivateKey(Choice):
    """An ML-DSA-44 private key (RFC 9881 section 6, implicit tags).

    ::

        ML-DSA-44-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (2560)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (32)),
                expandedKey   OCTET STRING (SIZE (2560)) } }
    """

    seed: Annotated[OctetString, Size(32), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(2560)]
    both: MLDSA44PrivateKeyBoth


class MLDSA65PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-DSA-65 key (RFC 9881 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (4032)) }
    """

    seed: Annotated[OctetString, Size(32)]
    expanded_key: Annotated[OctetString, Size(4032)]


class MLDSA65PrivateKey(Choice):
    """An ML-DSA-65 private key (RFC 9881 section 6, implicit tags).

    ::

        ML-DSA-65-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (4032)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (32)),
                expandedKey   OCTET STRING (SIZE (4032)) } }
    """

    seed: Annotated[OctetString, Size(32), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(4032)]
    both: MLDSA65PrivateKeyBoth


class MLDSA87PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-DSA-87 key (RFC 9881 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (4896)) }
    """

    seed: Annotated[OctetString, Size(32)]
    expanded_key: Annotated[OctetString, Size(4896)]


class MLDSA87PrivateKey(Choice):
    """An ML-DSA-87 private key (RFC 9881 section 6, implicit tags).

    ::

        ML-DSA-87-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (32)),
            expandedKey   OCTET STRING (SIZE (4896)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (32)),
                expandedKey   OCTET STRING (SIZE (4896)) } }
    """

    seed: Annotated[OctetString, Size(32), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(4896)]
    both: MLDSA87PrivateKeyBoth


# --- ML-KEM: RFC 9935


class MLKEM512PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-KEM-512 key (RFC 9935 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (1632)) }
    """

    seed: Annotated[OctetString, Size(64)]
    expanded_key: Annotated[OctetString, Size(1632)]


class MLKEM512PrivateKey(Choice):
    """An ML-KEM-512 private key (RFC 9935 section 6, implicit tags).

    ::

        ML-KEM-512-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (1632)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (64)),
                expandedKey   OCTET STRING (SIZE (1632)) } }
    """

    seed: Annotated[OctetString, Size(64), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(1632)]
    both: MLKEM512PrivateKeyBoth


class MLKEM768PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-KEM-768 key (RFC 9935 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (2400)) }
    """

    seed: Annotated[OctetString, Size(64)]
    expanded_key: Annotated[OctetString, Size(2400)]


class MLKEM768PrivateKey(Choice):
    """An ML-KEM-768 private key (RFC 9935 section 6, implicit tags).

    ::

        ML-KEM-768-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (2400)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (64)),
                expandedKey   OCTET STRING (SIZE (2400)) } }
    """

    seed: Annotated[OctetString, Size(64), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(2400)]
    both: MLKEM768PrivateKeyBoth


class MLKEM1024PrivateKeyBoth(Sequence):
    """The seed and the expanded form of an ML-KEM-1024 key (RFC 9935 section 6, where the SEQUENCE has no name).

    ::

        SEQUENCE {
            seed          OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (3168)) }
    """

    seed: Annotated[OctetString, Size(64)]
    expanded_key: Annotated[OctetString, Size(3168)]


class MLKEM1024PrivateKey(Choice):
    """An ML-KEM-1024 private key (RFC 9935 section 6, implicit tags).

    ::

        ML-KEM-1024-PrivateKey ::= CHOICE {
            seed          [0] OCTET STRING (SIZE (64)),
            expandedKey   OCTET STRING (SIZE (3168)),
            both          SEQUENCE {
                seed          OCTET STRING (SIZE (64)),
                expandedKey   OCTET STRING (SIZE (3168)) } }
    """

    seed: Annotated[OctetString, Size(64), Implicit(0)]
    expanded_key: Annotated[OctetString, Size(3168)]
    both: MLKEM1024PrivateKeyBoth
