"""The calls of the API fuzzer, found by introspection, and the properties that every exception and result must have.

A new function, class or method of derlib needs no entry here. `tests/fuzz/api.py` runs the steps of a `Caller` in child
processes.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import enum
import functools
import importlib
import inspect
import io
import itertools
import operator
import pickle
import pkgutil
import sys
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import derlib
import derlib.cache
import derlib.schemas
from derlib import _core

from .hostile import Made, Pool, encodings, examples
from .schemas import CLASSES, Constrained, Document, Pick, Point
from .targets import entries

Call = tuple[str, Any, tuple[Any, ...], dict[str, Any]]     # description, function, arguments

# The first four replace functions that the whole library uses, the next ones change names and types of identifiers
# globally, DirectoryStore writes to any path, and only the core makes a NoAttribute with its class and name.
LEFT_OUT = {
    "set_associated", "find_plans_with", "read_json_with", "choose_tables_with", "register", "register_all",
    "register_known", "register_type", "register_extension", "known_extension", "named_oid",
    "DirectoryStore", "NoAttribute",
}
# Attributes that every class has from Python.
IGNORED = {"__abstractmethods__", "__subclasshook__", "__init_subclass__", "__dict__", "__doc__", "__module__"}

# Values of the core, which are compared and pickled.
VALUES: dict[Any, Callable[[], Any]] = {
    derlib.TLV: lambda: derlib.parse(encodings(Document)[0]),
    derlib.ObjectIdentifier: lambda: derlib.ObjectIdentifier("1.2.3"),
    derlib.RelativeOID: lambda: derlib.RelativeOID("8571.3.2"),
    derlib.BitString: lambda: derlib.BitString(b"\x05\xa0", 4),
    derlib.Tag: lambda: derlib.Tag(5),
    derlib.Span: lambda: derlib.Span(0, 2, 5),
}
# Instances of further classes that cannot be called, or whose random arguments are seldom valid.
STANDALONE: dict[Any, Callable[[], Any]] = {
    **VALUES,
    derlib.Lookup: lambda: entries().index_by("user_certificate"),
    _core.ListIterator: lambda: iter(entries()),
    _core.NativeList: lambda: derlib.SequenceOf[int](range(300)).to_native(),
    _core.FieldReader: lambda: vars(Point)["x"],
    _core.AlternativeReader: lambda: vars(Pick)["number"],
    _core.CompiledConstraint: lambda: Constrained.__plan__.plans[0].constraints[0],
    _core.Plan: lambda: Document.__plan__,
}

UNARY: list[Callable[[Any], Any]] = [
    repr, str, hash, len, bool, int, float, operator.index, bytes, bytearray, memoryview, iter, reversed, sorted, dir,
    vars, copy.copy, copy.deepcopy, pickle.dumps, sys.getsizeof, weakref.ref, operator.neg, operator.invert, next, dict,
    derlib.pretty, inspect.signature,
    lambda value: list(itertools.islice(value, 50)),
    lambda value: value.encode(),
    lambda value: value.to_native(),
    lambda value: value.to_json(),
    lambda value: value.deviations,
    lambda value: [getattr(value, field.name) for field in derlib.fields(type(value))],
]
BINARY: list[Callable[[Any, Any], Any]] = [
    operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.contains, operator.getitem,
    operator.delitem, operator.add, operator.or_, operator.and_, operator.sub, isinstance, issubclass, getattr, format,
    object.__getattribute__,
    lambda value, other: value[other:],
    lambda value, other: value[-3:9:other],
    lambda value, other: value.span(other),
    lambda value, other: value.raw(other, other),
    lambda value, other: value.index_by(other),
    lambda value, other: value.find_by(other, other),
    lambda value, other: value.find_by("extn_id", other),
    lambda value, other: value.find(other),
]
BUILD: list[Callable[[Any, Any], Any]] = [
    lambda class_, value: class_.from_native(value),
    lambda class_, value: class_(**value) if isinstance(value, dict) else class_(value),
    lambda class_, value: class_(**value) if isinstance(value, dict) else class_(value),
    lambda class_, value: class_.decode(derlib.encode(value, class_)),
    lambda class_, value: derlib.encode_to(io.BytesIO(), value, class_),
    lambda class_, value: _core.build_plan(class_.__plan__, value),
    lambda class_, value: class_.decode(encodings(class_)[0]).replace(**value),
    lambda class_, value: derlib.SequenceOf[class_]([value, value]),
    lambda class_, value: derlib.encode({"a": value}, dict[str, class_]),
]


# Some indexes are outside of a list, but inside the length that it claims to have.
INDEXES = (0, -1, 17, 299, 4999)


class Parameter(NamedTuple):
    name: str
    annotation: str
    optional: bool
    keyword: bool
    many: bool


@functools.cache
def stub_signatures() -> dict[str, list[Parameter]]:
    """Return the parameters of the functions and methods of the core: only its stub has their annotations."""
    found = {}
    for node in ast.parse(Path(_core.__file__).with_name("_core.pyi").read_text(encoding="utf-8")).body:
        prefix, members = (f"{node.name}.", node.body) if isinstance(node, ast.ClassDef) else ("", [node])
        for function in members:
            if isinstance(function, ast.FunctionDef):
                found[prefix + function.name] = list(stub_parameters(function.args))
    return found


def stub_parameters(arguments: ast.arguments) -> Iterator[Parameter]:
    plain = [one for one in (*arguments.posonlyargs, *arguments.args) if one.arg not in ("self", "cls")]
    required = len(plain) - len(arguments.defaults)
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for one, optional, keyword, many in (
        *((one, at >= required, False, False) for at, one in enumerate(plain)), (arguments.vararg, True, False, True),
        *((one, default is not None, True, False) for one, default in by_name), (arguments.kwarg, True, True, True),
    ):
        if one is not None:
            yield Parameter(one.arg, ast.unparse(one.annotation) if one.annotation else "", optional, keyword, many)


def parameters(owner: Any, name: str, function: Any) -> list[Parameter] | None:
    """Return the parameters of a function or method, without `self`; None if they are unknown."""
    if owner is not None:
        keys = [f"{class_.__name__}.{name}" for class_ in owner.__mro__]
    else:
        own = vars(_core).get(name) is function
        keys = [name, f"{name}.__init__", f"{name}.__new__"] if own else []
    for key in keys:
        if key in stub_signatures():
            return stub_signatures()[key]
    return python_parameters(getattr(function, "__func__", function))


@functools.lru_cache(maxsize=2000)
def python_parameters(function: Any) -> list[Parameter] | None:
    try:
        found = inspect.signature(function).parameters.values()
    except Exception:
        return None
    return [
        Parameter(one.name, str(one.annotation), one.default is not one.empty or one.kind in (2, 4), one.kind in (3, 4),
                  one.kind in (2, 4)) for one in found if one.name not in ("self", "cls")
    ]


@functools.cache
def subjects() -> tuple[list[Any], list[Any], list[Any]]:
    """Return the functions, the classes and the tables of open types of the public modules and of the core."""
    names = ["derlib", "derlib._core", "derlib.cache", "derlib.errors", "derlib.json", "derlib.oids", "derlib.pem"]
    names += sorted(f"derlib.schemas.{one.name}" for one in pkgutil.iter_modules(derlib.schemas.__path__))
    functions, classes, tables = {}, {}, []
    for module in map(importlib.import_module, names):
        # derlib imports some of its public names when they are used.
        public = getattr(module, "__all__", ())
        for name in sorted({*vars(module), *public}):
            value = getattr(module, name)
            if "derlib._" in str(getattr(value, "__module__", None)) and name not in public and module is not _core:
                continue                            # imported from a private module
            if isinstance(value, _core.OpenTable):
                tables.append(value)
            elif name not in LEFT_OUT and (name[0] != "_" or module is _core) and callable(value) and (
                    str(getattr(value, "__module__", None)).startswith("derlib")):
                (classes if isinstance(value, type) else functions)[value] = None
    return list(functions), list(classes), tables


def attributes(class_: Any) -> list[str]:
    """Return the names of attributes that derlib defines in a class, and those that all objects have.

    For example, attributes that an enumeration inherits from int are not derlib's.
    """
    own = [base for base in class_.__mro__ if base is object or base.__module__.startswith("derlib")]
    return sorted({name for base in own for name in vars(base)} - IGNORED)


class Caller:
    """The steps of one seed; `log` is called with each call before it is made, `found` has what must not happen."""

    def __init__(self, seed: int, log: Callable[[str], None]) -> None:
        self.seed = seed
        self.log = log
        self.found: list[str] = []
        self.pool = Pool(self.call)
        self.functions, self.classes, tables = subjects()
        core = [one for one in self.classes if vars(_core).get(one.__name__) is one or not issubclass(one, _core.View)]
        self.groups = [core, core, self.classes]
        # A caller can register types in them, but then values that are decoded afterwards read otherwise.
        self.shipped = set(map(id, tables))
        self.registrations = _core.registration_count()
        self.checked = set(map(id, (*CLASSES, *VALUES)))     # a class can lie in its __hash__

    def step(self, number: int) -> None:
        """Make one call, which depends on the seed, the number and the results of earlier calls."""
        self.pool.begin(f"{self.seed}/{number}", f"{self.seed}/{number // 20}")
        self.log(f"step {number}")
        value = self.call()
        if issubclass(type(value), (_core.View, _core.TLV, _core.Lookup)):
            calls = [self.operate] * 4
            if self.pool.chance.randrange(20) == 0:
                with contextlib.suppress(BaseException):    # of operands that lie while they are made
                    calls = self.sweep()
            for call in calls:
                self.call(functools.partial(call, ("it", value)))

    def call(self, kind: Callable[[], Call] | None = None) -> Any:
        """Make a call, check its result or exception, store the result for later calls and return it."""
        kinds = {
            self.function: 10, self.through_class: 20, self.through_instance: 20, self.construct: 10, self.operate: 15,
            self.build: 20, self.declare: 5,
        }
        try:
            kind = kind or self.pool.chance.choices(list(kinds), list(kinds.values()))[0]
            text, function, arguments, keywords = kind()
        except BaseException as error:
            self.check_exception(error, "None")     # raised by hostile arguments while they were made
            return None
        self.log("  " * self.pool.depth + text)
        if arguments and self.pool.chance.randrange(3) == 0:
            self.keep(arguments[0])
        try:
            value = function(*arguments, **keywords)
        except BaseException as error:
            self.check_exception(error, text)
            return None
        self.check_value(value, function, arguments)
        if "None" not in text:                      # or a later call uses a None that the caller passed
            self.keep(value)
        return value

    def keep(self, value: Any) -> None:
        if id(value) not in self.shipped and value is not None and type(value) is not int:
            self.pool.keep(value)

    # Which call.

    def function(self) -> Call:
        function = self.pool.chance.choice(self.functions)
        return self.with_arguments(function.__name__, function, None, function.__name__)

    def construct(self) -> Call:
        class_ = self.some_class()
        return self.with_arguments(class_.__name__, class_, None, class_.__name__)

    def some_class(self) -> Any:
        """Return a class. Most are schema classes of one kind, so a random choice prefers the core's own ones."""
        return self.pool.chance.choice(self.pool.chance.choice((*self.groups, [self.pool.class_])))

    def through_class(self) -> Call:
        """Return a call of a method or descriptor of a class, with an instance of the class or any other value."""
        class_ = self.some_class()
        name = self.pool.chance.choice(attributes(class_))
        static, found = inspect.getattr_static(class_, name), getattr(class_, name, None)
        text = f"{class_.__name__}.{name}"
        if isinstance(static, (classmethod, staticmethod)) or getattr(found, "__self__", None) is class_:
            return self.with_arguments(text, found, class_, name)
        itself = self.instance(class_) if self.pool.chance.randrange(2) else self.pool.anything()
        if callable(found) and not isinstance(found, type):
            return self.with_arguments(text, found, class_, name, itself)
        if self.pool.chance.randrange(3) and hasattr(static, "__get__"):
            return f"{text} of {itself[0]}", static.__get__, (itself[1], type(itself[1])), {}
        value = self.pool.anything()
        return f"{text} of {itself[0]} = {value[0]}", type(static).__set__, (static, itself[1], value[1]), {}

    def through_instance(self) -> Call:
        text, value = self.instance(self.some_class())
        name = self.pool.chance.choice(attributes(type(value)))
        # A member of an enumeration belongs to the class that shipped it.
        fixed = id(value) in self.shipped or isinstance(value, (type, enum.Enum))
        if self.pool.chance.randrange(12) == 0 and not fixed:
            other = self.pool.anything()
            return f"{text}.{name} = {other[0]}", setattr, (value, name, other[1]), {}
        found = getattr(value, name)
        if callable(found) and not isinstance(found, type):
            return self.with_arguments(f"{text}.{name}", found, type(value), name)
        return f"{text}.{name}", getattr, (value, name), {}

    def operate(self, first: Made | None = None) -> Call:
        """Return an operation on a value of derlib: one with a syntax, a built-in function or a usual method."""
        if first is None:
            first = self.instance(self.some_class()) if self.pool.chance.randrange(3) else self.pool.view()
        if self.pool.chance.randrange(2):
            function: Any = self.pool.chance.choice(UNARY)
            return f"{spelling(function)} of {first[0]}", function, first[1:], {}
        makers = (self.pool.number, self.pool.text, self.pool.anything, lambda: first)
        second = self.pool.chance.choice(makers)()
        function = self.pool.chance.choice(BINARY)
        return f"{spelling(function)} of {first[0]} and {second[0]}", function, (first[1], second[1]), {}

    def sweep(self) -> list[Callable[[Made], Call]]:
        """Return all operations on one value in random order: one can disturb the next."""
        chance = self.pool.chance
        others = [(str(index), index) for index in INDEXES]
        others += [self.pool.text() for _ in range(4)] + [self.pool.anything()]
        calls: list[Callable[[Made], Call]] = [
            lambda first, function=function: (f"{spelling(function)} of {first[0]}", function, first[1:], {})
            for function in UNARY
        ]
        calls += [
            lambda first, function=function, other=other: (
                f"{spelling(function)} of {first[0]} and {other[0]}", function, (first[1], other[1]), {})
            for function in BINARY for other in others
        ]
        return chance.sample(calls, len(calls))

    def build(self) -> Call:
        """Return a call that builds or decodes a value of the class of this step, or of one that lies."""
        name, class_ = (self.pool.class_.__name__, self.pool.class_)
        if self.pool.chance.randrange(3) == 0:
            name, class_ = self.pool.liar(class_)
        if self.pool.chance.randrange(3) == 0:
            return self.with_arguments(f"{name}.decode", class_.decode, _core.View, "decode")
        function = self.pool.chance.choice(BUILD)
        text, value = self.pool.native()
        return f"{spelling(function)} for {name} and {text}", function, (class_, value), {}

    def declare(self) -> Call:
        """Return a class statement with random annotations; the class is used once."""
        chance = self.pool.chance
        base = chance.choice((derlib.Sequence, derlib.Set, derlib.Choice, derlib.SequenceOf, self.pool.class_))
        hints, texts = {}, []
        for name in chance.sample(("x", "y", "z", "kind"), chance.randrange(1, 4)):
            text, hints[name] = self.pool.expression() if chance.randrange(5) else self.pool.anything()
            texts.append(f"{name}: {text}")
        namespace: dict[str, Any] = {"__annotations__": hints, "__module__": __name__}
        keywords = {}
        if chance.randrange(3) == 0:
            text, namespace["x"] = self.pool.anything()
            texts.append(f"x = {text}")
        if chance.randrange(3) == 0:
            name = chance.choice(("tag", "size", "fields", "extensible", "automatic_tags", "element"))
            text, keywords[name] = self.pool.anything()
            texts.append(f"{name}={text}")
        octets, native = self.pool.buffer()[1], self.pool.native()[1]

        def declared() -> Any:
            if issubclass(base, _core.ListView):
                made = base[next(iter(hints.values()))]
            else:
                made = type(base)("Made", (base,), namespace, **keywords)
            self.keep(made)
            with contextlib.suppress(Exception):
                self.keep(made.decode(octets))
            return made.from_native(native)
        return f"class of {base.__name__}: {'; '.join(texts)}", declared, (), {}

    # With which arguments.

    def instance(self, class_: Any) -> Made:
        """Return an instance of a class: an earlier value, or one that is made for this."""
        chance = self.pool.chance
        kept = [(f"kept[{slot}]", one) for slot, one in sorted(self.pool.kept.items()) if issubclass(type(one), class_)]
        if kept and chance.randrange(2):
            return chance.choice(kept)
        if chance.randrange(6) == 0:
            return f"{class_.__name__}.__new__", class_.__new__(class_)
        if class_ in STANDALONE:
            return class_.__name__, STANDALONE[class_]()
        if issubclass(class_, _core.View):
            return self.pool.view(class_ if id(class_) in self.checked else None)
        if issubclass(class_, enum.Enum):
            return self.pool.pick(list(class_) or [class_])
        text, _, arguments, keywords = self.with_arguments(class_.__name__, class_, None, class_.__name__)
        self.log(f"  {text}")
        return text, class_(*arguments, **keywords)

    def with_arguments(self, text: str, function: Any, owner: Any, name: str, *itself: Made) -> Call:
        """Return the call of a function with arguments of its signature, or with random ones."""
        chance = self.pool.chance
        try:
            known = parameters(owner, name, function) if chance.randrange(8) else None
        except TypeError:                           # it cannot be hashed
            known = None
        positional, keywords, texts = list(itself), {}, []
        if known is None:
            positional += [self.pool.anything() for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        for one in known or ():
            if one.optional and chance.randrange(2):
                continue
            if one.many and one.keyword:
                made, value = self.pool.native()
                texts.append(f"**{made}")
                keywords.update(value if type(value) is dict else {})
                continue
            for _ in range(chance.randrange(3) if one.many else 1):
                made, value = self.pool.suitable(one.name, one.annotation)
                if one.keyword:
                    keywords[one.name] = value
                    texts.append(f"{one.name}={made}")
                else:
                    positional.append((made, value))
        texts = [made for made, _ in positional] + texts
        return f"{text}({', '.join(texts)})", function, tuple(value for _, value in positional), keywords

    # Properties of results.

    def check_exception(self, error: BaseException, text: str) -> None:
        """Record an exception that no argument may cause, unless derlib received it from an argument."""
        seen: BaseException | None = error
        while seen is not None:
            message = seen.args[0] if seen.args and type(seen.args[0]) is str else ""
            lost = "None" not in text and message.startswith(("'NoneType' object", "object of type 'NoneType'"))
            if lost:
                last = traceback.extract_tb(seen.__traceback__)[-1].filename
                lost = "derlib/" in last and "tests" not in last
            if lost or isinstance(seen, (SystemError, UnboundLocalError, AssertionError)):
                self.found.append("".join(traceback.format_exception(error))[-3000:])
                return
            seen = seen.__context__

    def check_value(self, value: Any, function: Any, arguments: tuple[Any, ...]) -> None:
        """Record a value of derlib that contradicts itself."""
        # If a type was registered meanwhile, an old value can be invalid for its class.
        steady = self.registrations == _core.registration_count()
        try:
            if id(type(value)) in self.checked and is_sound(value):
                for other in (value, *self.pool.kept.values()):
                    if type(other) is type(value) and is_sound(other):
                        compare(value, other)
                if steady:
                    check_again(value)
            if steady and function is derlib.encode and id(arguments[-1]) in self.checked:
                arguments[-1].decode(value)
        except Exception:
            self.found.append(traceback.format_exc())

    def check_library(self, known: list[tuple[Any, bytes, str]]) -> None:
        """Record a class of derlib that does not decode its known encodings as before."""
        for class_, octets, text in known:
            if described(class_, octets) != text:
                self.found.append(f"{class_.__name__} decodes to something else than before")


def is_sound(value: Any) -> bool:
    """Return whether a value has an encoding that cannot change; another one may be rejected or wrong."""
    try:
        return not isinstance(value, (_core.View, _core.TLV)) or type(value.der.obj) is bytes
    except (TypeError, derlib.DecodeError):
        return False


def compare(value: Any, other: Any) -> None:
    """Check that comparing two values of one class is consistent."""
    equal = value == other
    assert (value != other) is not equal
    assert (other == value) is equal
    assert not equal or hash(value) == hash(other)
    if type(value).__lt__ is not object.__lt__:
        with contextlib.suppress(TypeError):
            assert (value < other) + (other < value) + equal == 1


def check_again(value: Any) -> None:
    """Check that a value comes back from its pickle and from its encoding."""
    tolerate, limits = None, None
    if isinstance(value, (_core.View, _core.TLV)):
        octets_at = 2 if isinstance(value, _core.View) else 1
        tolerate, limits = (*value.__reduce_ex__(2)[1][octets_at:], None, None)[:2]
    if limits is None or all(type(one) is int or one is None for one in vars(limits).values()):
        assert pickle.loads(pickle.dumps(value)) == value
    if isinstance(value, _core.View):
        assert type(value).decode(value.encode(), tolerate=tolerate, limits=limits) == value


def described(class_: Any, octets: bytes) -> str:
    """Return all results of a class for an encoding, as text."""
    value = class_.decode(octets)
    again = class_.from_native(value.to_native())
    return f"{value!r} {value.to_json()} {again.encode() == octets}"


def known_values() -> list[tuple[Any, bytes, str]]:
    """Return values of derlib's own classes, whose meaning no call may change."""
    found = [(type(value), value.encode()) for value in (*examples(), entries())]
    return [(class_, octets, described(class_, octets)) for class_, octets in found]


def spelling(function: Any) -> str:
    name = getattr(function, "__name__", repr(function))
    return name if name != "<lambda>" else inspect.getsource(function).strip().rstrip(",")
