"""Certificate Request Message Format: RFC 4211, with the additions of RFC 9045, RFC 9480 and RFC 9810.

Import this module to read and to make requests for certificates that are not PKCS #10, such as those in messages of
`derlib.schemas.cmp`. derlib does not sign or encrypt.

    >>> from derlib.schemas.crmf import CertReqMessages
    >>> messages = CertReqMessages.decode(open("requests.der", "rb").read())  # doctest: +SKIP
    >>> for message in messages:  # doctest: +SKIP
    ...     print(message.cert_req.cert_template.subject)
    CN=Ada
"""

from __future__ import annotations

from typing import Annotated

from derlib import (
    BitString,
    Choice,
    Explicit,
    Implicit,
    NamedInteger,
    Null,
    ObjectIdentifier,
    OctetString,
    Sequence,
    SequenceOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import ALGORITHMS, AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.ciphers import GCMParameters
from derlib.schemas.cms import EnvelopedData
from derlib.schemas.crmf_controls import (
    CONTROLS,
    Action,
    AttributeTypeAndValue,
    Authenticator,
    CertId,
    Controls,
    EncKeyWithID,
    EncryptedKey,
    EncryptedValue,
    Identifier,
    KeyGenParameters,
    OldCertId,
    PKIArchiveOptions,
    PKIPublicationInfo,
    ProtocolEncrKey,
    PubMethod,
    RegToken,
    SinglePubInfo,
    UTF8Pairs,
    id_ct_enc_key_with_id,
    id_reg_ctrl_alg_id,
    id_reg_ctrl_alt_cert_template,
    id_reg_ctrl_authenticator,
    id_reg_ctrl_old_cert_id,
    id_reg_ctrl_pki_archive_options,
    id_reg_ctrl_pki_publication_info,
    id_reg_ctrl_protocol_encr_key,
    id_reg_ctrl_reg_token,
    id_reg_ctrl_rsa_key_len,
    id_reg_info_cert_req,
    id_reg_info_utf8_pairs,
)
from derlib.schemas.general import GeneralName
from derlib.schemas.keys import PBMAC1Params, PrivateKeyInfo
from derlib.schemas.x509 import Extension, Extensions, SubjectPublicKeyInfo, Time, UniqueIdentifier, Version

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "Action",
    "AlgorithmIdentifier",
    "AttributeTypeAndValue",
    "AuthInfo",
    "Authenticator",
    "CertId",
    "CertReqMessages",
    "CertReqMsg",
    "CertRequest",
    "CertTemplate",
    "Controls",
    "EncKeyWithID",
    "EncryptedKey",
    "EncryptedValue",
    "EnvelopedData",
    "Extension",
    "Extensions",
    "GeneralName",
    "Identifier",
    "KeyGenParameters",
    "Name",
    "OldCertId",
    "OptionalValidity",
    "PBMAC1Params",
    "PBMParameter",
    "PKIArchiveOptions",
    "PKIPublicationInfo",
    "PKMACValue",
    "POPOPrivKey",
    "POPOSigningKey",
    "POPOSigningKeyInput",
    "PrivateKeyInfo",
    "ProofOfPossession",
    "ProtocolEncrKey",
    "PubMethod",
    "RegToken",
    "SinglePubInfo",
    "SubjectPublicKeyInfo",
    "SubsequentMessage",
    "Time",
    "UTF8Pairs",
    "UniqueIdentifier",
    "Version",
    "id_ct_enc_key_with_id",
    "id_password_based_mac",
    "id_reg_ctrl_alg_id",
    "id_reg_ctrl_alt_cert_template",
    "id_reg_ctrl_authenticator",
    "id_reg_ctrl_old_cert_id",
    "id_reg_ctrl_pki_archive_options",
    "id_reg_ctrl_pki_publication_info",
    "id_reg_ctrl_protocol_encr_key",
    "id_reg_ctrl_reg_token",
    "id_reg_ctrl_rsa_key_len",
    "id_reg_info_cert_req",
    "id_reg_info_utf8_pairs",
]


