"""pycrate: dicts and lists, by the ASN.1 of crl.asn1, for which it writes a Python module first."""

import contextlib
import importlib.util
import io
import tempfile
from collections.abc import Iterator
from datetime import datetime, timezone
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from pycrate_asn1c.asnproc import compile_text
from pycrate_asn1c.generator import PycrateGenerator

from bench.harness import Task


def compiled() -> Any:
    """Return the compiled CertificateList."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        compile_text((Path(__file__).parent.parent / "crl.asn1").read_text())
        module = Path(folder) / "written_by_pycrate.py"
        PycrateGenerator(str(module))
        described = importlib.util.spec_from_file_location(module.stem, module)
        assert described is not None
        assert described.loader is not None
        made = importlib.util.module_from_spec(described)
        described.loader.exec_module(made)
    return made.CRL.CertificateList


CERTIFICATE_LIST = compiled()


def version() -> str:
    """Return the version; distribution and packages have different names."""
    return version_of("pycrate")


def read(data: bytes) -> Any:
    """Return the values of a CRL."""
    CERTIFICATE_LIST.from_der(data)
    return CERTIFICATE_LIST.get_val()


def seconds(time: Any) -> int:
    """Return the seconds since 1970 of a time, which is a pair of its type and its parts as strings."""
    parts = [int(part) for part in time[1][:6]]
    year = parts[0] + (2000 if parts[0] < 50 else 1900) if parts[0] < 100 else parts[0]
    return int(datetime(year, *parts[1:], tzinfo=timezone.utc).timestamp())  # type: ignore[misc, arg-type]


def facts(crl: Any) -> Iterator[object]:
    """Yield what was read."""
    tbs = crl["tbsCertList"]
    yield seconds(tbs["thisUpdate"])
    for entry in tbs["revokedCertificates"]:
        yield entry["userCertificate"], seconds(entry["revocationDate"]), ()


def decode_and_read(path: str) -> Task:
    """Call `from_der`, which sets Python values."""
    data = Path(path).read_bytes()
    return Task(lambda: read(data), facts)


def encode_anew(path: str) -> Task:
    """Encode these values."""
    CERTIFICATE_LIST.set_val(read(Path(path).read_bytes()))
    return Task(CERTIFICATE_LIST.to_der, lambda encoded: [encoded])
