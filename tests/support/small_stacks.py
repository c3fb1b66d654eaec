"""The script that `test_small_stacks` runs in its own process: one operation on deeply nested values of each type.

    python tests/support/small_stacks.py OPERATION DEPTH

It prints the name of each type for which a thread with a small stack completed the operation.
"""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Annotated, Any

from support.der import der

import derlib
from derlib import (
    TLV,
    Choice,
    ConstraintError,
    DefinedBy,
    Deviation,
    EncodeError,
    Explicit,
    Limits,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
)

STACK = 128 * 1024


class Lists(SequenceOf["Lists"]):
    pass


class Sets(SetOf["Sets"]):
    pass


class Fields(Sequence):
    inner: Fields | None = None


class Both(Sequence):
    inner: SequenceOf[Both] | None = None


class Members(Set):
    inner: Members | None = None


class Arms(Choice):
    inner: Annotated[Arms, Explicit(0)]
    end: int


TYPED = OpenTypes("TYPED", {})
OPAQUE = OpenTypes("OPAQUE", {}, on_mismatch="opaque")
STRINGS = OpenTypes("STRINGS", {})
MIXED = OpenTypes("MIXED", {})


class Typed(Sequence):
    key: ObjectIdentifier
    inner: Annotated[Any, DefinedBy("key", TYPED)] | None = None


class Opaque(Sequence):
    key: ObjectIdentifier
    inner: Annotated[Any, DefinedBy("key", OPAQUE)] | None = None


class Strings(Sequence):
    key: ObjectIdentifier
    inner: Annotated[bytes, DefinedBy("key", STRINGS)] | None = None


class Mixed(Sequence):
    key: ObjectIdentifier
    inner: Annotated[Any, DefinedBy("key", MIXED)] | None = None


class Ways(Choice):
    mixed: Mixed
    number: int


TYPED.register("1.2.3", Typed)
MIXED.register("1.2.3", Ways)
OPAQUE.register("1.2.3", Opaque)
STRINGS.register("1.2.3", Strings)
KEY = b"\x06\x02\x2a\x03"


def nested(levels: int, wrap: Callable[[bytes], bytes], octets: bytes = b"") -> bytes:
    for _ in range(levels):
        octets = wrap(octets)
    return octets


