"""Measure by how much decoding raises the peak of a process's memory over the input.

Each measurement is a fresh process: `python -m bench.memory READER FILE` prints the octets.
Called by bench/crl.py and bench/demo.py through `growth`.
"""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.der import uniform_crl

STATUS = Path("/proc/self/status")


def derlib_reader() -> Callable[[bytes], object]:
    """Return derlib's decode of a CRL."""
    from derlib.schemas.crl import CertificateList

    return CertificateList.decode


def cryptography_reader() -> Callable[[bytes], object]:
    """Return cryptography's load of a CRL."""
    from cryptography import x509

    return x509.load_der_x509_crl


READERS = {"derlib": derlib_reader, "cryptography": cryptography_reader}


def reset_peak() -> None:
    """Lower the recorded peak to what is in use now, where the system can do that."""
    if STATUS.exists():
        # proc(5), clear_refs: writing 5 resets VmHWM to the present resident set.
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Return the peak of the resident memory of this process in octets."""
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def growth_here(reader: str, path: Path) -> int:
    """Return the growth in this process, which must not have decoded anything large before."""
    decode = READERS[reader]()
    # A small CRL first: what is made once (modules, plans) is not the input's cost.
    decode(uniform_crl(4096))
    data = path.read_bytes()
    reset_peak()
    before = peak()
    decoded = decode(data)
    after = peak()
    del decoded
    return after - before


def in_fresh_process(module: str, *arguments: str) -> float:
    """Run a module that prints a number of octets, in a process of its own; return them in MiB."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return int(done.stdout) / 2**20


def growth(reader: str, path: Path) -> float:
    """Return the growth in MiB, measured in a fresh process."""
    return in_fresh_process("bench.memory", reader, str(path))


if __name__ == "__main__":
    print(growth_here(sys.argv[1], Path(sys.argv[2])))
