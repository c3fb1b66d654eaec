"""Instructions per octet of decoding: the inputs that a fuzzer kept, against a plain CRL. Needs valgrind.

    python -m fuzz.work CORPUS [most]      CORPUS as .ci/fuzz keeps it: a folder for each target

Work is linear in the input, so no input costs many times what the octets of a CRL do. Of all inputs of 256 octets and
more that the targets decode, the slowest by the clock are run under callgrind, which counts the instructions of the
check pass alone: the words of an error cost the same for every input.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import derlib
from derlib import ASN1Error, Deviation
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate

from .oracles import EVERYTHING
from .targets import TARGETS
from .targets import chosen as chosen_type

SHORTEST = 256
BOUND = 10
CRL_ENTRIES = 20_000
FUNCTION = "__pyx_f_6derlib_5_core_check"


class Case(NamedTuple):
    """One decoding."""

    name: str
    type: Any
    data: bytes
    tolerate: Deviation | None

    def run(self) -> str:
        try:
            derlib.decode(self.type, self.data, tolerate=self.tolerate)
        except ASN1Error as error:
            return getattr(error, "kind", type(error).__name__)
        return "accepted"

    def seconds(self) -> float:
        best = 1.0
        for _ in range(5):
            start = time.perf_counter()
            self.run()
            best = min(best, time.perf_counter() - start)
        return best


def measure() -> Case:
    """A CRL of the shape of CAcert's."""
    from bench.make_crl import build

    return Case("a CRL", CertificateList, build(CRL_ENTRIES, False), None)


def cases(corpus: Path) -> Iterator[Case]:
    """Return the decodings of the files of the targets that decode."""
    for path in sorted(corpus.glob("*/*")):
        name, data = path.parent.name, path.read_bytes()
        if len(data) < SHORTEST:
            continue
        label = f"{name}/{path.name[:12]}"
        if name in ("certificate", "crl"):
            yield Case(label, Certificate if name == "certificate" else CertificateList, data, None)
        elif name == "parse":
            yield Case(label, derlib.TLV, data, None)
        elif name == "schema":
            yield Case(label, chosen_type(data), data[2:], None)
        elif name in ("deviations", "limits"):
            header = TARGETS[name].header
            yield Case(label, chosen_type(data), data[header:], EVERYTHING)
            yield Case(label, derlib.TLV, data[header:], EVERYTHING)


def instructions(chosen: list[Case]) -> list[int]:
    """Return the instructions of each decoding, counted by callgrind in one process."""
    from bench.harness.callgrind import inside

    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "cases"
        listed.write_bytes(pickle.dumps([(case.name, case.type, case.data, case.tolerate) for case in chosen]))
        counted = inside(FUNCTION, ["-m", "fuzz.work", "--run", str(listed)], filter(None, sys.path))
    # Calls during imports come first.
    return counted[-len(chosen) :]


def main() -> None:
    if sys.argv[1] == "--run":
        for case in pickle.loads(Path(sys.argv[2]).read_bytes()):
            Case(*case).run()
        return
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    everything = list(cases(Path(sys.argv[1])))
    slowest = sorted(everything, key=lambda case: case.seconds() / len(case.data), reverse=True)
    # Those that fail early spend their time on the error message, and would hide the others.
    accepted = [case for case in slowest if case.run() == "accepted"][: most // 2]
    slowest = accepted + [case for case in slowest if case not in accepted][: most - len(accepted)]
    chosen = [measure(), *slowest]
    counted = instructions(chosen)
    unit = counted[0] / len(chosen[0].data)
    print(f"{len(everything)} inputs of {SHORTEST} octets and more; the CRL takes {unit:.1f} instructions an octet")
    rows = sorted(zip(counted, chosen, strict=True), key=lambda row: row[0] / len(row[1].data), reverse=True)
    print(f"{'times':>6} {'an octet':>9} {'octets':>7}  input, type, result")
    for count, case in rows:
        each = count / len(case.data)
        name = getattr(case.type, "__name__", case.type)
        print(f"{each / unit:6.1f} {each:9.1f} {len(case.data):7}  {case.name} {name}: {case.run()}")
    over = sum(count / len(case.data) > BOUND * unit for count, case in rows)
    print(f"{over} of {len(slowest)} over {BOUND} times the CRL")


if __name__ == "__main__":
    main()
