"""The fingerprint of a schema depends on every difference between schemas, and on nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Annotated, Any

import derlib
from derlib import (
    BitString,
    Choice,
    Containing,
    DefinedBy,
    Explicit,
    Implicit,
    NamedBits,
    ObjectIdentifier,
    OpenTypes,
    Range,
    Sequence,
    SequenceOf,
    Set,
    SetOf,
    Size,
)
from derlib.cache import fingerprint


def order_with(number: Any = int, name: str = "number", class_name: str = "Order", **keywords: Any) -> Any:
    """Return a class with one field."""
    namespace = {"__annotations__": {name: number}, "__module__": "somewhere", "__qualname__": class_name}
    if "default" in keywords:
        namespace[name] = keywords.pop("default")
    return type(Sequence)(class_name, (keywords.pop("base", Sequence),), namespace, **keywords)


class Rights(NamedBits):
    read = 1
    write = 2


class Eight(derlib.Enumerated):
    one = 1
    eight = 8


class Nine(derlib.Enumerated):
    one = 1
    eight = 9


class Renamed(derlib.Enumerated):
    one = 1
    acht = 8


class Either(Choice):
    a: int
    b: str


class Swapped(Choice):
    b: str
    a: int


VARIANTS: dict[str, Callable[[], Any]] = {
    "plain": lambda: order_with(),
    "another kind": lambda: order_with(str),
    "another name of the field": lambda: order_with(name="count"),
    "another name of the class": lambda: order_with(class_name="Bestellung"),
    "optional": lambda: order_with(int | None, default=None),
    "a default": lambda: order_with(default=1),
    "another default": lambda: order_with(default=2),
    "a range": lambda: order_with(Annotated[int, Range(0, 10)]),
    "another range": lambda: order_with(Annotated[int, Range(0, 11)]),
    "a range without end": lambda: order_with(Annotated[int, Range(0, None)]),
    "implicit": lambda: order_with(Annotated[int, Implicit(0)]),
    "implicit 1": lambda: order_with(Annotated[int, Implicit(1)]),
    "application": lambda: order_with(Annotated[int, Implicit(0, "application")]),
    "explicit": lambda: order_with(Annotated[int, Explicit(0)]),
    "a set": lambda: order_with(base=Set),
    "a tag of its own": lambda: order_with(tag=Implicit(0)),
    "a list": lambda: order_with(SequenceOf[int]),
    "a list of another element": lambda: order_with(SequenceOf[bool]),
    "a set of": lambda: order_with(SetOf[int]),
    "a list with a size": lambda: order_with(Annotated[SequenceOf[int], Size(1)]),
    "a list with another size": lambda: order_with(Annotated[SequenceOf[int], Size(1, 2)]),
    "named bits": lambda: order_with(Rights),
    "an enumeration": lambda: order_with(Eight),
    "an enumeration with another item": lambda: order_with(Nine),
    "an enumeration with another name": lambda: order_with(Renamed),
    "a choice": lambda: order_with(Either),
    "a string that contains": lambda: order_with(Annotated[bytes, Containing(int)]),
    "a string that contains something else": lambda: order_with(Annotated[bytes, Containing(str)]),
    "bits that contain": lambda: order_with(Annotated[BitString, Containing(int)]),
    "a choice in another order": lambda: order_with(Swapped),
    "a union": lambda: order_with(int | str),
    "another union": lambda: order_with(int | bytes),
    "a deep difference": lambda: order_with(SequenceOf[SequenceOf[SequenceOf[SequenceOf[SequenceOf[int]]]]]),
    "another deep difference": lambda: order_with(SequenceOf[SequenceOf[SequenceOf[SequenceOf[SequenceOf[str]]]]]),
}


def test_every_difference_between_schemas_changes_the_fingerprint() -> None:
    seen: dict[str, str] = {}
    for what, make in VARIANTS.items():
        found = fingerprint(make())
        assert found == fingerprint(make()), f"{what}: two equal schemas differ"
        assert found not in seen, f"{what} and {seen[found]} have the same fingerprint"
        seen[found] = what


def test_a_nested_class_differs_from_a_class_with_the_same_full_name() -> None:
    # Class B.C of module a, and class C of module a.B.
    nested, inner = order_with(class_name="C"), order_with(class_name="C")
    nested.__module__, nested.__qualname__ = "a", "B.C"
    inner.__module__, inner.__qualname__ = "a.B", "C"
    assert fingerprint(nested) != fingerprint(inner)


def open_order(types: dict[str, Any], selector: str = "kind", **keywords: Any) -> tuple[Any, OpenTypes]:
    table = OpenTypes("TYPES", types, **keywords)
    namespace = {
        "__annotations__": {
            "kind": ObjectIdentifier,
            "other": ObjectIdentifier,
            "value": Annotated[Any, DefinedBy(selector, table)],
        },
        "__module__": "somewhere",
        "__qualname__": "Open",
    }
    return type(Sequence)("Open", (Sequence,), namespace), table


def test_open_types_change_the_fingerprint() -> None:
    variants = [
        open_order({})[0],
        open_order({"1.2.3": int})[0],
        open_order({"1.2.4": int})[0],
        open_order({"1.2.3": str})[0],
        open_order({"1.2.3": int}, on_mismatch="opaque")[0],
        open_order({"1.2.3": int}, "other")[0],
        open_order({"1.2.3": int, "1.2.4": int})[0],
    ]
    assert len({fingerprint(variant) for variant in variants}) == len(variants)
    assert fingerprint(variants[-1]) == fingerprint(open_order({"1.2.4": int, "1.2.3": int})[0])


def test_the_order_of_registrations_does_not_change_the_fingerprint() -> None:
    late, table = open_order({"1.2.3": SequenceOf[int]})
    before = fingerprint(late)
    assert before == fingerprint(late)
    table.register("1.2.4", SequenceOf[int])
    table.register("1.2.5", int)
    table.register("1.2.6", int)
    early, _ = open_order({"1.2.6": int, "1.2.5": int, "1.2.4": SequenceOf[int], "1.2.3": SequenceOf[int]})
    assert fingerprint(late) == fingerprint(early) != before
    table.register("1.2.6", int, on_mismatch="opaque")
    assert fingerprint(late) != fingerprint(early)


def test_a_recursive_schema_has_a_fingerprint() -> None:
    def tree(leaf: Any) -> Any:
        class Tree(Sequence):
            leaf_value: leaf
            branches: SequenceOf[Tree]

        return Tree

    assert fingerprint(tree(int)) == fingerprint(tree(int)) != fingerprint(tree(str))


PRINT = """
import sys
if sys.argv[1] == "used before":
    from derlib import SequenceOf
    from derlib.schemas.x509 import Certificate, GeneralNames
    from derlib.cache import fingerprint
    fingerprint(GeneralNames), fingerprint(SequenceOf[int])
from derlib import SequenceOf
from derlib.cache import fingerprint
from derlib.schemas.crl import CertificateList
from derlib.schemas.x509 import Certificate
print(*map(fingerprint, [CertificateList, Certificate, int, SequenceOf[int]]))
"""


def test_fingerprints_are_the_same_in_each_process() -> None:
    found = set()
    for before in ("", "used before"):
        for seed in ("0", "1", "20261120"):
            run = subprocess.run(
                [sys.executable, "-c", PRINT, before],
                capture_output=True,
                text=True,
                check=True,
                timeout=60,
                env={**os.environ, "PYTHONHASHSEED": seed},
            )
            found.add(run.stdout)
    assert len(found) == 1
    assert len(set(found.pop().split())) == 4


def test_fingerprints_are_the_same_in_each_version_of_python() -> None:
    """A change of these values invalidates the caches of all users and needs a line in CHANGELOG."""
    assert fingerprint(int) == "966840578be75b92a0d8cdb1c73f81b4"
    assert fingerprint(SequenceOf[int]) == "bf0bc4a220eb3eeb4f019b0198f9982b"
