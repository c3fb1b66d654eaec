"""A web service that checks serial numbers against a CRL: revocation_service.py CRL [PORT]

    GET /1002       {"serial": "1002", "revoked": true, "date": "2026-10-09", "reason": "key_compromise"}

The serial number is hexadecimal, with or without 0x, and that of a certificate by the issuer of the CRL. The service
trusts the file: it does not verify the signature. The CRL is decoded once; all threads share it, because values are
immutable. When the file is replaced, the next request decodes the new file. If the new file is invalid, the service
continues with the old CRL. A CRL that is partial, a delta or of several issuers counts as invalid, and so does one with
a critical extension, also in an entry: a certificate that is not on it can be revoked. After the next update of the
CRL, or if it has none, the service answers with status 503. The example uses the HTTP server of the standard library;
you can use the class `Revocations` with any other server.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from derlib import UnrepresentableError, pem
from derlib.schemas.crl import (
    CertificateList,
    RevokedCertificate,
    id_ce_delta_crl_indicator,
    id_ce_issuing_distribution_point,
)

# At most 20 bytes (RFC 5280 sections 5.1.2.6 and 4.1.2.2).
SERIAL = re.compile("/(?:0x)?([0-9A-Fa-f]{1,40})")

# The extensions of a CRL that is partial, of several issuers or a delta. They must be critical, but are not always.
PARTIAL = (id_ce_issuing_distribution_point, id_ce_delta_crl_indicator)


class Revocations:
    """The newest valid CRL of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.seen = self.stamp()
        self.crl = self.read()

    def stamp(self) -> tuple[int, int, int]:
        """Return file metadata that changes when the file is replaced."""
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size

    def read(self) -> CertificateList:
        """Decode the file and build the index for `find`."""
        crl = CertificateList.decode(pem.one(self.path.read_bytes(), "X509 CRL"))
        lists = crl.extensions, *(entry.extensions for entry in crl.revoked_certificates)
        for extension in (extension for extensions in lists for extension in extensions or ()):
            if extension.critical or extension.extn_id in PARTIAL:
                raise ValueError(f"the extension {extension.extn_id.name or extension.extn_id} is not processed")
        crl.find(0)
        _ = crl.next_update  # raises ValueError for a time that `datetime` cannot represent
        return crl

    def current(self) -> CertificateList:
        """Return the CRL. One thread at a time reads a new file; other threads use the old CRL meanwhile."""
        if self.lock.acquire(blocking=False):
            try:
                stamp = self.stamp()
                if stamp != self.seen:
                    self.seen = stamp
                    self.crl = self.read()
            except (ValueError, OSError) as error:
                print(f"{self.path}: {error}; the old CRL remains in use", file=sys.stderr)
            finally:
                self.lock.release()
        return self.crl

    def answer(self, serial_number: int) -> dict[str, object] | None:
        """Return the status of a serial number, or None if the CRL is out of date."""
        crl = self.current()
        next_update = crl.next_update
        if next_update is None or next_update <= datetime.now(timezone.utc):
            return None
        entry = crl.find(serial_number)
        if entry is None:
            return {"serial": f"{serial_number:x}", "revoked": False}
        return {
            "serial": f"{serial_number:x}",
            "revoked": True,
            "date": date_of(entry),
            "reason": entry.reason.name if entry.reason else None,
        }


def date_of(entry: RevokedCertificate) -> str:
    """Return the date of an entry; the text in the CRL if `datetime` cannot represent it, as in a leap second."""
    try:
        return f"{entry.revocation_date:%Y-%m-%d}"
    except UnrepresentableError:
        return bytes(entry.raw("revocation_date") or b"").decode()


class Handler(BaseHTTPRequestHandler):
    """Handle one request."""

    protocol_version = "HTTP/1.1"  # keep connections open
    wbufsize = -1  # send header and body together; otherwise the body waits for the client to acknowledge the header
    timeout = 30
    revocations: Revocations

    def do_GET(self) -> None:
        found = SERIAL.fullmatch(self.path)
        if found is None:
            self.send(404, {"error": "expected /SERIAL in hexadecimal"})
            return
        answer = self.revocations.answer(int(found[1], 16))
        if answer is None:
            self.send(503, {"error": "the CRL is out of date"})
        else:
            self.send(200, answer)

    def send(self, status: int, answer: dict[str, object]) -> None:
        """Send a JSON response."""
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: logging takes longer than answering a request."""


def server(path: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server for a CRL file on localhost; port 0 selects a free port."""
    handler = type("Bound", (Handler,), {"revocations": Revocations(path)})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with server(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8080) as running:
        print(f"http://127.0.0.1:{running.server_port}/SERIAL")
        running.serve_forever()
