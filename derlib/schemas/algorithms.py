"""AlgorithmIdentifier, the parameters of algorithms, and the contents of public keys.

Used by `derlib.schemas.x509` and `derlib.schemas.crl`. `ALGORITHMS` has the type of the parameters by algorithm, and
`PUBLIC_KEYS` the type in the BIT STRING of a public key. Parameters are OPTIONAL in the syntax and can be absent for
every algorithm. For an algorithm that is not in a table, parameters and keys are opaque: Ed25519 and ECDSA signatures
have no parameters, and EC points are not DER.

>>> identifier = AlgorithmIdentifier.decode(bytes.fromhex("300a06082a8648ce3d040302"))
>>> identifier.algorithm.dotted, identifier.parameters
('1.2.840.10045.4.3.2', None)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from derlib import (
    NULL,
    ASN1Error,
    BitString,
    ConstraintError,
    DefinedBy,
    Explicit,
    Null,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
)
from derlib.oids import oid_of, register_known

_COMPILE_AT_FIRST_USE = True

# The parameters of an algorithm, by its OBJECT IDENTIFIER.
ALGORITHMS = OpenTypes("ALGORITHMS")

# The contents of subjectPublicKey, by the OBJECT IDENTIFIER of the key's algorithm.
PUBLIC_KEYS = OpenTypes("PUBLIC_KEYS")


class AlgorithmIdentifier(Sequence):
    """An algorithm with its parameters (RFC 5280 Appendix A.1, section 4.1.1.2).

    ::

        AlgorithmIdentifier ::= SEQUENCE {
            algorithm    OBJECT IDENTIFIER,
            parameters   ANY DEFINED BY algorithm OPTIONAL }
    """

    algorithm: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("algorithm", ALGORITHMS)] | None = None

    @classmethod
    def of(cls, algorithm: str | ObjectIdentifier, parameters: Any = None) -> AlgorithmIdentifier:
        """Return the identifier of an algorithm.

        Args:
            algorithm: a name that `derlib.oids` knows, a dotted form or an `ObjectIdentifier`.
            parameters: a value of the algorithm's type of parameters. None for those that its RFC requires: NULL for
                RSA keys, RSA signatures and HMAC, none for ECDSA, EdDSA and hash functions.

        To leave out parameters that are required, use the constructor.

        Raises:
            KeyError: the name is not registered.
            ConstraintError: the parameters do not have the type of the algorithm, or it needs some, such as the curve
                of an EC key.

        >>> AlgorithmIdentifier.of("id-sha256").encode().hex()
        '300b0609608648016503040201'
        >>> AlgorithmIdentifier.of("sha256WithRSAEncryption").parameters
        NULL
        """
        oid = ObjectIdentifier(oid_of(algorithm)) if isinstance(algorithm, str) else algorithm
        if parameters is None and isinstance(oid, ObjectIdentifier):
            parameters = _required_parameters(oid)
        return cls(algorithm=oid, parameters=parameters)

    @property
    def name(self) -> str:
        """The name of the algorithm, such as "sha256WithRSAEncryption", or its dotted form."""
        return self.algorithm.name

    @property
    def hash_name(self) -> str | None:
        """The hash function of a signature algorithm, or the hash function itself, by its name in `hashlib`.

        None if the algorithm has no hash function of its own, as Ed25519, or derlib does not know it. `hashlib` does
        not have "md2", and often not "md4", "ripemd160" and "sm3". It needs the length of the digest for "shake_128"
        and "shake_256": 32 and 64 bytes (RFC 8702 section 3.1).

        >>> AlgorithmIdentifier.of("ecdsa-with-SHA256").hash_name
        'sha256'
        """
        if isinstance(self.parameters, RSASSAPSSParams):
            return self.parameters.hash_algorithm.hash_name
        return _HASH_NAMES.get(self.algorithm.dotted)

    def digest(self, data: bytes | bytearray | memoryview) -> bytes:
        """Return the hash of bytes by the function that `hash_name` names.

        Raises:
            ASN1Error: the algorithm has no hash function of its own, or it is unknown.
            ValueError: `hashlib` does not have the hash function.

        >>> AlgorithmIdentifier.of("id-sha256").digest(b"").hex()[:16]
        'e3b0c44298fc1c14'
        """
        import hashlib

        if self.hash_name is None:
            raise ASN1Error(f"{self.name} does not name a hash function")
        function: Any = hashlib.new(self.hash_name, data, usedforsecurity=False)
        # hashlib needs the length of the digests of SHAKE, which RFC 8702 section 3.1 fixes.
        length = {"shake_128": 32, "shake_256": 64}.get(self.hash_name)
        digest: bytes = function.digest() if length is None else function.digest(length)
        return digest


# --- RSA: RFC 3279 section 2.3.1, RFC 4055 (explicit tags), RFC 8017 Appendix A


class RSAPublicKey(Sequence):
    """An RSA public key (RFC 3279 section 2.3.1, RFC 8017 Appendix A.1.1).

    ::

        RSAPublicKey ::= SEQUENCE {
            modulus          INTEGER,   -- n
            publicExponent   INTEGER }  -- e
    """

    modulus: int
    public_exponent: int


# sha1Identifier     AlgorithmIdentifier ::= { id-sha1, NULL }
# mgf1SHA1Identifier AlgorithmIdentifier ::= { id-mgf1, sha1Identifier }
# pSpecifiedEmptyIdentifier AlgorithmIdentifier ::= { id-pSpecified, nullOctetString }
# (RFC 4055 section 6). Plain data, which is decoded when the
# classes are first used.
_SHA1: Any = {"algorithm": ObjectIdentifier("1.3.14.3.2.26"), "parameters": NULL}
_MGF1_SHA1: Any = {"algorithm": ObjectIdentifier("1.2.840.113549.1.1.8"), "parameters": _SHA1}
_P_SPECIFIED_EMPTY: Any = {"algorithm": ObjectIdentifier("1.2.840.113549.1.1.9"), "parameters": b""}

_ALGORITHMS: tuple[tuple[str, str, Any], ...] = (
    # The parameters of RSA signatures and keys are NULL: RFC 3279 section 2.2.1 and 2.3.1, RFC 4055
    # section 5, RFC 8017 Appendix A.2.4.
    ("1.2.840.113549.1.1.1", "rsaEncryption", Null),
    ("1.2.840.113549.1.1.2", "md2WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.4", "md5WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.5", "sha1WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.11", "sha256WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.12", "sha384WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.13", "sha512WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.14", "sha224WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.15", "sha512-224WithRSAEncryption", Null),
    ("1.2.840.113549.1.1.16", "sha512-256WithRSAEncryption", Null),
    # One-way hash functions within other parameters, RFC 4055 section 2.1, RFC 8017 Appendix B.1.
    ("1.3.14.3.2.26", "id-sha1", Null),
    ("1.2.840.113549.2.2", "id-md2", Null),
    ("1.2.840.113549.2.5", "id-md5", Null),
    ("2.16.840.1.101.3.4.2.1", "id-sha256", Null),
    ("2.16.840.1.101.3.4.2.2", "id-sha384", Null),
    ("2.16.840.1.101.3.4.2.3", "id-sha512", Null),
    ("2.16.840.1.101.3.4.2.4", "id-sha224", Null),
    ("2.16.840.1.101.3.4.2.5", "id-sha512-224", Null),
    ("2.16.840.1.101.3.4.2.6", "id-sha512-256", Null),
    # The length of the hash value in bits, RFC 8419 section 2.2, NIST CSOR.
    ("2.16.840.1.101.3.4.2.17", "id-shake128-len", int),
    ("2.16.840.1.101.3.4.2.18", "id-shake256-len", int),
    # Mask generation and encoding parameters, RFC 4055 section 2.2 and 4.1.
    ("1.2.840.113549.1.1.8", "id-mgf1", AlgorithmIdentifier),
    ("1.2.840.113549.1.1.9", "id-pSpecified", OctetString),
)

register_known({dotted: name for dotted, name, _ in _ALGORITHMS})
for _dotted, _, _syntax in _ALGORITHMS:
    ALGORITHMS.register(ObjectIdentifier(_dotted), _syntax)


class RSASSAPSSParams(Sequence):
    """The parameters of RSASSA-PSS, of keys and of signatures (RFC 4055 section 3.1).

    ::

        RSASSA-PSS-params ::= SEQUENCE {
            hashAlgorithm      [0] HashAlgorithm    DEFAULT sha1Identifier,
            maskGenAlgorithm   [1] MaskGenAlgorithm DEFAULT mgf1SHA1Identifier,
            saltLength         [2] INTEGER          DEFAULT 20,
            trailerField       [3] INTEGER          DEFAULT 1 }
    """

    hash_algorithm: Annotated[AlgorithmIdentifier, Explicit(0)] = _SHA1
    mask_gen_algorithm: Annotated[AlgorithmIdentifier, Explicit(1)] = _MGF1_SHA1
    salt_length: Annotated[int, Explicit(2)] = 20
    trailer_field: Annotated[int, Explicit(3)] = 1


class RSAESOAEPParams(Sequence):
    """The parameters of RSAES-OAEP (RFC 4055 section 4.1).

    ::

        RSAES-OAEP-params ::= SEQUENCE {
            hashFunc      [0] AlgorithmIdentifier DEFAULT sha1Identifier,
            maskGenFunc   [1] AlgorithmIdentifier DEFAULT mgf1SHA1Identifier,
            pSourceFunc   [2] AlgorithmIdentifier DEFAULT pSpecifiedEmptyIdentifier }
    """

    hash_func: Annotated[AlgorithmIdentifier, Explicit(0)] = _SHA1
    mask_gen_func: Annotated[AlgorithmIdentifier, Explicit(1)] = _MGF1_SHA1
    p_source_func: Annotated[AlgorithmIdentifier, Explicit(2)] = _P_SPECIFIED_EMPTY


# --- DSA, Diffie-Hellman, KEA: RFC 3279 sections 2.2.2, 2.3.2 to 2.3.4


class DssParms(Sequence):
    """The domain parameters of DSA; if absent, those of the issuer apply (RFC 3279 section 2.3.2).

    ::

        Dss-Parms ::= SEQUENCE {
            p   INTEGER,
            q   INTEGER,
            g   INTEGER }
    """

    p: int
    q: int
    g: int


class DssSigValue(Sequence):
    """The value in the BIT STRING of a DSA signature (RFC 3279 section 2.2.2).

    ::

        Dss-Sig-Value ::= SEQUENCE {
            r   INTEGER,
            s   INTEGER }
    """

    r: int
    s: int


class ValidationParms(Sequence):
    """The seed and counter from which Diffie-Hellman parameters were generated (RFC 3279 section 2.3.3).

    ::

        ValidationParms ::= SEQUENCE {
            seed          BIT STRING,
            pgenCounter   INTEGER }
    """

    seed: BitString
    pgen_counter: int


class DomainParameters(Sequence):
    """The domain parameters of Diffie-Hellman, X9.42 (RFC 3279 section 2.3.3).

    ::

        DomainParameters ::= SEQUENCE {
            p                 INTEGER,            -- odd prime, p=jq +1
            g                 INTEGER,            -- generator, g
            q                 INTEGER,            -- factor of p-1
            j                 INTEGER OPTIONAL,   -- subgroup factor, j>= 2
            validationParms   ValidationParms OPTIONAL }
    """

    p: int
    g: int
    q: int
    j: int | None = None
    validation_parms: ValidationParms | None = None


class DHParameter(Sequence):
    """The parameters of Diffie-Hellman, PKCS #3 section 9.

    ::

        DHParameter ::= SEQUENCE {
            prime                INTEGER,   -- p
            base                 INTEGER,   -- g
            privateValueLength   INTEGER OPTIONAL }
    """

    prime: int
    base: int
    private_value_length: int | None = None


# --- GOST R 34.10: RFC 4491 section 2.3, RFC 9215 section 4.2


class GostR3410PublicKeyParameters(Sequence):
    """The parameter sets of a GOST R 34.10-94 or 34.10-2001 key (RFC 4491 sections 2.3.1 and 2.3.2).

    ::

        GostR3410-2001-PublicKeyParameters ::= SEQUENCE {
            publicKeyParamSet    OBJECT IDENTIFIER,
            digestParamSet       OBJECT IDENTIFIER,
            encryptionParamSet   OBJECT IDENTIFIER DEFAULT id-Gost28147-89-CryptoPro-A-ParamSet }
    """

    public_key_param_set: ObjectIdentifier
    digest_param_set: ObjectIdentifier
    encryption_param_set: ObjectIdentifier = ObjectIdentifier("1.2.643.2.2.31.1")


class GostR34102012PublicKeyParameters(Sequence):
    """The parameter sets of a GOST R 34.10-2012 key (RFC 9215 section 4.2).

    ::

        GostR3410-2012-PublicKeyParameters ::= SEQUENCE {
            publicKeyParamSet   OBJECT IDENTIFIER,
            digestParamSet      OBJECT IDENTIFIER OPTIONAL }
    """

    public_key_param_set: ObjectIdentifier
    digest_param_set: ObjectIdentifier | None = None


# RFC 4491 section 2.3.2: the parameters can be omitted, NULL, or this structure.
_GostParameters: TypeAlias = Null | GostR3410PublicKeyParameters

# OBJECT IDENTIFIER, name, parameters, contents of the public key (None: not DER, kept opaque).
_KEY_ALGORITHMS: tuple[tuple[str, str, Any, Any], ...] = (
    ("1.2.840.113549.1.1.7", "id-RSAES-OAEP", RSAESOAEPParams, RSAPublicKey),
    ("1.2.840.113549.1.1.10", "id-RSASSA-PSS", RSASSAPSSParams, RSAPublicKey),
    ("1.2.840.10040.4.1", "id-dsa", DssParms, int),
    ("1.2.840.10046.2.1", "dhpublicnumber", DomainParameters, int),
    ("1.2.840.113549.1.3.1", "dhKeyAgreement", DHParameter, int),
    ("2.16.840.1.101.2.1.1.22", "id-keyExchangeAlgorithm", OctetString, None),  # KEA-Parms-Id
    ("1.2.643.2.2.20", "id-GostR3410-94", _GostParameters, OctetString),
    ("1.2.643.2.2.19", "id-GostR3410-2001", _GostParameters, OctetString),
    ("1.2.643.7.1.1.1.1", "id-tc26-gost3410-12-256", GostR34102012PublicKeyParameters, OctetString),
    ("1.2.643.7.1.1.1.2", "id-tc26-gost3410-12-512", GostR34102012PublicKeyParameters, OctetString),
)

PUBLIC_KEYS.register(ObjectIdentifier("1.2.840.113549.1.1.1"), RSAPublicKey)
# RFC 8692 section 5.1: RSASSA-PSS with SHAKE has no parameters.
PUBLIC_KEYS.register(ObjectIdentifier("1.3.6.1.5.5.7.6.30"), RSAPublicKey)  # id-RSASSA-PSS-SHAKE128
PUBLIC_KEYS.register(ObjectIdentifier("1.3.6.1.5.5.7.6.31"), RSAPublicKey)  # id-RSASSA-PSS-SHAKE256
register_known({dotted: name for dotted, name, _, _ in _KEY_ALGORITHMS})
for _dotted, _, _syntax, _contents in _KEY_ALGORITHMS:
    ALGORITHMS.register(ObjectIdentifier(_dotted), _syntax)
    if _contents is not None:
        PUBLIC_KEYS.register(ObjectIdentifier(_dotted), _contents)


# Algorithms whose parameters are NULL, and not absent, in what is built.
_NULL_PARAMETERS = frozenset(
    f"{arc}.{number}"
    for arc, numbers in (
        # rsaEncryption, RFC 3279 section 2.3.1; signatures, RFC 3279 section 2.2.1, RFC 4055 section 5 and RFC 8017
        # Appendix A.2.4.
        ("1.2.840.113549.1.1", (1, 2, 4, 5, 11, 12, 13, 14, 15, 16)),
        # RSA with SHA-3, RFC 9688 section 3.1.
        ("2.16.840.1.101.3.4.3", (13, 14, 15, 16)),
        # HMAC, RFC 8018 Appendix B.1.
        ("1.2.840.113549.2", (7, 8, 9, 10, 11, 12, 13)),
    )
    for number in numbers
)

# Algorithms that are not complete without parameters: examples of parameters, and the rule.
_NEEDS_PARAMETERS = {
    **dict.fromkeys(
        ("1.2.840.10045.2.1", "1.3.132.1.12", "1.3.132.1.13"),  # id-ecPublicKey, id-ecDH, id-ecMQV
        ("the curve, such as ECParameters(named_curve=...)", "RFC 5480 section 2.1"),
    ),
    "1.2.840.113549.1.1.8": ("the AlgorithmIdentifier of a hash function", "RFC 4055 section 2.2"),  # id-mgf1
}


def _required_parameters(algorithm: ObjectIdentifier) -> Null | None:
    """Return the parameters of an algorithm for which none were given."""
    if algorithm.dotted in _NULL_PARAMETERS:
        return NULL
    if algorithm.dotted in _NEEDS_PARAMETERS:
        example, rule = _NEEDS_PARAMETERS[algorithm.dotted]
        raise ConstraintError(f"{algorithm.name} needs parameters: {example} ({rule})")
    return None


# The names in `hashlib` of hash functions, and of those in signature algorithms.
_HASH_NAMES = {
    f"{arc}.{number}": name
    for arc, numbers in (
        # Hash functions: RFC 5754 section 2, NIST.
        ("2.16.840.1.101.3.4.2", {1: "sha256", 2: "sha384", 3: "sha512", 4: "sha224"}),
        ("2.16.840.1.101.3.4.2", {5: "sha512_224", 6: "sha512_256"}),
        ("2.16.840.1.101.3.4.2", {7: "sha3_224", 8: "sha3_256", 9: "sha3_384", 10: "sha3_512"}),
        ("2.16.840.1.101.3.4.2", {11: "shake_128", 12: "shake_256", 17: "shake_128", 18: "shake_256"}),
        ("1.3.14.3.2", {26: "sha1"}),
        ("1.2.840.113549.2", {2: "md2", 4: "md4", 5: "md5"}),
        ("1.3.36.3.2", {1: "ripemd160"}),
        # RSA and DSA of the OIW, RSA of TeleTrusT.
        ("1.3.14.3.2", {3: "md5", 27: "sha1", 29: "sha1"}),
        ("1.3.36.3.3.1", {2: "ripemd160"}),
        ("1.2.156.10197.1", {401: "sm3", 501: "sm3"}),  # SM3, and SM2 with SM3: RFC 8998 section 3.2.1
        # RSA: RFC 3279 section 2.2.1, RFC 4055 section 5, RFC 8017 Appendix A.2.4.
        ("1.2.840.113549.1.1", {2: "md2", 3: "md4", 4: "md5"}),
        ("1.2.840.113549.1.1", {5: "sha1", 11: "sha256", 12: "sha384", 13: "sha512", 14: "sha224"}),
        ("1.2.840.113549.1.1", {15: "sha512_224", 16: "sha512_256"}),
        # ECDSA and DSA: RFC 3279 section 2.2.2 and 2.2.3, RFC 5758 section 3, NIST.
        ("1.2.840.10045.4", {1: "sha1"}),
        ("1.2.840.10045.4.3", {1: "sha224", 2: "sha256", 3: "sha384", 4: "sha512"}),
        ("1.2.840.10040.4", {3: "sha1"}),
        ("2.16.840.1.101.3.4.3", {1: "sha224", 2: "sha256", 3: "sha384", 4: "sha512"}),
        ("2.16.840.1.101.3.4.3", {5: "sha3_224", 6: "sha3_256", 7: "sha3_384", 8: "sha3_512"}),  # DSA
        ("2.16.840.1.101.3.4.3", {9: "sha3_224", 10: "sha3_256", 11: "sha3_384", 12: "sha3_512"}),  # ECDSA
        ("2.16.840.1.101.3.4.3", {13: "sha3_224", 14: "sha3_256", 15: "sha3_384", 16: "sha3_512"}),  # RSA
        # RSA and ECDSA with SHAKE: RFC 8692.
        ("1.3.6.1.5.5.7.6", {30: "shake_128", 31: "shake_256", 32: "shake_128", 33: "shake_256"}),
        # Messages that are hashed before they are signed: HashML-DSA, FIPS 204, and HashSLH-DSA, RFC 9909.
        ("2.16.840.1.101.3.4.3", {32: "sha512", 33: "sha512", 34: "sha512"}),
        ("2.16.840.1.101.3.4.3", dict.fromkeys((35, 36), "sha256") | dict.fromkeys((37, 38, 39, 40), "sha512")),
        ("2.16.840.1.101.3.4.3", dict.fromkeys((41, 42), "shake_128") | dict.fromkeys((43, 44, 45, 46), "shake_256")),
    )
    for number, name in numbers.items()
}


def _pss_params(hash_function: str, salt_length: int) -> RSASSAPSSParams:
    """Return the parameters of RSASSA-PSS with the same hash function for the message and the mask.

    The identifiers of the hash function have NULL as parameters (RFC 4055 section 6, sha256Identifier and the like).
    """
    identifier = AlgorithmIdentifier.of(hash_function, NULL)
    return RSASSAPSSParams(
        hash_algorithm=identifier,
        mask_gen_algorithm=AlgorithmIdentifier.of("id-mgf1", identifier),
        salt_length=salt_length,
    )


# Values for `signature` and `signatureAlgorithm` when you sign, with the names of RFC 5912, 8410 and 9881. RSA has NULL
# parameters (RFC 4055 section 5), the others have none (RFC 5758 section 3.2, RFC 8410 section 3, RFC 9881 section 2).
# RSASSA-PSS has a hash function and a salt as long as the hash, the length that RFC 4055 section 3.1 recommends.
_SIGNATURES = {
    "sa_sha256_with_rsa_encryption": ("1.2.840.113549.1.1.11", NULL),
    "sa_sha384_with_rsa_encryption": ("1.2.840.113549.1.1.12", NULL),
    "sa_sha512_with_rsa_encryption": ("1.2.840.113549.1.1.13", NULL),
    "sa_rsassa_pss_sha256": ("1.2.840.113549.1.1.10", ("id-sha256", 32)),
    "sa_rsassa_pss_sha384": ("1.2.840.113549.1.1.10", ("id-sha384", 48)),
    "sa_rsassa_pss_sha512": ("1.2.840.113549.1.1.10", ("id-sha512", 64)),
    "sa_ecdsa_with_sha256": ("1.2.840.10045.4.3.2", None),
    "sa_ecdsa_with_sha384": ("1.2.840.10045.4.3.3", None),
    "sa_ecdsa_with_sha512": ("1.2.840.10045.4.3.4", None),
    "sa_ed25519": ("1.3.101.112", None),
    "sa_ed448": ("1.3.101.113", None),
    "sa_ml_dsa_44": ("2.16.840.1.101.3.4.3.17", None),
    "sa_ml_dsa_65": ("2.16.840.1.101.3.4.3.18", None),
    "sa_ml_dsa_87": ("2.16.840.1.101.3.4.3.19", None),
}

if TYPE_CHECKING:
    sa_sha256_with_rsa_encryption: AlgorithmIdentifier
    sa_sha384_with_rsa_encryption: AlgorithmIdentifier
    sa_sha512_with_rsa_encryption: AlgorithmIdentifier
    sa_rsassa_pss_sha256: AlgorithmIdentifier
    sa_rsassa_pss_sha384: AlgorithmIdentifier
    sa_rsassa_pss_sha512: AlgorithmIdentifier
    sa_ecdsa_with_sha256: AlgorithmIdentifier
    sa_ecdsa_with_sha384: AlgorithmIdentifier
    sa_ecdsa_with_sha512: AlgorithmIdentifier
    sa_ed25519: AlgorithmIdentifier
    sa_ed448: AlgorithmIdentifier
    sa_ml_dsa_44: AlgorithmIdentifier
    sa_ml_dsa_65: AlgorithmIdentifier
    sa_ml_dsa_87: AlgorithmIdentifier
else:

    def __getattr__(name):
        """Build a value of `_SIGNATURES` at its first use, because that compiles the types of all parameters."""
        if name not in _SIGNATURES:
            from derlib._suggestions import no_module_attribute

            raise AttributeError(no_module_attribute(__name__, name, __dir__()), name=name)
        algorithm, parameters = _SIGNATURES[name]
        if isinstance(parameters, tuple):
            parameters = _pss_params(*parameters)
        return globals().setdefault(name, AlgorithmIdentifier(algorithm=algorithm, parameters=parameters))

    def __dir__():
        return sorted({*globals(), *_SIGNATURES})
