"""Private keys: RFC 5958 (PKCS #8), RFC 8017, RFC 5915. `derlib.schemas.passwords` has the encryption with a password.

Used by `derlib.schemas.pkcs12`, and by `derlib.schemas.cms` for recipients with a password. `PRIVATE_KEYS` has the type
in the OCTET STRING of a private key, by the algorithm of the key. derlib does not decrypt.

>>> key = PrivateKeyInfo.decode(bytes.fromhex("302e020100300506032b657004220420") + bytes(32))
>>> key.private_key_algorithm.algorithm.name, len(key.private_key)
('id-Ed25519', 32)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from derlib import (
    Addition,
    BitString,
    ConstraintError,
    DefinedBy,
    Explicit,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OneOf,
    OpenTypes,
    Sequence,
    SequenceOf,
    Size,
    pem,
)
from derlib._ber_rules import HINTS, with_other_hint
from derlib._contents import decode_contents
from derlib._identify import class_of
from derlib.errors import DecodeError, EncryptedKeyError, PEMError
from derlib.oids import register_known
from derlib.schemas import ciphers  # noqa: F401 - registers the parameters of the ciphers
from derlib.schemas.algorithms import PUBLIC_KEYS, AlgorithmIdentifier, DssParms, RSAPublicKey
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms_attributes import Attributes
from derlib.schemas.curves import ECParameters
from derlib.schemas.keys_pq import (
    MLDSA44PrivateKey,
    MLDSA65PrivateKey,
    MLDSA87PrivateKey,
    MLKEM512PrivateKey,
    MLKEM768PrivateKey,
    MLKEM1024PrivateKey,
)
from derlib.schemas.passwords import (
    PBEParameter,
    PBES2Params,
    PBKDF2Params,
    PBKDF2Salt,
    PBMAC1Params,
    ScryptParams,
)

if TYPE_CHECKING:
    from derlib.schemas.x509 import SubjectPublicKeyInfo

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "PRIVATE_KEYS",
    "AsymmetricKeyPackage",
    "CurvePrivateKey",
    "DSAPrivateKey",
    "ECPrivateKey",
    "ECPrivateKeyVersion",
    "EncryptedPrivateKeyInfo",
    "OneAsymmetricKey",
    "OtherPrimeInfo",
    "OtherPrimeInfos",
    "PBEParameter",
    "PBES2Params",
    "PBKDF2Params",
    "PBKDF2Salt",
    "PBMAC1Params",
    "PrivateKeyInfo",
    "RSAPrivateKey",
    "RSAPrivateKeyVersion",
    "ScryptParams",
    "ValidationParams",
    "Version",
    "id_attr_validation_parameters",
]

# The labels of PEM blocks with a private key: RFC 7468, and the older ones of OpenSSL.
_LABELS = tuple(f"{kind}PRIVATE KEY" for kind in ("", "ENCRYPTED ", "RSA ", "EC ", "DSA ", "SM2 "))

# The contents of privateKey, by the OBJECT IDENTIFIER of the key's algorithm.
PRIVATE_KEYS = OpenTypes("PRIVATE_KEYS")


class Version(NamedInteger):
    """The version of a private key: v2 if the public key is present (RFC 5958 section 2).

    ::

        Version ::= INTEGER { v1(0), v2(1) } (v1, ..., v2)
    """

    v1 = 0
    v2 = 1


class PrivateKeyInfo(Sequence, extensible=True):
    """A private key with its algorithm, and perhaps the public key (RFC 5958 section 2).

    ::

        PrivateKeyInfo ::= OneAsymmetricKey

        OneAsymmetricKey ::= SEQUENCE {
            version               Version,
            privateKeyAlgorithm   PrivateKeyAlgorithmIdentifier,
            privateKey            PrivateKey,   -- OCTET STRING
            attributes            [0] Attributes OPTIONAL,
            ...,
            [[2: publicKey        [1] PublicKey OPTIONAL ]],   -- BIT STRING
            ... }

    `private_key` is the decoded key, for example an `RSAPrivateKey`, or ``bytes`` if its algorithm is unknown.
    """

    version: Version
    private_key_algorithm: AlgorithmIdentifier
    private_key: Annotated[Any, OctetString, DefinedBy("private_key_algorithm.algorithm", PRIVATE_KEYS)]
    attributes: Annotated[Attributes, Implicit(0)] | None = None
    public_key: Annotated[BitString, Implicit(1), Addition()] | None = None

    @property
    def kind(self) -> str:
        """The kind of the key, such as ``"RSA"`` or ``"EC"``, as in `SubjectPublicKeyInfo.kind`."""
        from derlib.schemas import key_kinds

        return key_kinds.kind_of(self.private_key_algorithm)

    @property
    def size(self) -> int | None:
        """The size of the key in bits, as in `SubjectPublicKeyInfo.size`."""
        from derlib.schemas import key_kinds

        return key_kinds.size_of(self.private_key_algorithm, self.private_key)

    @property
    def curve(self) -> str | None:
        """The name of the curve of an EC key, such as ``"secp256r1"``; None for other keys and unnamed curves."""
        from derlib.schemas import key_kinds

        return key_kinds.curve_of(self.private_key_algorithm)

    @classmethod
    def of(cls, key: RSAPrivateKey | ECPrivateKey | DSAPrivateKey) -> PrivateKeyInfo:
        """Return the PKCS #8 form of a key of an older file, such as one with the label ``RSA PRIVATE KEY``.

        The parameters of an EC key become those of the algorithm, so that they occur once (RFC 5958 section 2).

        Raises:
            ConstraintError: an EC key does not have its parameters.
            TypeError: `key` is not such a key; `read` takes the contents of a file.

        >>> numbers = {"modulus": 221, "public_exponent": 5, "private_exponent": 77, "prime1": 17, "prime2": 13}
        >>> key = RSAPrivateKey.from_native({
        ...     "version": 0, **numbers, "exponent1": 13, "exponent2": 5, "coefficient": 4,
        ... })
        >>> PrivateKeyInfo.of(key).private_key_algorithm.name
        'rsaEncryption'
        """
        given: object = key
        if not isinstance(given, (RSAPrivateKey, ECPrivateKey, DSAPrivateKey)):
            expected = "expected RSAPrivateKey, ECPrivateKey or DSAPrivateKey"
            raise TypeError(f"{expected}, got {type(given).__name__}{_remedy(given)}")
        algorithm = _algorithm_of(key)
        if isinstance(key, DSAPrivateKey):
            return cls(version=Version.v1, private_key_algorithm=algorithm, private_key=key.private_key)
        contents = key.replace(parameters=None) if isinstance(key, ECPrivateKey) else key
        return cls(version=Version.v1, private_key_algorithm=algorithm, private_key=contents)

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview | str) -> PrivateKeyInfo:
        """Return the private key in the contents of a file: PEM or DER, PKCS #8 or an older form as for `of`.

        Other PEM blocks are ignored, such as certificates or ``EC PARAMETERS``.

        Raises:
            PEMError: as `derlib.pem.one`.
            EncryptedKeyError: the key is encrypted, as PKCS #8 or in the older format of OpenSSL.
            ConstraintError: as `of`.
            DecodeError: the data is not a private key.

        >>> old = "-----BEGIN DSA PRIVATE KEY-----\\nMBICAQACAQcCAQMCAQICAQQCAQI=\\n-----END DSA PRIVATE KEY-----"
        >>> PrivateKeyInfo.read(old).kind
        'DSA'
        """
        try:
            der = pem.one(data, *_LABELS)
        except PEMError as error:
            if '"OPENSSH PRIVATE KEY"' in error.detail:
                error.detail += ", which load_ssh_private_key of cryptography reads"
            if "(Proc-Type)" not in error.detail:
                raise
            # The header of an encrypted block (RFC 1421 section 4.6.1.1), which contains no DER.
            message = "the private key is encrypted in the old format of OpenSSL; derlib does not decrypt it"
            raise EncryptedKeyError(message) from None
        found = class_of(der)
        if found is EncryptedPrivateKeyInfo:
            remedy = "EncryptedPrivateKeyInfo reads it, but does not decrypt it"
            raise EncryptedKeyError(f"the private key is encrypted; {remedy}")
        if found in (RSAPrivateKey, ECPrivateKey, DSAPrivateKey):
            return cls.of(found.decode(der))
        try:
            return cls.decode(der)
        except DecodeError as error:
            if error.hint in HINTS:
                raise
            # The hint of `decode` suggests this method.
            remedy = "derlib.identify finds the type of the input"
            if found not in (None, cls):
                remedy = f"the input is a {found.__name__}, which {found.__module__}.{found.__name__}.decode reads"
            raise with_other_hint(error, remedy) from None

    @property
    def public_key_info(self) -> SubjectPublicKeyInfo | None:
        """The public key, as a certificate has it; None if it is not a part of the private key.

        It is a part of RSA keys, of most EC keys, and in version 2 of keys such as Ed25519. derlib does not compute it.

        Raises:
            DecodeError: an RSA or EC key is opaque, because `Deviation.OPEN_TYPE` was tolerated, or the field
                `public_key` is not a key of the algorithm.
        """
        key = self.private_key
        schema = PRIVATE_KEYS.get(self.private_key_algorithm.algorithm)
        if schema in (RSAPrivateKey, ECPrivateKey) and isinstance(key, bytes):
            key = decode_contents(self, schema, key)
        return _public_key_info_of(self, self.private_key_algorithm, key, self.public_key)


OneAsymmetricKey: TypeAlias = PrivateKeyInfo  # RFC 5958 section 2


class AsymmetricKeyPackage(SequenceOf[PrivateKeyInfo], size=Size(1, None)):
    """The content of a CMS object that carries private keys (RFC 5958 section 2).

    ::

        AsymmetricKeyPackage ::= SEQUENCE SIZE (1..MAX) OF OneAsymmetricKey
    """


class EncryptedPrivateKeyInfo(Sequence):
    """An encrypted `PrivateKeyInfo` (RFC 5958 section 3).

    ::

        EncryptedPrivateKeyInfo ::= SEQUENCE {
            encryptionAlgorithm   EncryptionAlgorithmIdentifier,
            encryptedData         EncryptedData }   -- OCTET STRING
    """

    encryption_algorithm: AlgorithmIdentifier
    encrypted_data: OctetString


# --- Kinds of keys: RFC 8017 Appendix A.1.2, RFC 5915, RFC 8410


class RSAPrivateKeyVersion(NamedInteger):
    """The version of an RSA private key: multi for more than two primes (RFC 8017 Appendix A.1.2, as Version).

    ::

        Version ::= INTEGER { two-prime(0), multi(1) }
    """

    two_prime = 0
    multi = 1


class OtherPrimeInfo(Sequence):
    """A prime after the first two of an RSA key (RFC 8017 Appendix A.1.2).

    ::

        OtherPrimeInfo ::= SEQUENCE {
            prime         INTEGER,   -- ri
            exponent      INTEGER,   -- di
            coefficient   INTEGER }  -- ti
    """

    prime: int
    exponent: int
    coefficient: int


class OtherPrimeInfos(SequenceOf[OtherPrimeInfo], size=Size(1, None)):
    """The primes after the first two of an RSA key (RFC 8017 Appendix A.1.2).

    ::

        OtherPrimeInfos ::= SEQUENCE SIZE(1..MAX) OF OtherPrimeInfo
    """


class RSAPrivateKey(Sequence):
    """An RSA private key (RFC 8017 Appendix A.1.2).

    ::

        RSAPrivateKey ::= SEQUENCE {
            version           Version,
            modulus           INTEGER,   -- n
            publicExponent    INTEGER,   -- e
            privateExponent   INTEGER,   -- d
            prime1            INTEGER,   -- p
            prime2            INTEGER,   -- q
            exponent1         INTEGER,   -- d mod (p-1)
            exponent2         INTEGER,   -- d mod (q-1)
            coefficient       INTEGER,   -- (inverse of q) mod p
            otherPrimeInfos   OtherPrimeInfos OPTIONAL }
    """

    version: RSAPrivateKeyVersion
    modulus: int
    public_exponent: int
    private_exponent: int
    prime1: int
    prime2: int
    exponent1: int
    exponent2: int
    coefficient: int
    other_prime_infos: OtherPrimeInfos | None = None

    @property
    def kind(self) -> str:
        """The kind of the key, ``"RSA"``, as in `SubjectPublicKeyInfo.kind`."""
        return "RSA"

    @property
    def size(self) -> int:
        """The size of the modulus in bits."""
        return self.modulus.bit_length()

    @property
    def curve(self) -> None:
        """None: only EC keys have a curve."""
        return None

    @property
    def public_key_info(self) -> SubjectPublicKeyInfo:
        """The public key, as a certificate has it."""
        return _with_algorithm(_algorithm_of(self), _rsa_public_key_of(self))


class ECPrivateKeyVersion(NamedInteger):
    """The version of an elliptic curve private key (RFC 5915 section 3, where the INTEGER has no name).

    ::

        INTEGER { ecPrivkeyVer1(1) }
    """

    ec_privkey_ver1 = 1


class ECPrivateKey(Sequence):
    """An elliptic curve private key (RFC 5915 section 3, explicit tags).

    ::

        ECPrivateKey ::= SEQUENCE {
            version      INTEGER { ecPrivkeyVer1(1) } (ecPrivkeyVer1),
            privateKey   OCTET STRING,
            parameters   [0] ECParameters {{ NamedCurve }} OPTIONAL,
            publicKey    [1] BIT STRING OPTIONAL }
    """

    version: Annotated[ECPrivateKeyVersion, OneOf(ECPrivateKeyVersion.ec_privkey_ver1)]
    private_key: OctetString
    parameters: Annotated[ECParameters, Explicit(0)] | None = None
    public_key: Annotated[BitString, Explicit(1)] | None = None

    @property
    def kind(self) -> str:
        """The kind of the key, ``"EC"``, as in `SubjectPublicKeyInfo.kind`."""
        return "EC"

    @property
    def size(self) -> int | None:
        """The size of the curve in bits; None if the key does not contain its parameters, or if they are unknown."""
        from derlib.schemas import key_kinds

        return key_kinds.curve_size(self.parameters)

    @property
    def curve(self) -> str | None:
        """The name of the curve; None if the key does not name it."""
        from derlib.schemas import key_kinds

        return key_kinds.curve_name(self.parameters)

    @property
    def public_key_info(self) -> SubjectPublicKeyInfo | None:
        """The public key, as a certificate has it; None if the key does not contain it and its parameters."""
        return None if self.parameters is None else _public_key_info_of(self, _algorithm_of(self), self)


class DSAPrivateKey(Sequence):
    """A DSA private key in the form of OpenSSL, in PEM files with the label ``DSA PRIVATE KEY``. No RFC has it.

    ::

        DSAPrivateKey ::= SEQUENCE {
            version      INTEGER (0),
            p            INTEGER,
            q            INTEGER,
            g            INTEGER,
            publicKey    INTEGER,   -- y
            privateKey   INTEGER }  -- x
    """

    version: Annotated[int, OneOf(0)]
    p: int
    q: int
    g: int
    public_key: int
    private_key: int

    @property
    def kind(self) -> str:
        """The kind of the key, ``"DSA"``, as in `SubjectPublicKeyInfo.kind`."""
        return "DSA"

    @property
    def size(self) -> int:
        """The size of the prime p in bits."""
        return self.p.bit_length()

    @property
    def curve(self) -> None:
        """None: only EC keys have a curve."""
        return None

    @property
    def public_key_info(self) -> SubjectPublicKeyInfo:
        """The public key, as a certificate has it."""
        return _with_algorithm(_algorithm_of(self), self.public_key)


def _remedy(key: object) -> str:
    """Return the remedy for a value that is not a key of an older file."""
    if isinstance(key, PrivateKeyInfo):
        return "; this is the PKCS #8 form already"
    return "; PrivateKeyInfo.read(data) reads a file" if isinstance(key, (bytes, bytearray, memoryview, str)) else ""


def _algorithm_of(key: RSAPrivateKey | ECPrivateKey | DSAPrivateKey) -> AlgorithmIdentifier:
    """Return the algorithm of a key, with the parameters that PKCS #8 and certificates have there."""
    if isinstance(key, RSAPrivateKey):
        return AlgorithmIdentifier.of("rsaEncryption")
    if isinstance(key, DSAPrivateKey):
        return AlgorithmIdentifier.of("id-dsa", DssParms(p=key.p, q=key.q, g=key.g))
    if key.parameters is None:
        raise ConstraintError("the EC key does not have its parameters, so its curve is not known")
    return AlgorithmIdentifier.of("id-ecPublicKey", key.parameters)


