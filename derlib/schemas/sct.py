"""Certificate Transparency: the extensions of RFC 6962, and its list of signed certificate timestamps.

Used by `derlib.schemas.x509`. The extension value is an OCTET STRING that contains the presentation language of TLS
(RFC 8446 section 3) instead of DER, so decoding a certificate does not validate it. `read_sct_list` returns elements
that are not timestamps of version 1 as opaque bytes; `parse_sct_list` raises an error instead.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from derlib import ASN1Error, Null, OctetString
from derlib._immutable import Immutable
from derlib.schemas.extensions import known_extension

# RFC 6962 section 3.3 and 3.1: the lists of certificates and OCSP responses are OCTET STRINGs, the poison is a NULL.
id_sct_list = known_extension("1.3.6.1.4.1.11129.2.4.2", "signedCertificateTimestampList", OctetString)
id_ocsp_sct_list = known_extension("1.3.6.1.4.1.11129.2.4.5", "ocspSignedCertificateTimestampList", OctetString)
id_ct_poison = known_extension("1.3.6.1.4.1.11129.2.4.3", "precertificatePoison", Null)

# The time from which timestamps count.
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class SignedCertificateTimestamp(Immutable):
    """A log's promise to publish a certificate (RFC 6962 section 3.2).

    Attributes:
        version: 0 for version 1, the only version of RFC 6962.
        log_id: SHA-256 of the log's public key.
        timestamp: the time of the promise, in UTC, in milliseconds.
        extensions: reserved for later versions of the protocol; empty in version 1.
        hash_algorithm, signature_algorithm: numbers of RFC 5246 section 7.4.1.4.1 (4 is SHA-256, 3 is ECDSA).
        signature: the log's signature.
    """

    version: int
    log_id: bytes
    timestamp: datetime
    extensions: bytes
    hash_algorithm: int
    signature_algorithm: int
    signature: bytes

    def __init__(
        self,
        version: int,
        log_id: bytes,
        timestamp: datetime,
        extensions: bytes,
        hash_algorithm: int,
        signature_algorithm: int,
        signature: bytes,
    ) -> None:
        self._set(
            version=version,
            log_id=log_id,
            timestamp=timestamp,
            extensions=extensions,
            hash_algorithm=hash_algorithm,
            signature_algorithm=signature_algorithm,
            signature=signature,
        )


class OpaqueTimestamp(Immutable):
    """An element of the list that is not a valid timestamp of version 1, or an invalid list as a whole.

    RFC 6962 section 3.3 defines each element as an opaque string, so that a reader can skip unknown versions.

    Attributes:
        octets: the element without its length; or the whole list if it cannot be divided into elements.
        reason: why it is opaque.
    """

    octets: bytes
    reason: str

    def __init__(self, octets: bytes, reason: str) -> None:
        self._set(octets=octets, reason=reason)


def read_sct_list(data: bytes) -> tuple[SignedCertificateTimestamp | OpaqueTimestamp, ...]:
    """Return the timestamps in the extension value, valid or not.

    An element that is not a valid timestamp of version 1 becomes an `OpaqueTimestamp`. If `data` is not a
    SignedCertificateTimestampList, the result is a single `OpaqueTimestamp` with all of it.

    >>> for found in read_sct_list(bytes.fromhex("0002")):
    ...     if isinstance(found, OpaqueTimestamp):
    ...         print(found.reason)
    SCT list: sct_list needs 2 bytes at offset 2, and 0 are left (RFC 6962 3.3)
    """
    try:
        serialized = _serialized(data)
    except ASN1Error as error:
        return (OpaqueTimestamp(data, str(error)),)
    timestamps: list[SignedCertificateTimestamp | OpaqueTimestamp] = []
    for one in serialized:
        element = one.peek()
        try:
            timestamps.append(_parse_sct(one))
        except ASN1Error as error:
            timestamps.append(OpaqueTimestamp(element, str(error)))
    return tuple(timestamps)


def parse_sct_list(data: bytes) -> tuple[SignedCertificateTimestamp, ...]:
    """Return the timestamps of the SignedCertificateTimestampList in the extension value.

    ::

        opaque SerializedSCT<1..2^16-1>;
        struct { SerializedSCT sct_list <1..2^16-1>; } SignedCertificateTimestampList;

    Raises:
        ASN1Error: `data` is not such a list, or contains a version other than 1.

    >>> parse_sct_list(bytes.fromhex("0002"))
    Traceback (most recent call last):
    ...
    derlib.errors.ASN1Error: SCT list: sct_list needs 2 bytes at offset 2, and 0 are left (RFC 6962 3.3)
    """
    return tuple(_parse_sct(one) for one in _serialized(data))


def _serialized(data: bytes) -> list[_Reader]:
    """Return a reader for each element of a list."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data: expected bytes, got {type(data).__name__}")
    outer = _Reader(bytes(data), "RFC 6962 3.3")
    sct_list = outer.vector("sct_list", 1, "RFC 6962 3.3")
    outer.finish("sct_list")
    found = []
    while sct_list.left:
        found.append(sct_list.vector("SerializedSCT", 1, "RFC 6962 3.2"))
    return found


