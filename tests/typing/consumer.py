"""A program that uses derlib as an installed package: `.ci/check-package` checks its types, and runs it.

It has no access to the sources of derlib, only to the wheel with its annotations (PEP 561).
"""

from __future__ import annotations

import datetime
from typing import Annotated

import derlib
from derlib import Implicit, Sequence, SequenceOf
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Name


class Reading(Sequence):
    """Reading ::= SEQUENCE { sensor UTF8String, celsius [0] INTEGER DEFAULT 0 }"""

    sensor: str
    celsius: Annotated[int, Implicit(0)] = 0


class Readings(SequenceOf[Reading]):
    """Readings ::= SEQUENCE OF Reading"""


def warmest(data: bytes) -> Reading:
    """Return the reading with the highest temperature."""
    readings = Readings.decode(data)
    return max(readings, key=lambda reading: reading.celsius)


def revoked(data: bytes) -> dict[int, datetime.datetime]:
    """Return the serial numbers and dates of a CRL."""
    entries = CertificateList.decode(data).tbs_cert_list.revoked_certificates or ()
    return {entry.user_certificate: entry.revocation_date for entry in entries}


def place_of_fault(data: bytes) -> int | None:
    """Return the offset at which data is not a CRL; None if it is one."""
    try:
        revoked(data)
    except derlib.DecodeError as error:
        return error.offset
    return None


def common_name(name: Name) -> str:
    """Return the common name of a name, or an empty str."""
    found = name.get("CN") or ""
    first: str = name.get_all("CN")[0] if found else ""
    return found.strip() and first.strip() and name["CN"]


def main() -> None:
    """Run the program."""
    data = Readings([Reading(sensor="roof", celsius=31), Reading(sensor="cellar")]).encode()
    hottest = warmest(data)
    assert (hottest.sensor, hottest.celsius) == ("roof", 31)
    assert place_of_fault(data) == 4
    assert Name.decode(bytes.fromhex("3000")).display() == ""
    assert (common_name(Name.of({})), common_name(Name.of({"CN": "Ann"}))) == ("", "Ann")


if __name__ == "__main__":
    main()