def _public_key_info_of(
    holder: PrivateKeyInfo | ECPrivateKey, algorithm: AlgorithmIdentifier, key: object, bits: BitString | None = None
) -> SubjectPublicKeyInfo | None:
    """Return the public key of a decoded private key, or of the bits next to it; None if there is none.

    Raises:
        DecodeError: the bits are not a public key of the algorithm.
    """
    if isinstance(key, RSAPrivateKey):
        return _with_algorithm(algorithm, _rsa_public_key_of(key))
    if bits is None and isinstance(key, ECPrivateKey):
        bits = key.public_key
    if bits is None:
        return None
    # The BIT STRING is that of a certificate, for example with an INTEGER for DSA (RFC 5958 section 2).
    schema = PUBLIC_KEYS.get(algorithm.algorithm)
    return _with_algorithm(algorithm, bits if schema is None else decode_contents(holder, schema, bits.bytes))


def _rsa_public_key_of(key: RSAPrivateKey) -> RSAPublicKey:
    return RSAPublicKey(modulus=key.modulus, public_exponent=key.public_exponent)


def _with_algorithm(algorithm: AlgorithmIdentifier, public_key: object) -> SubjectPublicKeyInfo:
    from derlib.schemas.x509 import SubjectPublicKeyInfo

    return SubjectPublicKeyInfo(algorithm=algorithm, subject_public_key=public_key)