class OptionalValidity(Sequence):
    """The period that the requester asks for; at least one of the times must be present (RFC 4211 section 5).

    ::

        OptionalValidity ::= SEQUENCE {
            notBefore   [0] Time OPTIONAL,
            notAfter    [1] Time OPTIONAL }
    """

    not_before: Annotated[Time, Explicit(0)] | None = None
    not_after: Annotated[Time, Explicit(1)] | None = None


class CertTemplate(Sequence):
    """The contents of a certificate, as far as the requester chooses them (RFC 4211 section 5).

    ::

        CertTemplate ::= SEQUENCE {
            version        [0] Version OPTIONAL,
            serialNumber   [1] INTEGER OPTIONAL,
            signingAlg     [2] AlgorithmIdentifier OPTIONAL,
            issuer         [3] Name OPTIONAL,
            validity       [4] OptionalValidity OPTIONAL,
            subject        [5] Name OPTIONAL,
            publicKey      [6] SubjectPublicKeyInfo OPTIONAL,
            issuerUID      [7] UniqueIdentifier OPTIONAL,
            subjectUID     [8] UniqueIdentifier OPTIONAL,
            extensions     [9] Extensions OPTIONAL }
    """

    version: Annotated[Version, Implicit(0)] | None = None
    serial_number: Annotated[int, Implicit(1)] | None = None
    signing_alg: Annotated[AlgorithmIdentifier, Implicit(2)] | None = None
    issuer: Annotated[Name, Explicit(3)] | None = None
    validity: Annotated[OptionalValidity, Implicit(4)] | None = None
    subject: Annotated[Name, Explicit(5)] | None = None
    public_key: Annotated[SubjectPublicKeyInfo, Implicit(6)] | None = None
    issuer_uid: Annotated[UniqueIdentifier, Implicit(7)] | None = None
    subject_uid: Annotated[UniqueIdentifier, Implicit(8)] | None = None
    extensions: Annotated[Extensions, Implicit(9)] | None = None


class CertRequest(Sequence):
    """A request for one certificate (RFC 4211 section 5).

    ::

        CertRequest ::= SEQUENCE {
            certReqId      INTEGER,   -- ID for matching request and reply
            certTemplate   CertTemplate,
            controls       Controls OPTIONAL }
    """

    cert_req_id: int
    cert_template: CertTemplate
    controls: Controls | None = None


# --- Proof of possession: section 4


class PBMParameter(Sequence):
    """How a message authentication code is made with a password (RFC 4211 section 4.4; RFC 9045 advises SHA-256).

    ::

        PBMParameter ::= SEQUENCE {
            salt             OCTET STRING,
            owf              AlgorithmIdentifier,
            iterationCount   INTEGER,
            mac              AlgorithmIdentifier }
    """

    salt: OctetString
    owf: AlgorithmIdentifier
    iteration_count: int
    mac: AlgorithmIdentifier


class PKMACValue(Sequence):
    """A message authentication code of a public key (RFC 4211 section 4.1).

    ::

        PKMACValue ::= SEQUENCE {
            algId   AlgorithmIdentifier,   -- the parameters are PBMParameter
            value   BIT STRING }
    """

    alg_id: AlgorithmIdentifier
    value: BitString


class AuthInfo(Choice):
    """How the requester is known (RFC 4211 section 4.1, where the CHOICE has no name).

    ::

        CHOICE {
            sender         [0] GeneralName,
            publicKeyMAC   PKMACValue }
    """

    sender: Annotated[GeneralName, Explicit(0)]
    public_key_mac: PKMACValue


class POPOSigningKeyInput(Sequence):
    """What is signed if the template lacks the subject or the public key (RFC 4211 section 4.1).

    ::

        POPOSigningKeyInput ::= SEQUENCE {
            authInfo    CHOICE { sender [0] GeneralName, publicKeyMAC PKMACValue },
            publicKey   SubjectPublicKeyInfo }   -- from CertTemplate
    """

    auth_info: AuthInfo
    public_key: SubjectPublicKeyInfo


