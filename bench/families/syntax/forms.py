"""The messages as files in DER, JSON and XML, and what is in the files. Called by the family and by all peers.

The argument of an operation is the path of the DER file; the other two stand beside it. A packet that is too large for
the machine is not made, and `octets` says so for the row.
"""

import base64
import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any, BinaryIO
from xml.etree import ElementTree

from bench.families.syntax import elements, messages
from bench.harness import Unavailable
from bench.places import BUILD, write

FOLDER = BUILD / "syntax"
BLOCK = 3 * 2**20
MEMORY = {".der": 3, ".json": 6, ".xml": 8}
"""How many times its size a file takes in memory, at most, until it is read by the worst of its readers."""


def json_octets(value: object, escaped: bool) -> bytes:
    """JSON without blanks."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":")).encode()


def xml_octets(value: dict[str, Any], escaped: bool) -> bytes:
    """XML without indents."""
    root = elements.build(value, ElementTree.Element, ElementTree.SubElement)
    octets: bytes = ElementTree.tostring(root, "us-ascii" if escaped else "utf-8")
    return octets


def message_of(path: str) -> messages.Message:
    """The message that a file holds."""
    return messages.MESSAGES[Path(path).stem]


def make_message(name: str) -> str:
    """Write a message in its three forms, and return the path of the DER."""
    from bench.families.syntax import schema

    message = messages.MESSAGES[name]
    path = FOLDER / f"{name}.der"
    write(path, schema.encode(message.value, message.shape))
    write(path.with_suffix(".json"), json_octets(message.value, message.escaped))
    write(path.with_suffix(".xml"), xml_octets(message.value, message.escaped))
    return str(path)


def payload(size: int) -> bytes:
    """So many octets without a pattern, the same ones each time; 255 is not among them, for the scan to seek."""
    block = Random(size).randbytes(min(size, BLOCK)).replace(b"\xff", b"\xfe")
    return (block * (size // len(block) + 1))[:size]


def packet_of(path: str) -> dict[str, Any]:
    """The packet that a file holds, made anew."""
    octets(path)
    return messages.packet(payload(int(Path(path).stem.partition("-")[2])))


def make_packet(size: int) -> str:
    """Write a packet with a payload of so many octets in its three forms, if the machine has the room."""
    from bench.families.syntax import schema

    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"packet-{size}.der"
    files = [path.with_suffix(suffix) for suffix in MEMORY]
    if all(file.exists() for file in files) or lacking(path, size):
        return str(path)
    octets = payload(size)
    # What stands around the payload is written by the libraries, with a mark in its place.
    marked = messages.packet(b"")
    marked["payload"] = "PAYLOAD"
    whole = {
        ".der": (schema.encode(messages.packet(octets), "packet"), b""),
        ".json": tuple(json_octets(marked, True).split(b"PAYLOAD")),
        ".xml": tuple(xml_octets(marked, True).split(b"PAYLOAD")),
    }
    for suffix, (head, tail) in whole.items():
        unfinished = path.with_suffix(f"{suffix}.{os.getpid()}.new")
        with open(unfinished, "wb") as file:
            file.write(head)
            if suffix != ".der":
                write_base64(file, octets)
            file.write(tail)
        unfinished.replace(path.with_suffix(suffix))
    return str(path)


def write_base64(file: BinaryIO, octets: bytes) -> None:
    """Write octets as base64, without ever holding all of it."""
    with memoryview(octets) as view:
        for start in range(0, len(view), BLOCK):
            file.write(base64.b64encode(view[start : start + BLOCK]))


def available_memory() -> int | None:
    """How many octets of memory are free or can be freed, where the system says so."""
    listing = Path("/proc/meminfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def lacking(path: Path, size: int) -> str:
    """What the machine has too little of to make a packet, or nothing."""
    memory, disk = available_memory(), shutil.disk_usage(path.parent).free
    if memory is not None and memory < 3 * size:
        return f"to make the packet takes {3 * size:,} octets of memory, and there are {memory:,}"
    if disk < 5 * size:
        return f"to make the packet takes {5 * size:,} octets of disk, and there are {disk:,}"
    return ""


def octets(path: str, suffix: str = ".der") -> bytes:
    """What a file holds.

    Raises:
        Unavailable: the packet was not made, or this machine has not the memory to read it.
    """
    place = Path(path).with_suffix(suffix)
    if not place.exists():
        raise Unavailable(lacking(place, int(place.stem.partition("-")[2])) or f"{place.name} was not made")
    memory, needed = available_memory(), os.path.getsize(place) * MEMORY[suffix]
    if memory is not None and memory < needed:
        raise Unavailable(f"takes up to {needed:,} octets of memory, and there are {memory:,}")
    return place.read_bytes()
