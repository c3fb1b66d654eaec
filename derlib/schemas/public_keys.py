"""SubjectPublicKeyInfo: a public key with its algorithm (RFC 5280 section 4.1.2.7).

`derlib.schemas.x509` exports the class. The types of keys are in `PUBLIC_KEYS` of `derlib.schemas.algorithms`.

>>> key = SubjectPublicKeyInfo.decode(bytes.fromhex("302a300506032b6570032100") + bytes(32))
>>> key.kind, len(key.subject_public_key)
('Ed25519', 256)
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import BitString, DecodeError, DefinedBy, Sequence
from derlib.schemas.algorithms import PUBLIC_KEYS, AlgorithmIdentifier, RSAPublicKey

_COMPILE_AT_FIRST_USE = True

_FILE_CONTENTS = (bytes, bytearray, memoryview, str)


class SubjectPublicKeyInfo(Sequence):
    """A public key with its algorithm (RFC 5280 section 4.1.2.7).

    ::

        SubjectPublicKeyInfo ::= SEQUENCE {
            algorithm          AlgorithmIdentifier,
            subjectPublicKey   BIT STRING }

    A key that is DER is decoded, for example an RSA key as `RSAPublicKey`; other keys are a `BitString`.
    """

    algorithm: AlgorithmIdentifier
    subject_public_key: Annotated[Any, BitString, DefinedBy("algorithm.algorithm", PUBLIC_KEYS)]

    @classmethod
    def of(cls, key: RSAPublicKey) -> SubjectPublicKeyInfo:
        """Return the form in certificates of an RSA key, such as one with the label ``RSA PUBLIC KEY``.

        Raises:
            TypeError: `key` is not an `RSAPublicKey`; `read` takes the contents of a file.

        >>> from derlib.schemas.x509 import RSAPublicKey
        >>> SubjectPublicKeyInfo.of(RSAPublicKey(modulus=703710, public_exponent=257)).algorithm.name
        'rsaEncryption'
        """
        given: object = key
        if not isinstance(given, RSAPublicKey):
            remedy = "; SubjectPublicKeyInfo.read(data) reads a file" if isinstance(given, _FILE_CONTENTS) else ""
            raise TypeError(f"expected RSAPublicKey, got {type(given).__name__}{remedy}")
        return cls(algorithm=AlgorithmIdentifier.of("rsaEncryption"), subject_public_key=key)

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview | str) -> SubjectPublicKeyInfo:
        """Return the public key in the contents of a file: PEM or DER, this structure or an `RSAPublicKey`.

        Other PEM blocks are ignored.

        Raises:
            PEMError: as `derlib.pem.one`.
            DecodeError: the data is not a public key.

        >>> old = "-----BEGIN RSA PUBLIC KEY-----\\nMAkCAwq83gICAQE=\\n-----END RSA PUBLIC KEY-----"
        >>> SubjectPublicKeyInfo.read(old).kind
        'RSA'
        """
        # Not imported with this module: most programs read no PEM.
        from derlib import pem

        der = pem.one(data, "PUBLIC KEY", "RSA PUBLIC KEY")
        try:
            return cls.of(RSAPublicKey.decode(der))
        except DecodeError as error:
            fault = error
        try:
            return cls.decode(der)
        except DecodeError as error:
            # The type that the data does not have has the earlier fault.
            raise (fault if fault.offset > error.offset else error) from None

    @property
    def key_identifier(self) -> bytes:
        """The SHA-1 hash of the key, which is the first method of RFC 5280 section 4.2.1.2.

        Use it in `id_ce_subject_key_identifier` when you build a certificate. A decoded
        certificate can have a different key identifier in its extension.
        """
        import hashlib

        # The first contents octet of a BIT STRING is the number of unused bits (X.690 8.6.2.2).
        return hashlib.sha1(self.raw("subject_public_key")[1:], usedforsecurity=False).digest()

    @property
    def kind(self) -> str:
        """The kind of the key, such as ``"RSA"``, ``"EC"``, ``"Ed25519"`` or ``"ML-DSA-65"``.

        RSA keys of all algorithms are ``"RSA"``. The kind of an unknown algorithm is its name or its dotted form.

        >>> SubjectPublicKeyInfo.decode(bytes.fromhex("302a300506032b6570032100") + bytes(32)).kind
        'Ed25519'
        """
        from derlib.schemas import key_kinds

        return key_kinds.kind_of(self.algorithm)

    @property
    def size(self) -> int | None:
        """The size of the key in bits; None if the kind determines it, or if it is unknown.

        It is the size of the modulus of RSA, of the prime of DSA and Diffie-Hellman, and of the field of a curve.
        """
        from derlib.schemas import key_kinds

        return key_kinds.size_of(self.algorithm, self.subject_public_key)

    @property
    def curve(self) -> str | None:
        """The name of the curve of an EC key, such as ``"secp256r1"``; None for other keys and unnamed curves."""
        from derlib.schemas import key_kinds

        return key_kinds.curve_of(self.algorithm)
