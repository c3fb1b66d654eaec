"""Evidence records, built from a time stamp that openssl made, and as attributes of a signer."""

from __future__ import annotations

from pathlib import Path

import pytest

from derlib import ConstraintError, DecodeError
from derlib.schemas import ers
from derlib.schemas.cms import Attribute
from derlib.schemas.tsp import TimeStampResp, tst_info_of

STAMPED = Path(__file__).parents[2] / "docs" / "examples" / "report.tsr"


@pytest.fixture(scope="module")
def record() -> ers.EvidenceRecord:
    token = TimeStampResp.decode(STAMPED.read_bytes()).time_stamp_token
    assert token is not None
    stamp = ers.ArchiveTimeStamp(
        digest_algorithm={"algorithm": "2.16.840.1.101.3.4.2.1"}, reduced_hashtree=[[b"a", b"b"], []], time_stamp=token
    )
    return ers.EvidenceRecord(
        version="v1",
        digest_algorithms=[{"algorithm": "2.16.840.1.101.3.4.2.1"}],
        encryption_info={"encryption_info_type": "2.999.1", "encryption_info_value": b"\2\1\7"},
        archive_time_stamp_sequence=[[stamp]],
    )


def test_a_record(record: ers.EvidenceRecord) -> None:
    octets = record.encode()
    found = ers.EvidenceRecord.decode(octets)
    assert ers.EvidenceRecord.from_native(found.to_native()).encode() == octets
    assert ers.EvidenceRecord.from_json(found.to_json()).encode() == octets
    assert found.version is ers.Version.v1
    [[stamp]] = found.archive_time_stamp_sequence
    assert tst_info_of(stamp.time_stamp).policy.dotted == "2.999.1"
    assert [list(hashes) for hashes in stamp.reduced_hashtree or ()] == [[b"a", b"b"], []]


def test_the_attributes_have_their_type(record: ers.EvidenceRecord) -> None:
    for attr_type in (ers.id_aa_er_internal, ers.id_aa_er_external):
        made = Attribute(attr_type=attr_type, attr_values=[record])
        assert type(Attribute.decode(made.encode()).attr_values[0]) is ers.EvidenceRecord


def test_empty_lists_are_refused(record: ers.EvidenceRecord) -> None:
    with pytest.raises(ConstraintError, match="crypto_infos"):
        record.replace(crypto_infos=[])
    with pytest.raises(DecodeError):
        ers.Attributes.decode(bytes.fromhex("3100"))
