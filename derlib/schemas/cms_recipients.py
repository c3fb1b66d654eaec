"""The recipients of encrypted and authenticated content: RFC 5652 section 6.2, and KEM recipients of RFC 9629.

Used by `derlib.schemas.cms`. Both modules have implicit tags. Each recipient gets the same content key, encrypted as
the class of the recipient says.

>>> identifier = RecipientIdentifier(subject_key_identifier=bytes(20))
>>> recipient = RecipientInfo(ktri={
...     "version": "v2", "rid": identifier, "key_encryption_algorithm": {"algorithm": "1.2.840.113549.1.1.7"},
...     "encrypted_key": bytes(256)})
>>> RecipientInfo.decode(recipient.encode()).ktri.rid.alternative
'subject_key_identifier'
"""

from typing import Annotated, Any, TypeAlias

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Explicit,
    GeneralizedTime,
    Implicit,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms_certificates import CertificateSet, CMSVersion, IssuerAndSerialNumber, RevocationInfoChoices
from derlib.schemas.extensions import SubjectKeyIdentifier

_COMPILE_AT_FIRST_USE = True

# The syntax of oriValue, by oriType.
OTHER_RECIPIENTS = OpenTypes("OTHER_RECIPIENTS")

# The syntax of keyAttr, by keyAttrId.
OTHER_KEY_ATTRIBUTES = OpenTypes("OTHER_KEY_ATTRIBUTES")

EncryptedKey: TypeAlias = OctetString  # section 6.2
UserKeyingMaterial: TypeAlias = OctetString  # section 10.2.6


class OriginatorInfo(Sequence):
    """Certificates and CRLs of the originator (RFC 5652 section 6.1).

    ::

        OriginatorInfo ::= SEQUENCE {
            certs   [0] IMPLICIT CertificateSet OPTIONAL,
            crls    [1] IMPLICIT RevocationInfoChoices OPTIONAL }
    """

    certs: Annotated[CertificateSet, Implicit(0)] | None = None
    crls: Annotated[RevocationInfoChoices, Implicit(1)] | None = None


class RecipientIdentifier(Choice):
    """The certificate of a recipient (RFC 5652 section 6.2.1).

    ::

        RecipientIdentifier ::= CHOICE {
            issuerAndSerialNumber   IssuerAndSerialNumber,
            subjectKeyIdentifier    [0] SubjectKeyIdentifier }
    """

    issuer_and_serial_number: IssuerAndSerialNumber
    subject_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(0)]


class KeyTransRecipientInfo(Sequence):
    """A recipient whose public key encrypts the content key (RFC 5652 section 6.2.1).

    ::

        KeyTransRecipientInfo ::= SEQUENCE {
            version                  CMSVersion,   -- always set to 0 or 2
            rid                      RecipientIdentifier,
            keyEncryptionAlgorithm   KeyEncryptionAlgorithmIdentifier,
            encryptedKey             EncryptedKey }
    """

    version: CMSVersion
    rid: RecipientIdentifier
    key_encryption_algorithm: AlgorithmIdentifier
    encrypted_key: EncryptedKey


class OtherKeyAttribute(Sequence):
    """More information about a key (RFC 5652 section 10.2.7).

    ::

        OtherKeyAttribute ::= SEQUENCE {
            keyAttrId   OBJECT IDENTIFIER,
            keyAttr     ANY DEFINED BY keyAttrId OPTIONAL }
    """

    key_attr_id: ObjectIdentifier
    key_attr: Annotated[Any, DefinedBy("key_attr_id", OTHER_KEY_ATTRIBUTES)] | None = None


class RecipientKeyIdentifier(Sequence):
    """The key of a recipient, by its identifier (RFC 5652 section 6.2.2).

    ::

        RecipientKeyIdentifier ::= SEQUENCE {
            subjectKeyIdentifier   SubjectKeyIdentifier,
            date                   GeneralizedTime OPTIONAL,
            other                  OtherKeyAttribute OPTIONAL }
    """

    subject_key_identifier: SubjectKeyIdentifier
    date: GeneralizedTime | None = None
    other: OtherKeyAttribute | None = None


