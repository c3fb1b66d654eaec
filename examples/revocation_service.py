"""A web service that knows what a CRL says: revocation_service.py CRL [PORT]

    GET /1002       {"serial": "1002", "revoked": true, "date": "2026-10-09", "reason": "key_compromise"}

The serial number is hexadecimal, with 0x or without. The list is decoded once and kept; threads share it, since values
do not change. When the file is replaced, the next request decodes the new one; a file that is not sound is passed
over, and the old list stays. Past its next update, the list gives no more answers (503). The server is that of the
standard library, so that the example is one file; the class `Revocations` serves behind any other just as well.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from derlib import ASN1Error, pem
from derlib.schemas.crl import CertificateList, CRLReason

# Twenty octets at most (RFC 5280 section 5.1.2.6 by way of 4.1.2.2).
SERIAL = re.compile("/(?:0x)?([0-9A-Fa-f]{1,40})")


class Revocations:
    """The newest sound CRL of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.seen = self.stamp()
        self.crl = self.read()

    def stamp(self) -> tuple[int, int, int]:
        """What changes when the file is replaced."""
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size

    def read(self) -> CertificateList:
        """Decode the file, and make the index that `find` uses."""
        crl = CertificateList.decode(pem.der_of(self.path.read_bytes(), "X509 CRL")[0])
        crl.find(0)
        return crl

    def current(self) -> CertificateList:
        """The list. One thread at a time reads a new file; the others go on with the old list."""
        if self.lock.acquire(blocking=False):
            try:
                stamp = self.stamp()
                if stamp != self.seen:
                    self.seen = stamp
                    self.crl = self.read()
            except (ASN1Error, OSError) as error:
                print(f"{self.path}: {error}; the old list stays", file=sys.stderr)
            finally:
                self.lock.release()
        return self.crl

    def answer(self, serial_number: int) -> dict[str, object] | None:
        """What the list says of a serial number, or None where it is out of date."""
        crl = self.current()
        next_update = crl.tbs_cert_list.next_update
        if next_update is None or next_update <= datetime.now(timezone.utc):
            return None
        entry = crl.find(serial_number)
        if entry is None:
            return {"serial": f"{serial_number:x}", "revoked": False}
        extensions = entry.crl_entry_extensions
        reason = extensions.get(CRLReason) if extensions is not None else None
        return {
            "serial": f"{serial_number:x}",
            "revoked": True,
            "date": f"{entry.revocation_date:%Y-%m-%d}",
            "reason": reason.name if reason is not None else None,
        }


class Handler(BaseHTTPRequestHandler):
    """One question."""

    protocol_version = "HTTP/1.1"  # connections stay open
    wbufsize = -1  # head and body leave together: apart, the second waits for the client's acknowledgement of the first
    timeout = 30
    revocations: Revocations

    def do_GET(self) -> None:
        asked = SERIAL.fullmatch(self.path)
        if asked is None:
            self.send(404, {"error": "ask for /SERIAL, in hexadecimal"})
            return
        answer = self.revocations.answer(int(asked[1], 16))
        if answer is None:
            self.send(503, {"error": "the list is out of date"})
        else:
            self.send(200, answer)

    def send(self, status: int, answer: dict[str, object]) -> None:
        """Send JSON."""
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet: a line for each request would be most of the work."""


def server(path: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of the list in a file, on this machine only; port 0 takes a free one."""
    handler = type("Bound", (Handler,), {"revocations": Revocations(path)})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with server(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8080) as running:
        print(f"http://127.0.0.1:{running.server_port}/SERIAL")
        running.serve_forever()
