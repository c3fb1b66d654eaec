"""Evidence Record Syntax: RFC 4998.

Import this module to read evidence records, also those that are attributes of signed objects: importing it registers
the two attributes. The module of RFC 4998 has implicit tags. derlib does not verify signatures.

    >>> from derlib.schemas.ers import EvidenceRecord
    >>> from derlib.schemas.tsp import tst_info_of
    >>> record = EvidenceRecord.decode(open("record.ers", "rb").read())  # doctest: +SKIP
    >>> tst_info_of(record.archive_time_stamp_sequence[0][0].time_stamp).gen_time  # doctest: +SKIP
    datetime.datetime(2026, 10, 9, 12, 30, tzinfo=datetime.timezone.utc)
"""

from __future__ import annotations

from typing import Annotated, Any

from derlib import (
    DefinedBy,
    Implicit,
    NamedInteger,
    ObjectIdentifier,
    OctetString,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
    Size,
)
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms import Attribute, ContentInfo

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "ENCRYPTION_INFOS",
    "AlgorithmIdentifier",
    "ArchiveTimeStamp",
    "ArchiveTimeStampChain",
    "ArchiveTimeStampSequence",
    "Attribute",
    "Attributes",
    "ContentInfo",
    "CryptoInfos",
    "EncryptionInfo",
    "EvidenceRecord",
    "PartialHashtree",
    "Version",
    "id_aa_er_external",
    "id_aa_er_internal",
]

# The syntax of encryptionInfoValue, by encryptionInfoType. RFC 4998 defines no type.
ENCRYPTION_INFOS = OpenTypes("ENCRYPTION_INFOS")


class Version(NamedInteger):
    """The version of an evidence record (RFC 4998 section 3.1, where the INTEGER has no name).

    ::

        INTEGER { v1(1) }
    """

    v1 = 1


class Attributes(SetOf[Attribute], size=Size(1, None)):
    """Information about an archive time stamp (RFC 4998 section 4.1).

    ::

        Attributes ::= SET SIZE (1..MAX) OF Attribute
    """


class PartialHashtree(SequenceOf[OctetString]):
    """Hashes that are the children of one node (RFC 4998 section 4.1).

    ::

        PartialHashtree ::= SEQUENCE OF OCTET STRING
    """


class ArchiveTimeStamp(Sequence):
    """A time stamp of the root of a hash tree, and the hashes to it (RFC 4998 section 4.1).

    ::

        ArchiveTimeStamp ::= SEQUENCE {
            digestAlgorithm   [0] AlgorithmIdentifier OPTIONAL,
            attributes        [1] Attributes OPTIONAL,
            reducedHashtree   [2] SEQUENCE OF PartialHashtree OPTIONAL,
            timeStamp         ContentInfo }
    """

    digest_algorithm: Annotated[AlgorithmIdentifier, Implicit(0)] | None = None
    attributes: Annotated[Attributes, Implicit(1)] | None = None
    reduced_hashtree: Annotated[SequenceOf[PartialHashtree], Implicit(2)] | None = None
    time_stamp: ContentInfo


class ArchiveTimeStampChain(SequenceOf[ArchiveTimeStamp]):
    """Time stamps with one hash function, the oldest first (RFC 4998 section 5.1).

    ::

        ArchiveTimeStampChain ::= SEQUENCE OF ArchiveTimeStamp
    """


class ArchiveTimeStampSequence(SequenceOf[ArchiveTimeStampChain]):
    """Chains of time stamps, the oldest first (RFC 4998 section 5.1).

    ::

        ArchiveTimeStampSequence ::= SEQUENCE OF ArchiveTimeStampChain
    """


class CryptoInfos(SequenceOf[Attribute], size=Size(1, None)):
    """Data for the validation, such as certificates (RFC 4998 section 3.1).

    ::

        CryptoInfos ::= SEQUENCE SIZE (1..MAX) OF Attribute
    """


class EncryptionInfo(Sequence):
    """How the archived data was encrypted (RFC 4998 section 6.1).

    ::

        EncryptionInfo ::= SEQUENCE {
            encryptionInfoType    ENCINFO-TYPE.&id ({SupportedEncryptionAlgorithms}),
            encryptionInfoValue   ENCINFO-TYPE.&Type ({SupportedEncryptionAlgorithms}{@encryptionInfoType}) }
    """

    encryption_info_type: ObjectIdentifier
    encryption_info_value: Annotated[Any, DefinedBy("encryption_info_type", ENCRYPTION_INFOS)]


class EvidenceRecord(Sequence):
    """The evidence that data existed at a time (RFC 4998 section 3.1).

    ::

        EvidenceRecord ::= SEQUENCE {
            version                    INTEGER { v1(1) },
            digestAlgorithms           SEQUENCE OF AlgorithmIdentifier,
            cryptoInfos                [0] CryptoInfos OPTIONAL,
            encryptionInfo             [1] EncryptionInfo OPTIONAL,
            archiveTimeStampSequence   ArchiveTimeStampSequence }
    """

    version: Version
    digest_algorithms: SequenceOf[AlgorithmIdentifier]
    crypto_infos: Annotated[CryptoInfos, Implicit(0)] | None = None
    encryption_info: Annotated[EncryptionInfo, Implicit(1)] | None = None
    archive_time_stamp_sequence: ArchiveTimeStampSequence


# RFC 4998 Appendix A: attributes of a SignerInfo.
id_aa_er_internal = ObjectIdentifier("1.2.840.113549.1.9.16.2.49")
id_aa_er_external = ObjectIdentifier("1.2.840.113549.1.9.16.2.50")
register_known({id_aa_er_internal.dotted: "id-aa-er-internal", id_aa_er_external.dotted: "id-aa-er-external"})
for _oid in (id_aa_er_internal, id_aa_er_external):
    ATTRIBUTES.register(_oid, EvidenceRecord)
