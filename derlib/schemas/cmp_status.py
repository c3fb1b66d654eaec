"""The status of answers in certificate management: RFC 9810 sections 5.1.1 and 5.2.3.

Used by `derlib.schemas.cmp`. RFC 3161 has a smaller version of these types for time stamps, in `derlib.schemas.tsp`.

>>> status = PKIStatusInfo.decode(bytes.fromhex("300a02010203050700000080"))
>>> status.status, status.fail_info
(<PKIStatus.rejection: 2>, <PKIFailureInfo: system_unavail>)
"""

from __future__ import annotations

from derlib import NamedBits, NamedInteger, Sequence, SequenceOf, Size, UTF8String

_COMPILE_AT_FIRST_USE = True


class PKIFreeText(SequenceOf[UTF8String], size=Size(1, None)):
    """Text for people, perhaps in several languages (RFC 9810 section 5.1.1).

    ::

        PKIFreeText ::= SEQUENCE SIZE (1..MAX) OF UTF8String
    """


class PKIStatus(NamedInteger):
    """Whether the requester gets what it asked for (RFC 9810 section 5.2.3).

    ::

        PKIStatus ::= INTEGER {
            accepted                 (0),
            grantedWithMods          (1),
            rejection                (2),
            waiting                  (3),
            revocationWarning        (4),
            revocationNotification   (5),
            keyUpdateWarning         (6) }
    """

    accepted = 0
    granted_with_mods = 1
    rejection = 2
    waiting = 3
    revocation_warning = 4
    revocation_notification = 5
    key_update_warning = 6


class PKIFailureInfo(NamedBits):
    """Why a request was refused (RFC 9810 section 5.2.3).

    ::

        PKIFailureInfo ::= BIT STRING {
            badAlg                (0),
            badMessageCheck       (1),
            badRequest            (2),
            badTime               (3),
            badCertId             (4),
            badDataFormat         (5),
            wrongAuthority        (6),
            incorrectData         (7),
            missingTimeStamp      (8),
            badPOP                (9),
            certRevoked           (10),
            certConfirmed         (11),
            wrongIntegrity        (12),
            badRecipientNonce     (13),
            timeNotAvailable      (14),
            unacceptedPolicy      (15),
            unacceptedExtension   (16),
            addInfoNotAvailable   (17),
            badSenderNonce        (18),
            badCertTemplate       (19),
            signerNotTrusted      (20),
            transactionIdInUse    (21),
            unsupportedVersion    (22),
            notAuthorized         (23),
            systemUnavail         (24),
            systemFailure         (25),
            duplicateCertReq      (26) }
    """

    bad_alg = 1 << 0
    bad_message_check = 1 << 1
    bad_request = 1 << 2
    bad_time = 1 << 3
    bad_cert_id = 1 << 4
    bad_data_format = 1 << 5
    wrong_authority = 1 << 6
    incorrect_data = 1 << 7
    missing_time_stamp = 1 << 8
    bad_pop = 1 << 9
    cert_revoked = 1 << 10
    cert_confirmed = 1 << 11
    wrong_integrity = 1 << 12
    bad_recipient_nonce = 1 << 13
    time_not_available = 1 << 14
    unaccepted_policy = 1 << 15
    unaccepted_extension = 1 << 16
    add_info_not_available = 1 << 17
    bad_sender_nonce = 1 << 18
    bad_cert_template = 1 << 19
    signer_not_trusted = 1 << 20
    transaction_id_in_use = 1 << 21
    unsupported_version = 1 << 22
    not_authorized = 1 << 23
    system_unavail = 1 << 24
    system_failure = 1 << 25
    duplicate_cert_req = 1 << 26


class PKIStatusInfo(Sequence):
    """The status of an answer (RFC 9810 section 5.2.3).

    ::

        PKIStatusInfo ::= SEQUENCE {
            status         PKIStatus,
            statusString   PKIFreeText OPTIONAL,
            failInfo       PKIFailureInfo OPTIONAL }
    """

    status: PKIStatus
    status_string: PKIFreeText | None = None
    fail_info: PKIFailureInfo | None = None
