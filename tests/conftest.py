"""Fixtures of the test modules: shared files, real root certificates, openssl, an empty folder, log messages, modules.

If data is missing, the test is skipped with the reason; nothing is downloaded or copied into the project.
`tests/corpus` finds its files itself.
"""

from __future__ import annotations

import gc
import logging
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.openssl import OpenSSL, prepared

# These need coverage.py, which `make coverage` installs.
collect_ignore = ["lines/plugin.py", "lines/__main__.py"]

PROJECT = Path(__file__).resolve().parent.parent
SHARED_DATA = PROJECT.parent / "shared" / "data"

PEM_CERTIFICATE = re.compile(
    "-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL
)


@pytest.fixture(scope="module", autouse=True)
def _objects_before() -> None:
    """Spare the garbage collector everything that is older than the tests of a module, because many of them collect."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _modules_of_asn1() -> Iterator[None]:
    """Unload the modules that `asn1.load` made in a test; the garbage collector would visit gigabytes of classes."""
    before = set(sys.modules)
    yield
    for name in sys.modules.keys() - before:
        if name.startswith("derlib_asn1_"):
            del sys.modules[name]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder `../shared/data` beside the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder ../shared/data is not beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def certifi_roots() -> list[bytes]:
    """Return the DER of every root certificate of certifi, read with the standard library only."""
    certifi = pytest.importorskip("certifi", reason="certifi, a test dependency, is not installed")
    bundle = Path(certifi.where()).read_text(encoding="utf-8")
    return [ssl.PEM_cert_to_DER_cert(block) for block in PEM_CERTIFICATE.findall(bundle)]


@pytest.fixture(scope="session")
def openssl(tmp_path_factory: pytest.TempPathFactory) -> OpenSSL:
    """Return the `openssl` program with keys and certificates."""
    if shutil.which("openssl") is None:
        pytest.skip("the program openssl is not installed")
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True, timeout=60).stdout
    if not version.startswith("OpenSSL 3"):
        pytest.skip(f"these files need OpenSSL 3; the program is {version.strip()}")
    return prepared(tmp_path_factory.mktemp("openssl"))


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test in an empty folder, without environment variables for colours and pagers."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "PAGER", "DERLIB_PAGER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Return a function that returns the warnings of `derlib.cache` since its last call."""
    caplog.set_level(logging.WARNING, logger="derlib.cache")

    def messages() -> list[str]:
        found = [record.getMessage() for record in caplog.records if record.name == "derlib.cache"]
        caplog.clear()
        return found

    return messages
