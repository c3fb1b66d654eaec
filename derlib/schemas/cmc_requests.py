"""Requests for certificates in messages of CMC: RFC 5272 section 3.2.1.2.

Used by `derlib.schemas.cmc`. The module has implicit tags.

>>> from derlib import ObjectIdentifier
>>> oid = ObjectIdentifier("2.999")
>>> other = OtherRequest(body_part_id=1, request_message_type=oid, request_message_value=b"\\5\\0")
>>> TaggedRequest(orm=other).encode().hex()
'a209020101060288370500'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import (
    Choice,
    DefinedBy,
    Implicit,
    ObjectIdentifier,
    Range,
    Sequence,
)
from derlib.schemas.cmc_identifiers import (
    OTHER_REQUESTS,
)
from derlib.schemas.crmf import CertReqMsg
from derlib.schemas.csr import CertificationRequest

_COMPILE_AT_FIRST_USE = True


BodyPartID: TypeAlias = Annotated[int, Range(0, 2**32 - 1)]  # section 3.2.2


class TaggedCertificationRequest(Sequence):
    """A PKCS #10 request, with its number (RFC 5272 section 3.2.1.2.1).

    ::

        TaggedCertificationRequest ::= SEQUENCE {
            bodyPartID            BodyPartID,
            certificationRequest  CertificationRequest
        }
    """

    body_part_id: BodyPartID
    certification_request: CertificationRequest


class OtherRequest(Sequence):
    """A request in another format (RFC 5272 section 3.2.1.2.3)."""

    body_part_id: BodyPartID
    request_message_type: ObjectIdentifier
    request_message_value: Annotated[Any, DefinedBy("request_message_type", OTHER_REQUESTS)]


class TaggedRequest(Choice):
    """A request for a certificate (RFC 5272 section 3.2.1.2).

    ::

        TaggedRequest ::= CHOICE {
            tcr               [0] TaggedCertificationRequest,
            crm               [1] CertReqMsg,
            orm               [2] SEQUENCE {
                bodyPartID            BodyPartID,
                requestMessageType    OTHER-REQUEST.&id({OTHER_REQUESTS}),
                requestMessageValue   OTHER-REQUEST.&Type({OTHER_REQUESTS}
                                          {@.requestMessageType})
            }
        }
    """

    tcr: Annotated[TaggedCertificationRequest, Implicit(0)]
    crm: Annotated[CertReqMsg, Implicit(1)]
    orm: Annotated[OtherRequest, Implicit(2)]
