"""Time-Stamp Protocol: RFC 3161, with RFC 5816.

Import this module to ask for time stamps, or to read them. derlib does not verify signatures.

    >>> from derlib.schemas.tsp import TimeStampResp
    >>> response = TimeStampResp.decode(open("answer.tsr", "rb").read())  # doctest: +SKIP
    >>> if info := response.tst_info:  # doctest: +SKIP
    ...     print(response.status.status.name, info.gen_time)
    granted 2026-10-09 12:30:00+00:00
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import (
    ASN1Error,
    Explicit,
    GeneralizedTime,
    Implicit,
    NamedBits,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    Range,
    Sequence,
)
from derlib._contents import decode_contents
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.cmp_status import PKIFreeText
from derlib.schemas.cms import ContentInfo, SignedData, id_aa_time_stamp_token
from derlib.schemas.ess import ESSCertIDv2, SigningCertificate, SigningCertificateV2
from derlib.schemas.general import GeneralName
from derlib.schemas.x509 import Extension, Extensions

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "Accuracy",
    "AlgorithmIdentifier",
    "ContentInfo",
    "ESSCertIDv2",
    "Extension",
    "Extensions",
    "GeneralName",
    "MessageImprint",
    "PKIFailureInfo",
    "PKIFreeText",
    "PKIStatus",
    "PKIStatusInfo",
    "SignedData",
    "SigningCertificate",
    "SigningCertificateV2",
    "TSAPolicyId",
    "TSTInfo",
    "TimeStampReq",
    "TimeStampResp",
    "TimeStampToken",
    "Version",
    "id_aa_time_stamp_token",
    "id_ct_tst_info",
    "tst_info_of",
]

TSAPolicyId: TypeAlias = ObjectIdentifier  # section 2.4.1
TimeStampToken: TypeAlias = ContentInfo  # section 2.4.2: a SignedData whose content is a TSTInfo

id_ct_tst_info = ObjectIdentifier("1.2.840.113549.1.9.16.1.4")
register_known({id_ct_tst_info.dotted: "id-ct-TSTInfo"})


class Version(NamedInteger):
    """The version of a request or a time stamp (RFC 3161 section 2.4.1, where the INTEGER has no name).

    ::

        INTEGER { v1(1) }
    """

    v1 = 1


class MessageImprint(Sequence):
    """The hash of the data that is stamped (RFC 3161 section 2.4.1).

    ::

        MessageImprint ::= SEQUENCE {
            hashAlgorithm   AlgorithmIdentifier,
            hashedMessage   OCTET STRING }
    """

    hash_algorithm: AlgorithmIdentifier
    hashed_message: OctetString


class TimeStampReq(Sequence):
    """A request for a time stamp (RFC 3161 section 2.4.1).

    ::

        TimeStampReq ::= SEQUENCE {
            version          INTEGER { v1(1) },
            messageImprint   MessageImprint,
            reqPolicy        TSAPolicyId OPTIONAL,
            nonce            INTEGER OPTIONAL,
            certReq          BOOLEAN DEFAULT FALSE,
            extensions       [0] IMPLICIT Extensions OPTIONAL }

    >>> import hashlib
    >>> request = TimeStampReq(
    ...     version=Version.v1,
    ...     message_imprint=MessageImprint(
    ...         hash_algorithm=AlgorithmIdentifier.of("id-sha256"),
    ...         hashed_message=hashlib.sha256(b"my document").digest(),
    ...     ),
    ...     cert_req=True,
    ... )
    >>> len(request.encode())
    57
    """

    version: Version
    message_imprint: MessageImprint
    req_policy: TSAPolicyId | None = None
    nonce: int | None = None
    cert_req: bool = False
    extensions: Annotated[Extensions, Implicit(0)] | None = None


class PKIStatus(NamedInteger):
    """Whether the time stamp was granted (RFC 3161 section 2.4.2).

    ::

        PKIStatus ::= INTEGER {
            granted                  (0),
            grantedWithMods          (1),
            rejection                (2),
            waiting                  (3),
            revocationWarning        (4),
            revocationNotification   (5) }
    """

    granted = 0
    granted_with_mods = 1
    rejection = 2
    waiting = 3
    revocation_warning = 4
    revocation_notification = 5


class PKIFailureInfo(NamedBits):
    """Why the time stamp was not granted (RFC 3161 section 2.4.2).

    ::

        PKIFailureInfo ::= BIT STRING {
            badAlg                (0),
            badRequest            (2),
            badDataFormat         (5),
            timeNotAvailable      (14),
            unacceptedPolicy      (15),
            unacceptedExtension   (16),
            addInfoNotAvailable   (17),
            systemFailure         (25) }
    """

    bad_alg = 1 << 0
    bad_request = 1 << 2
    bad_data_format = 1 << 5
    time_not_available = 1 << 14
    unaccepted_policy = 1 << 15
    unaccepted_extension = 1 << 16
    add_info_not_available = 1 << 17
    system_failure = 1 << 25


class PKIStatusInfo(Sequence):
    """The status of an answer (RFC 3161 section 2.4.2).

    ::

        PKIStatusInfo ::= SEQUENCE {
            status         PKIStatus,
            statusString   PKIFreeText OPTIONAL,
            failInfo       PKIFailureInfo OPTIONAL }
    """

    status: PKIStatus
    status_string: PKIFreeText | None = None
    fail_info: PKIFailureInfo | None = None


class Accuracy(Sequence):
    """The deviation of the time from UTC, at most (RFC 3161 section 2.4.2).

    ::

        Accuracy ::= SEQUENCE {
            seconds   INTEGER OPTIONAL,
            millis    [0] IMPLICIT INTEGER (1..999) OPTIONAL,
            micros    [1] IMPLICIT INTEGER (1..999) OPTIONAL }
    """

    seconds: int | None = None
    millis: Annotated[int, Range(1, 999), Implicit(0)] | None = None
    micros: Annotated[int, Range(1, 999), Implicit(1)] | None = None


class TSTInfo(Sequence):
    """The content of a time stamp (RFC 3161 section 2.4.2).

    ::

        TSTInfo ::= SEQUENCE {
            version          INTEGER { v1(1) },
            policy           TSAPolicyId,
            messageImprint   MessageImprint,
            serialNumber     INTEGER,
            genTime          GeneralizedTime,
            accuracy         Accuracy OPTIONAL,
            ordering         BOOLEAN DEFAULT FALSE,
            nonce            INTEGER OPTIONAL,
            tsa              [0] EXPLICIT GeneralName OPTIONAL,
            extensions       [1] IMPLICIT Extensions OPTIONAL }
    """

    version: Version
    policy: TSAPolicyId
    message_imprint: MessageImprint
    serial_number: int
    gen_time: GeneralizedTime
    accuracy: Accuracy | None = None
    ordering: bool = False
    nonce: int | None = None
    tsa: Annotated[GeneralName, Explicit(0)] | None = None
    extensions: Annotated[Extensions, Implicit(1)] | None = None


class TimeStampResp(Sequence):
    """The answer of a time stamp authority (RFC 3161 section 2.4.2).

    ::

        TimeStampResp ::= SEQUENCE {
            status           PKIStatusInfo,
            timeStampToken   TimeStampToken OPTIONAL }   -- ContentInfo
    """

    status: PKIStatusInfo
    time_stamp_token: TimeStampToken | None = None

    @property
    def tst_info(self) -> TSTInfo | None:
        """The content of the time stamp, or None if the answer has none. Raises the errors of `tst_info_of`."""
        return None if self.time_stamp_token is None else tst_info_of(self.time_stamp_token)


def tst_info_of(token: ContentInfo) -> TSTInfo:
    """Return the content of a time stamp, such as the value of the attribute id-aa-timeStampToken.

    It can have the deviations that the decoding of the token tolerates.

    Raises:
        DecodeError: the content is not the encoding of a `TSTInfo`.
        ASN1Error: the token is not a SignedData with a content of this type.
    """
    signed = token.content
    if isinstance(signed, SignedData):
        content = signed.encap_content_info
        if content.e_content_type == id_ct_tst_info and content.e_content is not None:
            return decode_contents(token, TSTInfo, content.e_content)
    raise ASN1Error("not a time stamp: the content is not a SignedData with a TSTInfo (RFC 3161 section 2.4.2)")
