"""A program that calls the methods of one class of the core with objects that are not its instances, or hold nothing.

    python -m support.calls NOTE CLASS

`test_call_safety.py` runs it once for each class, because a fault ends the process. Before each call it writes the text
of the call into the file NOTE, so that the test can report which one crashed. It finds classes and methods by
introspection, so it also calls those that are new. It prints each call with a wrong outcome, and then how many calls
it made. With `functions` for CLASS it calls the functions of the module.
"""

from __future__ import annotations

import copy
import itertools
import operator
import pickle
import re
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import derlib
from derlib import _core

HEAP_TYPE = 1 << 9

# CPython's own descriptors for methods, properties and slots of extension types. Each checks `self` before it calls.
CHECKED = (
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.WrapperDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
# The messages with which they refuse an object of another class.
REFUSED = re.compile(r"^(descriptor '\w+' |\w+(\.\w+)*\.__new__\()")


class Item(derlib.Sequence):
    number: int
    name: str


class Pair(derlib.Set):
    number: int
    name: str


class Pick(derlib.Choice, extensible=True):
    number: int
    name: str


class Items(derlib.SequenceOf[Item]):
    pass


class Table(derlib.OpenTypes):
    pass


ITEMS = [{"number": n, "name": "x"} for n in range(300)]
# Arguments after `self`: up to five, since no method takes more.
COUNTS = range(6)


def core_classes() -> dict[str, type]:
    """Return each extension type of the core by its name, private ones included."""
    return {name: one for name, one in sorted(vars(_core).items()) if isinstance(one, type) and is_ours(one)}


def is_ours(cls: type) -> bool:
    """Return whether the core defines a class as an extension type; its enumerations are classes of Python."""
    return cls.__module__ in ("derlib", _core.__name__) and not cls.__flags__ & HEAP_TYPE


def made_classes() -> dict[str, type]:
    """Return classes that a class statement derived from those of the core."""
    return {one.__name__: one for one in (Item, Pair, Pick, Items, Table)}


def full_values() -> dict[str, Callable[[], Any]]:
    """Return, for each class that can hold a value, what makes such an instance."""
    items = Items(ITEMS)
    return {
        "AlternativeReader": lambda: vars(Pick)["number"],
        "BitString": lambda: derlib.BitString(b"\xa0", 5),
        "Changes": lambda: derlib.ber.convert(b"\x30\x80\x01\x01\x05\0\0").changes,
        "ChoiceView": lambda: Pick(number=1),
        "CompiledConstraint": lambda: _core.CompiledConstraint(
            _core.ConstraintKind.CONSTRAINT_ALPHABET, "x", characters=((65, 90),)
        ),
        "Converted": lambda: derlib.ber.convert(b"\x30\x80\x01\x01\x05\0\0"),
        "Element": lambda: derlib.parse_ber(b"\x30\x80\x01\x01\x05\0\0"),
        "FieldReader": lambda: vars(Item)["number"],
        "ListIterator": lambda: iter(items),
        "ListView": lambda: items,
        "Lookup": lambda: items.index_by("number"),
        "NativeList": items.to_native,
        "Null": lambda: derlib.NULL,
        "ObjectIdentifier": lambda: derlib.ObjectIdentifier("1.2.3"),
        "OpenTable": lambda: _core.OpenTable(),
        "Plan": lambda: _core.Plan(_core.Kind.KIND_EMPTY, "x", None, object),
        "RelativeOID": lambda: derlib.RelativeOID("1.2.3"),
        "SequenceView": lambda: Item(number=1, name="x"),
        "Span": lambda: derlib.Span(1, 2, 3),
        "EncodedListFile": lambda: _core.EncodedListFile(None, 0, 0, 0),
        "TLV": lambda: derlib.parse(b"\x30\x03\x02\x01\x05"),
        "Tag": lambda: derlib.Tag(1),
    }


def empty_values(cls: type) -> list[Any]:
    """Return instances of a class, and of classes derived from it, that `__new__` alone made."""
    classes = [cls, *(made for made in made_classes().values() if issubclass(made, cls))]
    found = []
    for one in classes:
        try:
            found.append(one.__new__(one))
        except TypeError:
            continue
    return found


def strangers(cls: type) -> list[Any]:
    """Return objects that are not instances of a class: some of Python, and those of the other classes of the core."""
    found: list[Any] = [None, 0, "x", b"0\x03\x02\x01\x05", object(), [1], type, cls, Item, lambda: None]
    found += [make() for make in full_values().values()]
    found += list(itertools.chain.from_iterable(map(empty_values, core_classes().values())))
    return [one for one in found if not issubclass(type(one), cls)]


class Calls:
    """Makes calls, writes down each one before, and collects those with a wrong outcome."""

    def __init__(self, note: Path) -> None:
        self.note = note.open("wb", buffering=0)
        self.made = 0
        self.wrong: list[str] = []

    def outcome(self, text: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a call returns, or the exception that it raises."""
        self.made += 1
        self.note.seek(0)
        self.note.write(f"{text}{tuple(map(kind_of, arguments))}".ljust(400)[:400].encode())
        try:
            return call(*arguments)
        except Exception as error:
            return error

    def refused(self, text: str, call: Callable[..., Any], *arguments: Any) -> None:
        """Require that the descriptor refuses `self`, whatever the other arguments are."""
        outcome = self.outcome(text, call, *arguments)
        if not (isinstance(outcome, TypeError) and REFUSED.match(str(outcome))):
            self.wrong.append(f"{text}{tuple(map(kind_of, arguments))}: {shown(outcome)}")

    def harmless(self, text: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Require a result, or one of the HARMLESS exceptions."""
        outcome = self.outcome(text, call, *arguments)
        if isinstance(outcome, Exception) and not isinstance(outcome, HARMLESS):
            self.wrong.append(f"{text}{tuple(map(kind_of, arguments))}: {shown(outcome)}")
        return outcome


# Exceptions that a call of an object without a value, or with such an argument, may raise. SystemError and MemoryError
# are signs of a fault.
HARMLESS = (
    TypeError,
    AttributeError,
    LookupError,
    StopIteration,
    ValueError,
    OverflowError,
    derlib.ASN1Error,
    pickle.PicklingError,
)


def kind_of(value: Any) -> str:
    """Return the text for an argument, without running code of the argument."""
    cls = type(value)
    return repr(value) if cls in (int, str, bytes, bool, type(None)) else f"<{cls.__name__}>"


def shown(outcome: Any) -> str:
    return f"{type(outcome).__name__}: {outcome}" if isinstance(outcome, Exception) else f"returned {kind_of(outcome)}"


def rest_of(*more: Any) -> Iterator[tuple[Any, ...]]:
    """Yield arguments after `self`."""
    yield ()
    for value in ("x", 0, b"\x30\x00", *more):
        yield from ((value,) * count for count in COUNTS if count)


def wrong_self(calls: Calls, cls: type) -> None:
    """Call everything that a class of the core defines with a `self` of other classes."""
    for name, one in vars(cls).items():
        text = f"{cls.__name__}.{name}"
        if not callable(one) and not hasattr(one, "__get__"):
            continue  # a constant
        if not isinstance(one, (*CHECKED, staticmethod)) and name != "__new__":
            calls.wrong.append(f"{text} is a {type(one).__name__}, which does not check its first argument")
        for stranger in strangers(cls):
            if isinstance(one, staticmethod):
                calls.harmless(text, one, stranger)
            elif isinstance(one, types.ClassMethodDescriptorType) or name == "__new__":
                wrong_class(calls, cls, text, one, stranger)
            else:
                wrong_instance(calls, text, one, stranger)


def wrong_class(calls: Calls, cls: type, text: str, one: Any, stranger: Any) -> None:
    """Call a class method, or `__new__`, with an object that is not the class and not derived from it."""
    if isinstance(stranger, type) and issubclass(stranger, cls):
        return
    for rest in rest_of():
        calls.refused(text, one, stranger, *rest)
        if isinstance(one, types.ClassMethodDescriptorType):
            calls.refused(text, one, type(stranger), *rest)


def wrong_instance(calls: Calls, text: str, one: Any, stranger: Any) -> None:
    """Call a method, or use a property, with an object that is not an instance of the class."""
    # None is how Python asks a descriptor for itself.
    if stranger is not None:
        calls.refused(f"{text}.__get__", one.__get__, stranger, type(stranger))
    if hasattr(one, "__set__"):
        calls.refused(f"{text}.__set__", one.__set__, stranger, stranger)
        calls.refused(f"{text}.__delete__", one.__delete__, stranger)
    if callable(one):
        for rest in rest_of():
            calls.refused(text, one, stranger, *rest)


UNARY: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "str": str,
    "hash": hash,
    "bool": bool,
    "len": len,
    "length_hint": operator.length_hint,
    "iter": lambda one: list(itertools.islice(iter(one), 3)),
    "next": next,
    "reversed": lambda one: list(itertools.islice(reversed(one), 3)),
    "bytes": bytes,
    "int": int,
    "index": operator.index,
    "memoryview": memoryview,
    "dir": dir,
    "vars": vars,
    "format": format,
    "size": sys.getsizeof,
    "class": lambda one: one.__class__,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "init": lambda one: one.__init__(),
    "getstate": lambda one: one.__getstate__(),
    "setstate": lambda one: one.__setstate__({}),
    "delete": lambda one: delattr(one, "x"),
    "call": lambda one: one(),
    **{f"pickle {n}": lambda one, n=n: pickle.loads(pickle.dumps(one, n)) for n in range(6)},
    **{f"reduce {n}": lambda one, n=n: one.__reduce_ex__(n) for n in range(6)},
    "reduce": lambda one: one.__reduce__(),
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda one, other: other in one,
    "[]": lambda one, other: one[other],
    "set": lambda one, other: setattr(one, "x", other),
    "[:]": lambda one, other: one[other:],
}


def no_value(calls: Calls, cls: type) -> None:
    """Do everything with instances that hold no value.

    Each operation gets a new instance, because `__init__` may give it a value.
    """
    for name in names_of(cls):
        for make in range(len(empty_values(cls))):
            for rest in rest_of(*empty_values(cls)):
                empty = empty_values(cls)[make]
                text = f"{type(empty).__name__}.{name} of an empty object"
                one = calls.harmless(text, getattr, empty, name)
                if callable(one) and not isinstance(one, (type, Exception)):
                    calls.harmless(text, one, *rest)
    full = full_values()
    for make in range(len(empty_values(cls))):
        for text, act in UNARY.items():
            calls.harmless(text, act, empty_values(cls)[make])
        for text, act in BINARY.items():
            for other in [0, "x", None, *empty_values(cls), *(value() for value in full.values())]:
                calls.harmless(text, act, empty_values(cls)[make], other)
                calls.harmless(text, act, other, empty_values(cls)[make])


def no_value_given(calls: Calls, cls: type) -> None:
    """Give objects of the core, with and without a value, to everything that an instance with a value can do."""
    make = next((full_values()[base.__name__] for base in cls.__mro__ if base.__name__ in full_values()), None)
    if make is None:
        return
    given = list(itertools.chain.from_iterable(map(empty_values, core_classes().values())))
    given += [value() for value in full_values().values()]
    for name in names_of(cls):
        text = f"{cls.__name__}.{name}"
        for value in given:
            for count in COUNTS:
                one = calls.harmless(text, getattr, make(), name)
                if callable(one) and not isinstance(one, type):
                    calls.harmless(text, one, *(value,) * count)


def names_of(cls: type) -> list[str]:
    """Return the names of everything that a class of the core and its bases define, without what makes an instance."""
    bases = [base for base in cls.__mro__ if base is not object]
    return sorted({name for base in bases for name in vars(base)} - {"__new__", "__doc__", "__module__"})


def functions(calls: Calls) -> None:
    """Give objects of wrong classes, and objects without a value, to each function of the module."""
    empties = list(itertools.chain.from_iterable(map(empty_values, core_classes().values())))
    wrong = [None, 0, -1, "x", b"\x30\x00", object(), [1], (), {}, type, Item, *empties]
    for name, one in sorted(vars(_core).items()):
        # `find_plans_with` replaces the function that every type expression goes through.
        if type(one) in FUNCTIONS and one.__module__ == _core.__name__ and name != "find_plans_with":
            for value in wrong:
                for count in COUNTS:
                    calls.harmless(name, one, *(value,) * count)


FUNCTIONS = (types.BuiltinFunctionType, type(_core.restore))


def main(note: str, name: str) -> None:
    calls = Calls(Path(note))
    if name == "functions":
        functions(calls)
    else:
        for act in (wrong_self, no_value, no_value_given):
            act(calls, core_classes()[name])
    print(*dict.fromkeys(calls.wrong), f"{calls.made} calls", sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
