"""The messages as files in DER, JSON and XML, and the contents of these files. Called by the family and by all peers.

The argument of an operation is the path of the DER file; the other two files are beside it. A packet that is too large
for the machine is not created, and `contents` raises an error.
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
from bench.paths import BUILD, write

FOLDER = BUILD / "syntax"
BLOCK = 3 * 2**20
MEMORY = {".der": 3, ".json": 6, ".xml": 8}
"""The most memory that a library needs to read a file, in multiples of its size."""


def json_bytes(value: object, escaped: bool) -> bytes:
    """Return JSON without spaces."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":")).encode()


def xml_bytes(value: dict[str, Any], escaped: bool) -> bytes:
    """Return XML without indentation."""
    root = elements.build(value, ElementTree.Element, ElementTree.SubElement)
    encoded: bytes = ElementTree.tostring(root, "us-ascii" if escaped else "utf-8")
    return encoded


def message_of(path: str) -> messages.Message:
    """Return the message in a file."""
    return messages.MESSAGES[Path(path).stem]


def make_message(name: str) -> str:
    """Write a message in its three forms, and return the path of the DER."""
    from bench.families.syntax import schema

    message = messages.MESSAGES[name]
    path = FOLDER / f"{name}.der"
    write(path, schema.encode(message.value, message.shape))
    write(path.with_suffix(".json"), json_bytes(message.value, message.escaped))
    write(path.with_suffix(".xml"), xml_bytes(message.value, message.escaped))
    return str(path)


def payload(size: int) -> bytes:
    """Return random bytes, the same for the same size; 255 is not among them, so that a search can look for it."""
    block = Random(size).randbytes(min(size, BLOCK)).replace(b"\xff", b"\xfe")
    return (block * (size // len(block) + 1))[:size]


def packet_of(path: str) -> dict[str, Any]:
    """Return the packet in a file, built again."""
    contents(path)
    return messages.packet(payload(int(Path(path).stem.partition("-")[2])))


def make_packet(size: int) -> str:
    """Write a packet with a payload of this size in its three forms, if the machine has enough memory and disk."""
    from bench.families.syntax import schema

    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"packet-{size}.der"
    files = [path.with_suffix(suffix) for suffix in MEMORY]
    if all(file.exists() for file in files) or shortage(path, size):
        return str(path)
    encoded = payload(size)
    # The libraries write the rest of the packet, with a mark in place of the payload.
    marked = messages.packet(b"")
    marked["payload"] = "PAYLOAD"
    whole = {
        ".der": (schema.encode(messages.packet(encoded), "packet"), b""),
        ".json": tuple(json_bytes(marked, True).split(b"PAYLOAD")),
        ".xml": tuple(xml_bytes(marked, True).split(b"PAYLOAD")),
    }
    for suffix, (head, tail) in whole.items():
        unfinished = path.with_suffix(f"{suffix}.{os.getpid()}.new")
        with open(unfinished, "wb") as file:
            file.write(head)
            if suffix != ".der":
                write_base64(file, encoded)
            file.write(tail)
        unfinished.replace(path.with_suffix(suffix))
    return str(path)


def write_base64(file: BinaryIO, encoded: bytes) -> None:
    """Write bytes as base64 in blocks, because all of it would need too much memory."""
    with memoryview(encoded) as view:
        for start in range(0, len(view), BLOCK):
            file.write(base64.b64encode(view[start : start + BLOCK]))


def available_memory() -> int | None:
    """Return how many bytes of memory are free or can be freed, if the system reports it."""
    listing = Path("/proc/meminfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def shortage(path: Path, size: int) -> str:
    """Return why the machine cannot create a packet, or an empty string."""
    memory, disk = available_memory(), shutil.disk_usage(path.parent).free
    if memory is not None and memory < 3 * size:
        return f"creating the packet needs {3 * size:,} bytes of memory; {memory:,} are available"
    if disk < 5 * size:
        return f"creating the packet needs {5 * size:,} bytes of disk; {disk:,} are available"
    return ""


def contents(path: str, suffix: str = ".der") -> bytes:
    """Return the contents of a file.

    Raises:
        Unavailable: the packet was not created, or this machine has too little memory to read it.
    """
    file = Path(path).with_suffix(suffix)
    if not file.exists():
        raise Unavailable(shortage(file, int(file.stem.partition("-")[2])) or f"{file.name} was not created")
    memory, needed = available_memory(), os.path.getsize(file) * MEMORY[suffix]
    if memory is not None and memory < needed:
        raise Unavailable(f"reading the packet needs up to {needed:,} bytes of memory; {memory:,} are available")
    return file.read_bytes()
