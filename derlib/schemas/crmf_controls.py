"""The controls and the registration information of certificate requests: RFC 4211 sections 6 and 7, RFC 9810.

Used by `derlib.schemas.crmf` and `derlib.schemas.cmp`. `CONTROLS` has the type of the value by the type of the control.

>>> control = AttributeTypeAndValue.decode(bytes.fromhex("301506092b0601050507050101") + b"\\x0c\\x08password")
>>> control.type.name, control.value
('id-regCtrl-regToken', 'password')
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    BitString,
    Choice,
    DefinedBy,
    Explicit,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Size,
    UTF8String,
)
from derlib.oids import by_name, register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cms import CONTENT_TYPES, EnvelopedData
from derlib.schemas.general import GeneralName
from derlib.schemas.keys import PrivateKeyInfo
from derlib.schemas.x509 import SubjectPublicKeyInfo

_COMPILE_AT_FIRST_USE = True

# The values of controls and of registration information; `derlib.schemas.crmf` adds a request.
CONTROLS = OpenTypes("CONTROLS")

RegToken: TypeAlias = UTF8String  # section 6.1
Authenticator: TypeAlias = UTF8String  # section 6.2
KeyGenParameters: TypeAlias = OctetString  # section 6.4
ProtocolEncrKey: TypeAlias = SubjectPublicKeyInfo  # section 6.6
UTF8Pairs: TypeAlias = UTF8String  # section 7.1
AlgIdCtrl: TypeAlias = AlgorithmIdentifier  # RFC 9810 section 5.3.19.16
RsaKeyLenCtrl: TypeAlias = Annotated[int, Range(1, None)]  # RFC 9810 section 5.3.19.16


class AttributeTypeAndValue(Sequence):
    """A control, or registration information (RFC 4211 Appendix B).

    ::

        AttributeTypeAndValue ::= SEQUENCE {
            type    OBJECT IDENTIFIER,
            value   ANY DEFINED BY type }
    """

    type: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type", CONTROLS)]


class Controls(SequenceOf[AttributeTypeAndValue], size=Size(1, None)):
    """What the requester asks for beyond the contents of the certificate (RFC 4211 section 6).

    ::

        Controls ::= SEQUENCE SIZE(1..MAX) OF AttributeTypeAndValue
    """

    def get(self, which: ObjectIdentifier | str) -> Any:
        """Return the value of the first control of a type, such as `id_reg_ctrl_reg_token`, or None if it is absent."""
        found = self.find_by("type", by_name(which))
        return None if found is None else found.value


# --- Publication: section 6.3


class PubMethod(NamedInteger):
    """Where the certificate is published (RFC 4211 section 6.3, where the INTEGER has no name).

    ::

        INTEGER { dontCare(0), x500(1), web(2), ldap(3) }
    """

    dont_care = 0
    x500 = 1
    web = 2
    ldap = 3


class SinglePubInfo(Sequence):
    """A place of publication (RFC 4211 section 6.3).

    ::

        SinglePubInfo ::= SEQUENCE {
            pubMethod     INTEGER { dontCare(0), x500(1), web(2), ldap(3) },
            pubLocation   GeneralName OPTIONAL }
    """

    pub_method: PubMethod
    pub_location: GeneralName | None = None


class Action(NamedInteger):
    """Whether the certificate is published (RFC 4211 section 6.3, where the INTEGER has no name).

    ::

        INTEGER { dontPublish(0), pleasePublish(1) }
    """

    dont_publish = 0
    please_publish = 1


class PKIPublicationInfo(Sequence):
    """Whether and where the certificate is published (RFC 4211 section 6.3).

    ::

        PKIPublicationInfo ::= SEQUENCE {
            action     INTEGER { dontPublish(0), pleasePublish(1) },
            pubInfos   SEQUENCE SIZE (1..MAX) OF SinglePubInfo OPTIONAL }
    """

    action: Action
    pub_infos: Annotated[SequenceOf[SinglePubInfo], Size(1, None)] | None = None


# --- Private keys: sections 4.2 and 6.4


class EncryptedValue(Sequence):
    """An encrypted private key or certificate, before `EnvelopedData` replaced it (RFC 4211 section 6.4).

    ::

        EncryptedValue ::= SEQUENCE {
            intendedAlg   [0] AlgorithmIdentifier OPTIONAL,   -- for which the value will be used
            symmAlg       [1] AlgorithmIdentifier OPTIONAL,   -- used to encrypt the value
            encSymmKey    [2] BIT STRING OPTIONAL,
            keyAlg        [3] AlgorithmIdentifier OPTIONAL,   -- used to encrypt the symmetric key
            valueHint     [4] OCTET STRING OPTIONAL,
            encValue      BIT STRING }
    """

    intended_alg: Annotated[AlgorithmIdentifier, Implicit(0)] | None = None
    symm_alg: Annotated[AlgorithmIdentifier, Implicit(1)] | None = None
    enc_symm_key: Annotated[BitString, Implicit(2)] | None = None
    key_alg: Annotated[AlgorithmIdentifier, Implicit(3)] | None = None
    value_hint: Annotated[OctetString, Implicit(4)] | None = None
    enc_value: BitString


class EncryptedKey(Choice):
    """An encrypted private key, or another encrypted value (RFC 4211 section 6.4).

    ::

        EncryptedKey ::= CHOICE {
            encryptedValue   EncryptedValue,   -- Deprecated
            envelopedData    [0] EnvelopedData }
    """

    encrypted_value: EncryptedValue
    enveloped_data: Annotated[EnvelopedData, Implicit(0)]


class PKIArchiveOptions(Choice):
    """The private key for an archive, or what makes it again (RFC 4211 section 6.4).

    ::

        PKIArchiveOptions ::= CHOICE {
            encryptedPrivKey       [0] EncryptedKey,
            keyGenParameters       [1] KeyGenParameters,   -- OCTET STRING
            archiveRemGenPrivKey   [2] BOOLEAN }
    """

    encrypted_priv_key: Annotated[EncryptedKey, Explicit(0)]
    key_gen_parameters: Annotated[KeyGenParameters, Implicit(1)]
    archive_rem_gen_priv_key: Annotated[bool, Implicit(2)]


class Identifier(Choice):
    """Who can recover a private key (RFC 4211 section 4.2, where the CHOICE has no name).

    ::

        CHOICE {
            string        UTF8String,
            generalName   GeneralName }
    """

    string: UTF8String
    general_name: GeneralName


class EncKeyWithID(Sequence):
    """A private key and who can recover it, encrypted in an EnvelopedData (RFC 4211 section 4.2).

    ::

        EncKeyWithID ::= SEQUENCE {
            privateKey   PrivateKeyInfo,
            identifier   CHOICE { string UTF8String, generalName GeneralName } OPTIONAL }
    """

    private_key: PrivateKeyInfo
    identifier: Identifier | None = None


# --- An older certificate: section 6.5


class CertId(Sequence):
    """A certificate, by its issuer and serial number (RFC 4211 section 6.5).

    ::

        CertId ::= SEQUENCE {
            issuer         GeneralName,
            serialNumber   INTEGER }
    """

    issuer: GeneralName
    serial_number: int


OldCertId: TypeAlias = CertId  # section 6.5

id_ct_enc_key_with_id = ObjectIdentifier("1.2.840.113549.1.9.16.1.21")
id_reg_ctrl_reg_token = ObjectIdentifier("1.3.6.1.5.5.7.5.1.1")
id_reg_ctrl_authenticator = ObjectIdentifier("1.3.6.1.5.5.7.5.1.2")
id_reg_ctrl_pki_publication_info = ObjectIdentifier("1.3.6.1.5.5.7.5.1.3")
id_reg_ctrl_pki_archive_options = ObjectIdentifier("1.3.6.1.5.5.7.5.1.4")
id_reg_ctrl_old_cert_id = ObjectIdentifier("1.3.6.1.5.5.7.5.1.5")
id_reg_ctrl_protocol_encr_key = ObjectIdentifier("1.3.6.1.5.5.7.5.1.6")
id_reg_ctrl_alt_cert_template = ObjectIdentifier("1.3.6.1.5.5.7.5.1.7")
id_reg_ctrl_alg_id = ObjectIdentifier("1.3.6.1.5.5.7.5.1.11")
id_reg_ctrl_rsa_key_len = ObjectIdentifier("1.3.6.1.5.5.7.5.1.12")
id_reg_info_utf8_pairs = ObjectIdentifier("1.3.6.1.5.5.7.5.2.1")
id_reg_info_cert_req = ObjectIdentifier("1.3.6.1.5.5.7.5.2.2")

_CONTROLS: tuple[tuple[ObjectIdentifier, str, Any], ...] = (
    (id_reg_ctrl_reg_token, "id-regCtrl-regToken", RegToken),
    (id_reg_ctrl_authenticator, "id-regCtrl-authenticator", Authenticator),
    (id_reg_ctrl_pki_publication_info, "id-regCtrl-pkiPublicationInfo", PKIPublicationInfo),
    (id_reg_ctrl_pki_archive_options, "id-regCtrl-pkiArchiveOptions", PKIArchiveOptions),
    (id_reg_ctrl_old_cert_id, "id-regCtrl-oldCertID", OldCertId),
    (id_reg_ctrl_protocol_encr_key, "id-regCtrl-protocolEncrKey", ProtocolEncrKey),
    # RFC 9810 section 5.3.19.16, at first RFC 9480.
    (id_reg_ctrl_alt_cert_template, "id-regCtrl-altCertTemplate", AttributeTypeAndValue),
    (id_reg_ctrl_alg_id, "id-regCtrl-algId", AlgIdCtrl),
    (id_reg_ctrl_rsa_key_len, "id-regCtrl-rsaKeyLen", RsaKeyLenCtrl),
    (id_reg_info_utf8_pairs, "id-regInfo-utf8Pairs", UTF8Pairs),
)

register_known({oid.dotted: name for oid, name, _ in _CONTROLS})
for _oid, _, _syntax in _CONTROLS:
    CONTROLS.register(_oid, _syntax)

register_known({id_reg_info_cert_req.dotted: "id-regInfo-certReq", id_ct_enc_key_with_id.dotted: "id-ct-encKeyWithID"})
CONTENT_TYPES.register(id_ct_enc_key_with_id, EncKeyWithID)
