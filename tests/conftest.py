"""What test modules share: data that others made (shared files, real roots), an empty folder, what was logged.

Data that is not present skips the test with the reason; nothing is downloaded and nothing is copied into the project.
The files of `tests/corpus` have their own way there.
"""

from __future__ import annotations

import logging
import re
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

# These need coverage.py, which only `make coverage` installs.
collect_ignore = ["lines/plugin.py", "lines/__main__.py"]

PROJECT = Path(__file__).resolve().parent.parent
SHARED_DATA = PROJECT.parent / "shared" / "data"

PEM_CERTIFICATE = re.compile(
    "-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL
)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder `../shared/data`, seen from the root of the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder ../shared/data is not beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def certifi_roots() -> list[bytes]:
    """The DER octets of every root of certifi, cut and decoded by the standard library alone."""
    certifi = pytest.importorskip("certifi", reason="certifi, a test dependency, is not installed")
    bundle = Path(certifi.where()).read_text(encoding="utf-8")
    return [ssl.PEM_cert_to_DER_cert(block) for block in PEM_CERTIFICATE.findall(bundle)]


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs in an empty folder of its own, and its environment says nothing of colours or pagers."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "PAGER", "DERLIB_PAGER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What `derlib.cache` has logged as a warning since the last call."""
    caplog.set_level(logging.WARNING, logger="derlib.cache")

    def messages() -> list[str]:
        found = [record.getMessage() for record in caplog.records if record.name == "derlib.cache"]
        caplog.clear()
        return found

    return messages
