"""blake2signer: what its page on performance measures, with its own ways to sign. Sign and unsign are apart here."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from blake2signer import Blake2SerializerSigner, Blake2Signer
from blake2signer.serializers import NullSerializer

from bench.harness import Task

SECRET = b"a secret that only this benchmark has"
MICROSECONDS = 1e-3
Maker = Callable[[str], Task]


def plain(**options: Any) -> Blake2Signer:
    """A signer of octets."""
    return Blake2Signer(SECRET, **options)


def serializer(**options: Any) -> Blake2SerializerSigner:
    """A signer of Python values, which writes them as JSON unless told otherwise."""
    return Blake2SerializerSigner(SECRET, **options)


def microseconds(call: Callable[[], Any], facts: Callable[[Any], object]) -> Task:
    """A task whose figure is in microseconds, with one fact: the data that was signed."""
    return Task(call, lambda result: [facts(result)], per=MICROSECONDS, unit="µs")


def making(make: Callable[[], Blake2Signer]) -> Maker:
    """Make a plain signer."""
    return lambda path: microseconds(make, lambda signer: signer.unsign(signer.sign(Path(path).read_bytes())))


def signing(*, each: bool = False, text: bool = False, **options: Any) -> Maker:
    """Sign octets or text, with a signer that was made before or is made for `each` call."""

    def task(path: str) -> Task:
        octets = Path(path).read_bytes()
        data, make = octets.decode() if text else octets, partial(plain, **options)
        signer = make()
        call = (lambda: make().sign(data)) if each else (lambda: signer.sign(data))
        return microseconds(call, signer.unsign)

    return task


def unsigning(*, each: bool = False, text: bool = False, **options: Any) -> Maker:
    """Verify a signature and return the octets that were signed."""

    def task(path: str) -> Task:
        make = partial(plain, **options)
        signer = make()
        signed = signer.sign(Path(path).read_bytes())
        data = signed.decode() if text else signed
        call = (lambda: make().unsign(data)) if each else (lambda: signer.unsign(data))
        return microseconds(call, lambda octets: octets)

    return task


def dumping(*, each: bool = False, raw: bool = False, **compression: Any) -> Maker:
    """Serialize, compress if told so, and sign: text as JSON, or octets as they are if `raw`."""

    def task(path: str) -> Task:
        data, make = given(path, raw)
        signer = make()
        call = (lambda: make().dumps(data, **compression)) if each else (lambda: signer.dumps(data, **compression))
        return microseconds(call, lambda signed: as_octets(signer.loads(signed)))

    return task


def loading(*, each: bool = False, raw: bool = False, **compression: Any) -> Maker:
    """Verify, decompress if it is compressed, and make the value again."""

    def task(path: str) -> Task:
        data, make = given(path, raw)
        signer = make()
        signed = signer.dumps(data, **compression)
        call = (lambda: make().loads(signed)) if each else (lambda: signer.loads(signed))
        return microseconds(call, as_octets)

    return task


def given(path: str, raw: bool) -> tuple[object, Callable[[], Blake2SerializerSigner]]:
    """What is serialized, and what makes the signer for it."""
    octets = Path(path).read_bytes()
    return (octets, partial(serializer, serializer=NullSerializer)) if raw else (octets.decode(), serializer)


def as_octets(value: Any) -> bytes:
    """The data as octets, however the signer returned it."""
    return value.encode() if isinstance(value, str) else bytes(value)


make_plain = making(plain)
sign_made_once, sign_made_per_call = signing(), signing(each=True)
unsign_made_once, unsign_made_per_call = unsigning(), unsigning(each=True)
dumps_made_once, dumps_made_per_call = dumping(compress=False), dumping(each=True, compress=False)
loads_made_once, loads_made_per_call = loading(compress=False), loading(each=True, compress=False)
sign_text, unsign_text = signing(text=True), unsigning(text=True)
dumps_full, loads_full = dumping(raw=True, force_compression=True), loading(raw=True, force_compression=True)
dumps_smart, loads_smart = dumping(raw=True, compress=True), loading(raw=True, compress=True)
dumps_off, loads_off = dumping(raw=True, compress=False), loading(raw=True, compress=False)
sign_deterministic, unsign_deterministic = signing(deterministic=True), unsigning(deterministic=True)
sign_blake2s, unsign_blake2s = signing(hasher="blake2s"), unsigning(hasher="blake2s")
sign_blake3, unsign_blake3 = signing(hasher="blake3"), unsigning(hasher="blake3")
