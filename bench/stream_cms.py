"""Copy the content out of a CMS object that does not fit in memory: python -m bench.stream_cms [--gib 4]

`openssl cms -sign -stream` makes the object: BER, with indefinite lengths, and the content in segments. Nothing is
written to disk: the content goes through a pipe to OpenSSL, and its output through another one to
`derlib.stream.open`. The script checks the digest of the content, and that the object is valid to its end, and prints
the throughput and how much the memory of this process grew. It does not verify the signature.
"""

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, Any

from derlib import stream
from derlib.schemas.cms import ContentInfo

MIB = 1 << 20
GROWTH_MOST = 64 * MIB


def main() -> int:
    parser = argparse.ArgumentParser("python -m bench.stream_cms", description=__doc__.splitlines()[0])
    parser.add_argument("--gib", type=float, default=4, help="the size of the content, 4 by default")
    size = int(parser.parse_args().gib * 1024) * MIB
    with tempfile.TemporaryDirectory() as folder:
        make_key(Path(folder))
        # Everything is imported and compiled before the memory is measured.
        with signing(Path(folder)) as process:
            copied(process, MIB)
        before = peak()
        begin = time.perf_counter()
        with signing(Path(folder)) as process:
            count = copied(process, size)
        seconds = time.perf_counter() - begin
    growth = peak() - before
    print(f"content: {count / MIB:,.0f} MiB, SHA-256 correct, signed object valid to its end")
    print(f"time: {seconds:.1f} s, {count / MIB / seconds:,.0f} MiB/s, OpenSSL's signing included")
    print(f"growth of memory: {growth / MIB:.1f} MiB; at most {GROWTH_MOST // MIB} MiB are allowed")
    return 0 if count == size and growth <= GROWTH_MOST else 1


def make_key(folder: Path) -> None:
    """Write a key and a certificate of its own."""
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    command: list[Any] = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=bench", *files]
    subprocess.run(command, check=True, capture_output=True)


def signing(folder: Path) -> subprocess.Popen[bytes]:
    """Start OpenSSL, which signs what is written to it."""
    options = ["-sign", "-stream", "-binary", "-nodetach", "-outform", "DER"]
    files = ["-signer", folder / "certificate.pem", "-inkey", folder / "key.pem"]
    command: list[Any] = ["openssl", "cms", *options, *files]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def copied(process: subprocess.Popen[bytes], size: int) -> int:
    """Sign `size` bytes, copy them out of the signed object and check their digest; return their number."""
    assert process.stdin is not None
    assert process.stdout is not None
    expected, found = hashlib.sha256(), hashlib.sha256()
    writer = threading.Thread(target=feed, args=(process.stdin, size, expected))
    writer.start()
    with stream.open(process.stdout, ContentInfo, rules="ber") as info:
        count = info.copy_bytes(("content", "encap_content_info", "e_content"), found)
        assert len(list(info["content", "signer_infos"])) == 1
    writer.join()
    assert count == size
    assert found.digest() == expected.digest()
    return count


def feed(target: IO[bytes], size: int, digest: Any) -> None:
    """Write `size` bytes, which are different in each MiB, and add them to a digest."""
    block = bytearray(os.urandom(MIB))
    for number in range(size // MIB):
        block[:8] = number.to_bytes(8, "big")
        digest.update(block)
        target.write(block)
    target.close()


def peak() -> int:
    """Return the largest memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
