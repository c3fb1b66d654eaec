"""What blake2signer's page on performance says that it measured; the page names no machine and no interpreter."""

from bench.harness import Published

SOURCE = "blake2signer, docs/docs/performance.md, revision 09ba4e0d"


def said(work: str, value: float) -> Published:
    """A figure of that page, in microseconds."""
    return Published(work, "blake2signer", value, "µs", "not said", "not said", SOURCE)


PUBLISHED = (
    said("make a plain signer", 11.3),
    said("make a serializer signer", 17.7),
    said("sign and unsign 80 octets, plain signer", 10.6),
    said("sign and unsign 80 octets, serializer, no compression", 28.9),
    said("sign and unsign 32 octets of noise, full compression", 28.4),
    said("sign and unsign 32 octets of noise, smart compression", 26.7),
    said("sign and unsign 32 octets of noise, no compression", 16.9),
    said("sign and unsign 105 octets, with salt", 11.5),
    said("sign and unsign 105 octets, deterministic", 7.84),
    said("sign and unsign 4,200 octets, with salt", 28.1),
    said("sign and unsign 4,200 octets, deterministic", 24.2),
    said("sign and unsign 21,000 octets, BLAKE2b", 95.7),
    said("sign and unsign 21,000 octets, BLAKE2s", 128),
    said("sign and unsign 21,000 octets, BLAKE3", 37.7),
)