# Each type, and the encoding of a value with this many levels of nesting.
TYPES: dict[str, tuple[Any, Callable[[int], bytes]]] = {
    "Lists": (Lists, lambda depth: nested(depth, lambda inner: der(0x30, inner))),
    "Sets": (Sets, lambda depth: nested(depth, lambda inner: der(0x31, inner))),
    "Fields": (Fields, lambda depth: nested(depth, lambda inner: der(0x30, inner))),
    "Both": (Both, lambda depth: nested(depth // 2 - 1, lambda inner: der(0x30, der(0x30, inner)), b"\x30\x00")),
    "Members": (Members, lambda depth: nested(depth, lambda inner: der(0x31, inner))),
    "Arms": (Arms, lambda depth: nested(depth, lambda inner: der(0xA0, inner), b"\x02\x01\x05")),
    "Typed": (Typed, lambda depth: nested(depth, lambda inner: der(0x30, KEY + inner))),
    "Opaque": (Opaque, lambda depth: nested(depth, lambda inner: der(0x30, KEY + inner))),
    "Strings": (Strings, lambda depth: nested(depth // 2, lambda inner: der(0x30, KEY + der(0x04, inner)) if inner
                else der(0x30, KEY))),
    # An open type and a CHOICE take further C calls, but no levels.
    "Mixed": (Mixed, lambda depth: nested(depth, lambda inner: der(0x30, KEY + inner))),
    "TLV": (TLV, lambda depth: nested(depth, lambda inner: der(0x30, inner))),
}


def parts(value: Any) -> list[Any]:
    """Return the value inside one; of an opaque one the last."""
    if isinstance(value, (SequenceOf, SetOf, TLV)):
        return list(value)[-1:]
    if isinstance(value, Choice):
        return [value.value] if value.alternative in ("inner", "mixed") else []
    return [value.inner] if value.inner is not None else []


def reach_the_end(value: Any) -> int:
    levels = 1
    while found := parts(value):
        [value] = found
        levels += 1
    return levels


def says(error: Exception, word: str) -> None:
    if word not in str(error):
        raise AssertionError(f"{error!r} does not say {word!r}") from error


def refuse(type_: Any, octets: bytes, limits: Limits) -> str:
    """Decode with a fault at the deepest level: in the last byte, or in the tag of the number at the end."""
    octets = octets[:-3] + b"\x0c\x01\x05" if type_ is Arms else octets[:-1] + b"\x80"
    try:
        derlib.decode(type_, octets, limits=limits)
    except derlib.DecodeError as error:
        return f"{error.path}{error}"
    raise AssertionError(type_)


def may_be_too_deep(write: Callable[[Any, Any], Any]) -> Callable[[Any, bytes, Limits], Any]:
    """Encode plain data, which use more of the stack for each level; if it is too small, that is an error."""

    def run(type_: Any, octets: bytes, limits: Limits) -> None:
        if type_ is TLV:
            return
        # A value to encode has at most 100 levels.
        try:
            write(type_, PLAIN[type_])
        except (EncodeError, ConstraintError) as error:
            says(error, "nest")

    return run


def itself(_: Any, __: Any) -> None:
    a_list: list[Any] = []
    a_list.append(a_list)
    a_dict: dict[str, Any] = {"key": "1.2.3"}
    a_dict["inner"] = a_dict
    for type_, value in [(Lists, a_list), (Sets, a_list), (Typed, a_dict), (Opaque, a_dict), (Strings, a_dict)]:
        try:
            derlib.encode(value, type_)
        except EncodeError as error:
            says(error, "deep")
        else:
            raise AssertionError(type_)


def decoded(work: Callable[[Any], Any]) -> Callable[[Any, bytes, Limits], Any]:
    return lambda type_, octets, limits: work(derlib.decode(type_, octets, limits=limits))


def may_fill_the_stack(work: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Do something for which the stack may be too small if there are more than 100 levels.

    Printing, for example, makes several of Python's own calls for each level.
    """

    def run(value: Any) -> None:
        try:
            work(value)
        except RecursionError as error:
            says(error, "stack")
            if reach_the_end(value) <= 100:
                raise

    return run


OPERATIONS: dict[str, Callable[[Any, bytes, Limits], Any]] = {
    "decode": lambda type_, octets, limits: derlib.decode(type_, octets, limits=limits),
    "tolerate": lambda type_, octets, limits: derlib.decode(type_, octets, limits=limits, tolerate=~Deviation(0)),
    "deviations": lambda type_, octets, limits: derlib.decode(
        type_, octets + b"\x05\x00", limits=limits, tolerate=~Deviation(0)).deviations,
    "refuse": refuse,
    "read": decoded(reach_the_end),
    "show": decoded(may_fill_the_stack(repr)),
    "print": decoded(may_fill_the_stack(derlib.pretty)),
    "plain data": decoded(may_fill_the_stack(lambda value: isinstance(value, TLV) or plain(value.to_native()))),
    "JSON": decoded(may_fill_the_stack(lambda value: isinstance(value, TLV) or value.to_json())),
    "encode": decoded(lambda value: value.encode()),
    "compare": lambda type_, octets, limits: derlib.decode(type_, octets, limits=limits)
    == derlib.decode(type_, bytearray(octets), limits=limits),
    "pickle": decoded(lambda value: isinstance(value, TLV) or pickle.loads(pickle.dumps(value))),
    "copy": decoded(copy.deepcopy),
    "walk": decoded(lambda value: isinstance(value, TLV) and list(value.walk())),
    "write plain data": may_be_too_deep(lambda type_, value: derlib.encode(value, type_)),
    "build": may_be_too_deep(lambda type_, value: type_.from_native(value)),
    "read JSON": may_be_too_deep(lambda type_, value: type_.from_json(JSON[type_])),
    "build from other mappings": may_be_too_deep(
        lambda type_, value: type_.from_native(with_other_mappings(value, 30))
    ),
    "a value in itself": may_be_too_deep(itself),
}
PLAIN: dict[Any, Any] = {}
JSON: dict[Any, str] = {}


def plain(value: Any) -> Any:
    """Return plain data, including the elements that `to_native` converts on access."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, derlib._core.NativeList)) else value


class OtherMapping(dict[str, Any]):
    """A mapping that the fast path of the encoder does not take."""


def with_other_mappings(value: Any, levels: int) -> Any:
    """Return plain data whose outermost levels are not exact dicts: the fast path begins on a stack that is used."""
    if isinstance(value, dict) and levels:
        return OtherMapping({name: with_other_mappings(inner, levels - 1) for name, inner in value.items()})
    return value


def in_a_thread(size: int, work: Callable[[], object]) -> None:
    """Do something in a thread with a stack of this many bytes."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threading.stack_size(size)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def main() -> None:
    operation, depth = OPERATIONS[sys.argv[1]], int(sys.argv[2])
    limits = Limits(depth=depth)
    for name, (type_, make) in TYPES.items():
        octets = make(depth)

        def prepare(type_: Any = type_, octets: bytes = octets) -> None:
            # Imports and other work that is done once need more of the stack than the operation.
            value = derlib.decode(type_, octets, limits=limits)
            if type_ is not TLV:
                PLAIN[type_] = plain(value.to_native())
                JSON[type_] = value.to_json()
            operation(type_, octets, limits)

        in_a_thread(16 << 20, prepare)
        in_a_thread(STACK, lambda type_=type_, octets=octets: operation(type_, octets, limits))
        print(name, flush=True)


if __name__ == "__main__":
    main()