class KeyAgreeRecipientIdentifier(Choice):
    """The certificate or key of a recipient (RFC 5652 section 6.2.2).

    ::

        KeyAgreeRecipientIdentifier ::= CHOICE {
            issuerAndSerialNumber   IssuerAndSerialNumber,
            rKeyId                  [0] IMPLICIT RecipientKeyIdentifier }
    """

    issuer_and_serial_number: IssuerAndSerialNumber
    r_key_id: Annotated[RecipientKeyIdentifier, Implicit(0)]


class RecipientEncryptedKey(Sequence):
    """The encrypted content key for one recipient (RFC 5652 section 6.2.2).

    ::

        RecipientEncryptedKey ::= SEQUENCE {
            rid            KeyAgreeRecipientIdentifier,
            encryptedKey   EncryptedKey }
    """

    rid: KeyAgreeRecipientIdentifier
    encrypted_key: EncryptedKey


class RecipientEncryptedKeys(SequenceOf[RecipientEncryptedKey]):
    """The encrypted content key for each recipient (RFC 5652 section 6.2.2).

    ::

        RecipientEncryptedKeys ::= SEQUENCE OF RecipientEncryptedKey
    """


class OriginatorPublicKey(Sequence):
    """The public key of the originator (RFC 5652 section 6.2.2).

    ::

        OriginatorPublicKey ::= SEQUENCE {
            algorithm   AlgorithmIdentifier,
            publicKey   BIT STRING }
    """

    algorithm: AlgorithmIdentifier
    public_key: BitString


class OriginatorIdentifierOrKey(Choice):
    """The certificate or key of the originator (RFC 5652 section 6.2.2).

    ::

        OriginatorIdentifierOrKey ::= CHOICE {
            issuerAndSerialNumber   IssuerAndSerialNumber,
            subjectKeyIdentifier    [0] SubjectKeyIdentifier,
            originatorKey           [1] OriginatorPublicKey }
    """

    issuer_and_serial_number: IssuerAndSerialNumber
    subject_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(0)]
    originator_key: Annotated[OriginatorPublicKey, Implicit(1)]


class KeyAgreeRecipientInfo(Sequence):
    """Recipients with whom the originator agrees on a key, for example by ECDH (RFC 5652 section 6.2.2).

    ::

        KeyAgreeRecipientInfo ::= SEQUENCE {
            version                  CMSVersion,   -- always set to 3
            originator               [0] EXPLICIT OriginatorIdentifierOrKey,
            ukm                      [1] EXPLICIT UserKeyingMaterial OPTIONAL,
            keyEncryptionAlgorithm   KeyEncryptionAlgorithmIdentifier,
            recipientEncryptedKeys   RecipientEncryptedKeys }
    """

    version: CMSVersion
    originator: Annotated[OriginatorIdentifierOrKey, Explicit(0)]
    ukm: Annotated[UserKeyingMaterial, Explicit(1)] | None = None
    key_encryption_algorithm: AlgorithmIdentifier
    recipient_encrypted_keys: RecipientEncryptedKeys


class KEKIdentifier(Sequence):
    """A symmetric key that the recipient has (RFC 5652 section 6.2.3).

    ::

        KEKIdentifier ::= SEQUENCE {
            keyIdentifier   OCTET STRING,
            date            GeneralizedTime OPTIONAL,
            other           OtherKeyAttribute OPTIONAL }
    """

    key_identifier: OctetString
    date: GeneralizedTime | None = None
    other: OtherKeyAttribute | None = None


class KEKRecipientInfo(Sequence):
    """A recipient whose symmetric key encrypts the content key (RFC 5652 section 6.2.3).

    ::

        KEKRecipientInfo ::= SEQUENCE {
            version                  CMSVersion,   -- always set to 4
            kekid                    KEKIdentifier,
            keyEncryptionAlgorithm   KeyEncryptionAlgorithmIdentifier,
            encryptedKey             EncryptedKey }
    """

    version: CMSVersion
    kekid: KEKIdentifier
    key_encryption_algorithm: AlgorithmIdentifier
    encrypted_key: EncryptedKey


