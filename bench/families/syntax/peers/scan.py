"""The floor: `bytes` look at each octet of a message once, and find that one is not there."""

import platform

from bench.families.syntax import forms, work
from bench.harness import Task, Unavailable


def version() -> str:
    """That of Python."""
    return platform.python_version()


def absent(octets: bytes) -> bytes:
    """An octet that is not in a message."""
    for value in range(255, -1, -1):
        if bytes((value,)) not in octets:
            return bytes((value,))
    raise Unavailable("every octet there is stands in this message")


def scan_der(path: str) -> Task:
    """Go through the DER."""
    octets = forms.octets(path)
    sought = absent(octets)
    return work.unasked(lambda: octets.find(sought))


def scan_json(path: str) -> Task:
    """Go through the JSON."""
    octets = forms.octets(path, ".json")
    sought = absent(octets)
    return work.unasked(lambda: octets.find(sought))


def scan_xml(path: str) -> Task:
    """Go through the XML."""
    octets = forms.octets(path, ".xml")
    sought = absent(octets)
    return work.unasked(lambda: octets.find(sought))


def scan_packet(path: str) -> Task:
    """Go through the DER of a packet."""
    octets = forms.octets(path)
    sought = absent(octets)
    return Task(lambda: octets.find(sought))
