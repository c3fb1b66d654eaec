"""asn1crypto: `dump(force=True)` encodes everything again, with definite lengths."""

from pathlib import Path

from asn1crypto.cms import ContentInfo

from bench.harness import Task


def convert_cms(path: str) -> Task:
    """Load a CMS message and encode it as DER."""
    data = Path(path).read_bytes()
    return Task(lambda: ContentInfo.load(data).dump(force=True), lambda der: [der])