class POPOSigningKey(Sequence):
    """The proof with a signature, of `poposkInput` or else of the `CertRequest` (RFC 4211 section 4.1).

    ::

        POPOSigningKey ::= SEQUENCE {
            poposkInput           [0] POPOSigningKeyInput OPTIONAL,
            algorithmIdentifier   AlgorithmIdentifier,
            signature             BIT STRING }

    The signed bytes are ``poposk_input.encode()``, or ``cert_req.der`` of the `CertReqMsg` if `poposk_input` is None.
    """

    poposk_input: Annotated[POPOSigningKeyInput, Implicit(0)] | None = None
    algorithm_identifier: AlgorithmIdentifier
    signature: BitString


class SubsequentMessage(NamedInteger):
    """With which later message the requester proves possession (RFC 4211 section 4.2).

    ::

        SubsequentMessage ::= INTEGER {
            encrCert        (0),
            challengeResp   (1) }
    """

    encr_cert = 0
    challenge_resp = 1


class POPOPrivKey(Choice):
    """The proof for a key that does not sign (RFC 4211 sections 4.2 and 4.3).

    ::

        POPOPrivKey ::= CHOICE {
            thisMessage         [0] BIT STRING,   -- Deprecated
            subsequentMessage   [1] SubsequentMessage,
            dhMAC               [2] BIT STRING,   -- Deprecated
            agreeMAC            [3] PKMACValue,
            encryptedKey        [4] EnvelopedData }
    """

    this_message: Annotated[BitString, Implicit(0)]
    subsequent_message: Annotated[SubsequentMessage, Implicit(1)]
    dh_mac: Annotated[BitString, Implicit(2)]
    agree_mac: Annotated[PKMACValue, Implicit(3)]
    encrypted_key: Annotated[EnvelopedData, Implicit(4)]


class ProofOfPossession(Choice):
    """The proof that the requester has the private key (RFC 4211 section 4).

    ::

        ProofOfPossession ::= CHOICE {
            raVerified        [0] NULL,
            signature         [1] POPOSigningKey,
            keyEncipherment   [2] POPOPrivKey,
            keyAgreement      [3] POPOPrivKey }
    """

    ra_verified: Annotated[Null, Implicit(0)]
    signature: Annotated[POPOSigningKey, Implicit(1)]
    key_encipherment: Annotated[POPOPrivKey, Explicit(2)]
    key_agreement: Annotated[POPOPrivKey, Explicit(3)]


class CertReqMsg(Sequence):
    """A request with its proof of possession (RFC 4211 section 3).

    ::

        CertReqMsg ::= SEQUENCE {
            certReq   CertRequest,
            popo      ProofOfPossession OPTIONAL,
            regInfo   SEQUENCE SIZE(1..MAX) OF AttributeTypeAndValue OPTIONAL }
    """

    cert_req: CertRequest
    popo: ProofOfPossession | None = None
    reg_info: Annotated[SequenceOf[AttributeTypeAndValue], Size(1, None)] | None = None


class CertReqMessages(SequenceOf[CertReqMsg], size=Size(1, None)):
    """Requests for certificates (RFC 4211 section 3).

    ::

        CertReqMessages ::= SEQUENCE SIZE (1..MAX) OF CertReqMsg

    >>> from derlib import NULL
    >>> request = {"cert_req_id": 0, "cert_template": {"subject": Name.of({"CN": "Ada"})}}
    >>> messages = CertReqMessages([{"cert_req": request, "popo": {"ra_verified": NULL}}])
    >>> print(messages[0].cert_req.cert_template.subject, messages[0].popo)
    CN=Ada ProofOfPossession(ra_verified=NULL)
    """


id_password_based_mac = ObjectIdentifier("1.2.840.113533.7.66.13")
register_known({id_password_based_mac.dotted: "id-PasswordBasedMac"})
ALGORITHMS.register(id_password_based_mac, PBMParameter)

# RFC 9045 section 4 allows AES-GMAC, too. Its parameters (RFC 9044 section 3) have the syntax of GCMParameters.
_AES = "2.16.840.1.101.3.4.1"
_GMACS = {f"{_AES}.9": "id-aes128-GMAC", f"{_AES}.29": "id-aes192-GMAC", f"{_AES}.49": "id-aes256-GMAC"}
register_known(_GMACS)
for _dotted in _GMACS:
    ALGORITHMS.register(ObjectIdentifier(_dotted), GCMParameters)

CONTROLS.register(id_reg_info_cert_req, CertRequest)