class PasswordRecipientInfo(Sequence):
    """A recipient who knows a password (RFC 5652 section 6.2.4).

    ::

        PasswordRecipientInfo ::= SEQUENCE {
            version                  CMSVersion,   -- always set to 0
            keyDerivationAlgorithm   [0] KeyDerivationAlgorithmIdentifier OPTIONAL,
            keyEncryptionAlgorithm   KeyEncryptionAlgorithmIdentifier,
            encryptedKey             EncryptedKey }
    """

    version: CMSVersion
    key_derivation_algorithm: Annotated[AlgorithmIdentifier, Implicit(0)] | None = None
    key_encryption_algorithm: AlgorithmIdentifier
    encrypted_key: EncryptedKey


class OtherRecipientInfo(Sequence):
    """A recipient of another kind, such as `KEMRecipientInfo` (RFC 5652 section 6.2.5).

    ::

        OtherRecipientInfo ::= SEQUENCE {
            oriType    OBJECT IDENTIFIER,
            oriValue   ANY DEFINED BY oriType }
    """

    ori_type: ObjectIdentifier
    ori_value: Annotated[Any, DefinedBy("ori_type", OTHER_RECIPIENTS)]


class RecipientInfo(Choice):
    """A recipient, by the way the content key is encrypted (RFC 5652 section 6.2).

    ::

        RecipientInfo ::= CHOICE {
            ktri    KeyTransRecipientInfo,
            kari    [1] KeyAgreeRecipientInfo,
            kekri   [2] KEKRecipientInfo,
            pwri    [3] PasswordRecipientInfo,
            ori     [4] OtherRecipientInfo }
    """

    ktri: KeyTransRecipientInfo
    kari: Annotated[KeyAgreeRecipientInfo, Implicit(1)]
    kekri: Annotated[KEKRecipientInfo, Implicit(2)]
    pwri: Annotated[PasswordRecipientInfo, Implicit(3)]
    ori: Annotated[OtherRecipientInfo, Implicit(4)]


class RecipientInfos(SetOf[RecipientInfo], size=Size(1, None)):
    """The recipients (RFC 5652 section 6.1).

    ::

        RecipientInfos ::= SET SIZE (1..MAX) OF RecipientInfo
    """


class KEMRecipientInfo(Sequence):
    """A recipient whose key encapsulates a shared secret, for example with ML-KEM (RFC 9629 section 3).

    ::

        KEMRecipientInfo ::= SEQUENCE {
            version        CMSVersion,   -- always set to 0
            rid            RecipientIdentifier,
            kem            KEMAlgorithmIdentifier,
            kemct          OCTET STRING,
            kdf            KeyDerivationAlgorithmIdentifier,
            kekLength      INTEGER (1..65535),
            ukm            [0] EXPLICIT UserKeyingMaterial OPTIONAL,
            wrap           KeyEncryptionAlgorithmIdentifier,
            encryptedKey   EncryptedKey }
    """

    version: CMSVersion
    rid: RecipientIdentifier
    kem: AlgorithmIdentifier
    kemct: OctetString
    kdf: AlgorithmIdentifier
    kek_length: Annotated[int, Range(1, 65535)]
    ukm: Annotated[UserKeyingMaterial, Explicit(0)] | None = None
    wrap: AlgorithmIdentifier
    encrypted_key: EncryptedKey


class CMSORIforKEMOtherInfo(Sequence):
    """The input of the key derivation of a `KEMRecipientInfo`, which is not transmitted (RFC 9629 section 5).

    ::

        CMSORIforKEMOtherInfo ::= SEQUENCE {
            wrap        KeyEncryptionAlgorithmIdentifier,
            kekLength   INTEGER (1..65535),
            ukm         [0] EXPLICIT UserKeyingMaterial OPTIONAL }
    """

    wrap: AlgorithmIdentifier
    kek_length: Annotated[int, Range(1, 65535)]
    ukm: Annotated[UserKeyingMaterial, Explicit(0)] | None = None


id_ori_kem = ObjectIdentifier("1.2.840.113549.1.9.16.13.3")
register_known({id_ori_kem.dotted: "id-ori-kem"})
OTHER_RECIPIENTS.register(id_ori_kem, KEMRecipientInfo)
