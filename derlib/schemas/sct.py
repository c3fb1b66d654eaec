"""Certificate Transparency: the extensions of RFC 6962, and its list of signed certificate timestamps.

Used by `derlib.schemas.x509`. The extension value is an OCTET STRING whose octets are not DER but the presentation
language of TLS (RFC 8446 section 3), so decoding a certificate does not look into them. `read_sct_list` reads any
octets, and leaves opaque what is not a timestamp of version 1; `parse_sct_list` raises an error instead.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from derlib import ASN1Error, Null, OctetString
from derlib.schemas.extensions import register_extension

# RFC 6962 section 3.3 and 3.1: the list as an OCTET STRING, the poison as a NULL.
id_sct_list = register_extension("1.3.6.1.4.1.11129.2.4.2", "signedCertificateTimestampList", OctetString)
id_ct_poison = register_extension("1.3.6.1.4.1.11129.2.4.3", "precertificatePoison", Null)

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class SignedCertificateTimestamp:
    """A log's promise to publish a certificate (RFC 6962 section 3.2).

    Attributes:
        version: 0 for version 1, the only one there is.
        log_id: SHA-256 of the log's public key.
        timestamp: when the log made the promise, in UTC, exact to the millisecond.
        extensions: for later versions of the protocol; empty so far.
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


@dataclass(frozen=True)
class OpaqueTimestamp:
    """An element of a list of timestamps that does not read as one, or a whole list that does not.

    RFC 6962 section 3.3 makes each element an opaque string, so that a reader can skip those of versions that it does
    not know.

    Attributes:
        octets: the element, without its length; of a list that cannot be divided into elements, all of the list.
        reason: why it is opaque.
    """

    octets: bytes
    reason: str


def read_sct_list(data: bytes) -> tuple[SignedCertificateTimestamp | OpaqueTimestamp, ...]:
    """Read the octets of the extension value, whatever they are.

    An element that is not a timestamp of version 1 is an `OpaqueTimestamp`. So is the whole list, as the only element,
    where the octets are not a SignedCertificateTimestampList.

    >>> read_sct_list(bytes.fromhex("0002"))
    (OpaqueTimestamp(octets=b'\\x00\\x02', reason='SCT list: sct_list needs 2 octets at octet 2, and 0 are left (RFC 6962 3.3)'),)
    """
    try:
        serialized = _serialized(data)
    except ASN1Error as error:
        return (OpaqueTimestamp(data, str(error)),)
    timestamps: list[SignedCertificateTimestamp | OpaqueTimestamp] = []
    for one in serialized:
        octets = one.peek()
        try:
            timestamps.append(_parse_sct(one))
        except ASN1Error as error:
            timestamps.append(OpaqueTimestamp(octets, str(error)))
    return tuple(timestamps)


def parse_sct_list(data: bytes) -> tuple[SignedCertificateTimestamp, ...]:
    """Read the SignedCertificateTimestampList in the octets of the extension value, or raise what is wrong with it.

    ::

        opaque SerializedSCT<1..2^16-1>;
        struct { SerializedSCT sct_list <1..2^16-1>; } SignedCertificateTimestampList;

    Raises:
        ASN1Error: the octets are not such a list, or hold a version other than 1.

    >>> parse_sct_list(bytes.fromhex("0002"))
    Traceback (most recent call last):
    ...
    derlib.errors.ASN1Error: SCT list: sct_list needs 2 octets at octet 2, and 0 are left (RFC 6962 3.3)
    """
    return tuple(_parse_sct(one) for one in _serialized(data))


def _serialized(data: bytes) -> "list[_Reader]":
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


def _parse_sct(reader: "_Reader") -> SignedCertificateTimestamp:
    """Read one timestamp.

    ::

        struct {
            Version sct_version;             // one octet
            LogID id;                        // 32 octets
            uint64 timestamp;                // milliseconds since 1970
            CtExtensions extensions;         // opaque <0..2^16-1>
            digitally-signed struct { ... }; // two octets of algorithm, opaque <0..2^16-1>
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
        timestamp = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        raise ASN1Error("SCT list: timestamp lies after the year 9999 (RFC 6962 3.2)") from None
    return SignedCertificateTimestamp(
        version, log_id, timestamp, extensions, hash_algorithm, signature_algorithm, signature
    )


class _Reader:
    """A cursor over octets in the presentation language of TLS.

    `rule` is the section that says what they hold, and `start` their place in the list.
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
    def place(self) -> int:
        return self._start + self._position

    def take(self, count: int, what: str) -> bytes:
        if count > self.left:
            are = "is" if self.left == 1 else "are"
            raise ASN1Error(
                f"SCT list: {what} needs {_octets(count)} at octet {self.place}, and {self.left} {are} left "
                f"({self._rule})"
            )
        taken = self._data[self._position : self._position + count]
        self._position += count
        return taken

    def number(self, octets: int, what: str) -> int:
        return int.from_bytes(self.take(octets, what), "big")

    def vector(self, what: str, least: int, rule: str) -> "_Reader":
        """A vector of at least so many octets, with two octets of length (RFC 8446 section 3.4)."""
        length = self.number(2, what)
        if length < least:
            raise ASN1Error(f"SCT list: {what} is empty at octet {self.place} ({self._rule})")
        start = self.place
        return _Reader(self.take(length, what), rule, start)

    def peek(self) -> bytes:
        """What is left, without taking it."""
        return self._data[self._position :]

    def rest(self) -> bytes:
        return self.take(self.left, "rest")

    def finish(self, what: str) -> None:
        if self.left:
            follow = "follows" if self.left == 1 else "follow"
            raise ASN1Error(f"SCT list: {_octets(self.left)} {follow} {what} at octet {self.place} ({self._rule})")


def _octets(count: int) -> str:
    return "1 octet" if count == 1 else f"{count} octets"