def _parse_sct(reader: _Reader) -> SignedCertificateTimestamp:
    """Return the timestamp in `reader`.

    ::

        struct {
            Version sct_version;             // one byte
            LogID id;                        // 32 bytes
            uint64 timestamp;                // milliseconds since 1970
            CtExtensions extensions;         // opaque <0..2^16-1>
            digitally-signed struct { ... }; // two bytes of algorithm, opaque <0..2^16-1>
        } SignedCertificateTimestamp;
    """
    version = reader.number(1, "sct_version")
    if version != 0:
        raise ASN1Error(f"SCT list: sct_version {version} is not v1, which is 0 (RFC 6962 3.2)")
    log_id = reader.take(32, "id")
    milliseconds = reader.number(8, "timestamp")
    extensions = reader.vector("extensions", 0, "RFC 6962 3.2").rest()
    hash_algorithm = reader.number(1, "hash algorithm")
    signature_algorithm = reader.number(1, "signature algorithm")
    signature = reader.vector("signature", 0, "RFC 6962 3.2").rest()
    reader.finish("SerializedSCT")
    try:
        timestamp = EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        raise ASN1Error("SCT list: timestamp is after the year 9999 (RFC 6962 3.2)") from None
    return SignedCertificateTimestamp(
        version, log_id, timestamp, extensions, hash_algorithm, signature_algorithm, signature
    )


class _Reader:
    """A cursor over data in the presentation language of TLS.

    `rule` is the section that defines the data, and `start` is the offset of the data in the list.
    """

    def __init__(self, data: bytes, rule: str, start: int = 0) -> None:
        self._data = data
        self._rule = rule
        self._position = 0
        self._start = start

    @property
    def left(self) -> int:
        return len(self._data) - self._position

    @property
    def offset(self) -> int:
        return self._start + self._position

    def take(self, count: int, field: str) -> bytes:
        if count > self.left:
            are = "is" if self.left == 1 else "are"
            raise ASN1Error(
                f"SCT list: {field} needs {_bytes(count)} at offset {self.offset}, and {self.left} {are} left "
                f"({self._rule})"
            )
        taken = self._data[self._position : self._position + count]
        self._position += count
        return taken

    def number(self, size: int, field: str) -> int:
        return int.from_bytes(self.take(size, field), "big")

    def vector(self, field: str, least: int, rule: str) -> _Reader:
        """Return a reader of a vector with a length of two bytes and at least `least` bytes (RFC 8446 section 3.4)."""
        length = self.number(2, field)
        if length < least:
            raise ASN1Error(f"SCT list: {field} is empty at offset {self.offset} ({self._rule})")
        start = self.offset
        return _Reader(self.take(length, field), rule, start)

    def peek(self) -> bytes:
        """Return the remaining bytes without consuming them."""
        return self._data[self._position :]

    def rest(self) -> bytes:
        return self.take(self.left, "rest")

    def finish(self, field: str) -> None:
        if self.left:
            follow = "follows" if self.left == 1 else "follow"
            raise ASN1Error(f"SCT list: {_bytes(self.left)} {follow} {field} at offset {self.offset} ({self._rule})")


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"