CurvePrivateKey: TypeAlias = OctetString  # RFC 8410 section 7

_KEY_TYPES: tuple[tuple[str, str, Any], ...] = (
    ("1.2.840.113549.1.1.1", "rsaEncryption", RSAPrivateKey),
    ("1.2.840.113549.1.1.7", "id-RSAES-OAEP", RSAPrivateKey),
    ("1.2.840.113549.1.1.10", "id-RSASSA-PSS", RSAPrivateKey),
    ("1.3.6.1.5.5.7.6.30", "id-RSASSA-PSS-SHAKE128", RSAPrivateKey),
    ("1.3.6.1.5.5.7.6.31", "id-RSASSA-PSS-SHAKE256", RSAPrivateKey),
    ("1.2.840.10045.2.1", "id-ecPublicKey", ECPrivateKey),
    ("1.3.132.1.12", "id-ecDH", ECPrivateKey),
    ("1.3.132.1.13", "id-ecMQV", ECPrivateKey),
    # The private value x, PKCS #11 and RFC 5912.
    ("1.2.840.10040.4.1", "id-dsa", int),
    ("1.2.840.10046.2.1", "dhpublicnumber", int),
    ("1.2.840.113549.1.3.1", "dhKeyAgreement", int),
    ("1.3.101.110", "id-X25519", CurvePrivateKey),
    ("1.3.101.111", "id-X448", CurvePrivateKey),
    ("1.3.101.112", "id-Ed25519", CurvePrivateKey),
    ("1.3.101.113", "id-Ed448", CurvePrivateKey),
    ("2.16.840.1.101.3.4.3.17", "id-ml-dsa-44", MLDSA44PrivateKey),
    ("2.16.840.1.101.3.4.3.18", "id-ml-dsa-65", MLDSA65PrivateKey),
    ("2.16.840.1.101.3.4.3.19", "id-ml-dsa-87", MLDSA87PrivateKey),
    ("2.16.840.1.101.3.4.4.1", "id-alg-ml-kem-512", MLKEM512PrivateKey),
    ("2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768", MLKEM768PrivateKey),
    ("2.16.840.1.101.3.4.4.3", "id-alg-ml-kem-1024", MLKEM1024PrivateKey),
)

register_known({dotted: name for dotted, name, _ in _KEY_TYPES})
for _dotted, _, _syntax in _KEY_TYPES:
    PRIVATE_KEYS.register(ObjectIdentifier(_dotted), _syntax)


class ValidationParams(Sequence):
    """The seed from which the primes of a key were made, as an attribute of the key (RFC 8479 section 2).

    ::

        ValidationParams ::= SEQUENCE {
            hashAlg   OBJECT IDENTIFIER,
            seed      OCTET STRING }

    Anyone who has the seed can compute the private key.
    """

    hash_alg: ObjectIdentifier
    seed: OctetString


id_attr_validation_parameters = ObjectIdentifier("1.3.6.1.4.1.2312.18.8.1")
register_known({id_attr_validation_parameters.dotted: "id-attr-validation-parameters"})
ATTRIBUTES.register(id_attr_validation_parameters, ValidationParams)

# An encrypted private key in a directory: RFC 2985 section 5.1.4.
ATTRIBUTES.register(ObjectIdentifier("1.2.840.113549.1.9.25.2"), EncryptedPrivateKeyInfo)
register_known({"1.2.840.113549.1.9.25.2": "pkcs-9-at-encryptedPrivateKeyInfo"})
