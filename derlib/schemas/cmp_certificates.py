"""The certificates in messages of certificate management: RFC 9810.

Used by `derlib.schemas.cmp` and its parts. The tags are explicit. A `CMPCertificate` is encoded as a certificate of
`derlib.schemas.x509`; the CHOICE leaves room for other kinds.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import BitString, Choice, Explicit, Sequence
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.crmf_controls import CertId
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True


class CMPCertificate(Choice, extensible=True):
    """A certificate (RFC 9810 section 5.1).

    ::

        CMPCertificate ::= CHOICE { x509v3PKCert Certificate, ... }
    """

    x509v3_pk_cert: Certificate


OOBCert: TypeAlias = CMPCertificate  # section 5.2.5


class OOBCertHash(Sequence):
    """The hash of a root certificate, which comes from elsewhere (RFC 9810 section 5.2.5).

    ::

        OOBCertHash ::= SEQUENCE {
            hashAlg   [0] AlgorithmIdentifier OPTIONAL,
            certId    [1] CertId OPTIONAL,
            hashVal   BIT STRING }
    """

    hash_alg: Annotated[AlgorithmIdentifier, Explicit(0)] | None = None
    cert_id: Annotated[CertId, Explicit(1)] | None = None
    hash_val: BitString


class CAKeyUpdAnnContent(Sequence):
    """The certificates of the new key of a CA (RFC 9810 section 5.3.13).

    ::

        CAKeyUpdAnnContent ::= SEQUENCE {
            oldWithNew   CMPCertificate,   -- old pub signed with new priv
            newWithOld   CMPCertificate,   -- new pub signed with old priv
            newWithNew   CMPCertificate }  -- new pub signed with new priv
    """

    old_with_new: CMPCertificate
    new_with_old: CMPCertificate
    new_with_new: CMPCertificate


class RootCaKeyUpdateContent(Sequence):
    """The certificates of the new key of a root CA (RFC 9810 section 5.3.19.15).

    ::

        RootCaKeyUpdateContent ::= SEQUENCE {
            newWithNew   CMPCertificate,
            newWithOld   [0] CMPCertificate OPTIONAL,
            oldWithNew   [1] CMPCertificate OPTIONAL }
    """

    new_with_new: CMPCertificate
    new_with_old: Annotated[CMPCertificate, Explicit(0)] | None = None
    old_with_new: Annotated[CMPCertificate, Explicit(1)] | None = None


class CAKeyUpdContent(Choice):
    """The announcement of a new key of a CA (RFC 9810 section 5.3.13).

    ::

        CAKeyUpdContent ::= CHOICE {
            cAKeyUpdAnnV2   CAKeyUpdAnnContent,   -- Deprecated
            cAKeyUpdAnnV3   [0] RootCaKeyUpdateContent }
    """

    ca_key_upd_ann_v2: CAKeyUpdAnnContent
    ca_key_upd_ann_v3: Annotated[RootCaKeyUpdateContent, Explicit(0)]
