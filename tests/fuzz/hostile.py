"""Arguments for the API fuzzer: valid values, values of the wrong type, and objects that lie or call back.

`Pool` makes each value from a random number generator and describes it in a few characters of text, so that a call can
be reported without calling `repr` on an object that may not survive it.
"""

from __future__ import annotations

import array
import collections
import ctypes
import datetime
import functools
import gc
import hashlib
import io
import mmap
import re
from collections.abc import Callable
from random import Random
from typing import Annotated, Any

from corpus.octets import VIEWS, steps

import derlib
from derlib import _core
from derlib.schemas import crl, x509

from .mutate import mutate
from .schemas import CLASSES, OPAQUE, OWN, TYPED
from .values import OIDS, RARE, TEXTS, Maker

Made = tuple[str, Any]          # the description of a value, and the value

EVERYTHING = ~derlib.Deviation(0)
DEPTH = 3                       # callbacks inside callbacks, and containers inside containers
INTEGERS = (
    0, 1, -1, 2, 3, 7, 29, 36, 100, 127, 128, 255, 256, -129, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**63,
    -(2**63), -(2**63) - 1, 2**64, 10**40, -(2**3000), True,
)
NAMES = ("x", "y", "number", "kind", "picks", "user_certificate", "version", "$opaque", "$additions", "__plan__", "no")
ZONES = tuple(datetime.timezone(datetime.timedelta(minutes=minutes)) for minutes in (0, 1, -1439))
OTHERS = (
    None, ..., NotImplemented, object, 0.0, 1.5, float("nan"), float("inf"), 1j, b"", (), set(), type, derlib.NULL,
    datetime.date(1, 1, 1), datetime.time(23, 59), datetime.timedelta.max, datetime.datetime.min, len, *RARE,
)
EXPRESSIONS = (
    int, str, bytes, bool, None, Any, datetime.datetime, derlib.TLV, derlib.BitString, derlib.ObjectIdentifier,
    "Letter", Annotated[int, derlib.Explicit(0)], Annotated[int, derlib.Range(0, 5)],
    Annotated[bytes, derlib.Size(1, 2)], derlib.UTF8String | derlib.PrintableString, derlib.Real, derlib.UTCTime,
    derlib.SequenceOf, derlib.Choice,
)
ERRORS = (
    MemoryError, RecursionError, KeyboardInterrupt, StopIteration, GeneratorExit, SystemExit, ValueError, TypeError,
    AttributeError, LookupError, OverflowError, BufferError, OSError, derlib.DecodeError, derlib.ConstraintError,
)
BASES = (
    int, str, bytes, bytearray, float, list, tuple, dict, set, object, datetime.datetime, datetime.date, datetime.time,
    datetime.tzinfo, collections.UserDict, collections.UserList, io.BytesIO, Exception, derlib.Size, derlib.OpenTypes,
)
# The results of a method that lies. The others return one of `ANY_LIE`.
ANY_LIE = (..., 0, -1, 2**62, "x", b"\x05\0", (), object)
ORDER = (True, False, NotImplemented, ..., "x")
NUMBER = (0, 1, -1, 5, 300, 5000, 2**62, 2**70, "x", ...)
TEXT = ("", "x", "\ud800", "x" * 500, b"x", ...)
LIES: dict[str, tuple[Any, ...]] = {
    "__len__": NUMBER, "__length_hint__": (0, 3, -1, "x"), "__index__": NUMBER, "__int__": NUMBER, "__hash__": NUMBER,
    "__float__": (0.0, float("nan"), "x"), "__bool__": (True, False, 2, ...), "__repr__": TEXT, "__str__": TEXT,
    "__bytes__": (b"", b"0\x03\x02\x01\x05", "x", ...), "__contains__": ORDER, "__instancecheck__": ORDER,
    "__subclasscheck__": ORDER, "utcoffset": (datetime.timedelta(1), datetime.timedelta(0, 1), None, "x"),
    "write": (None, 0, 1, -1, 2**62, "x"), "read": (b"", b"\x05\0", b"x" * 5000, "x", ...), "keys": ((), ("x",), ...),
    **dict.fromkeys(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"), ORDER),
}
# These end a loop that calls a method which the base class does not have.
ENDS = {"__next__": StopIteration, "__getitem__": IndexError, "__getattr__": AttributeError}
# Methods that are used beyond those of the base class.
MORE = (
    "__len__", "__index__", "__iter__", "__next__", "__getitem__", "__bool__", "__bytes__", "__buffer__", "__getattr__",
    "__call__", "__eq__", "__del__", "__contains__", "__fspath__", "__int__", "__length_hint__", "__missing__", "keys",
    "items", "read", "write", "seek", "tell", "__class__", "__get__", "__set_name__", "__asn1__", "__plan__",
)
# A class that overrides these is of little use: its instances cannot be created, or their first use fails.
KEPT = {"__new__", "__init__", "__init_subclass__", "__subclasshook__", "__class_getitem__", "__getattribute__", "mro"}
# The classes of values for an annotation that contains this word; see `Pool.suitable`.
MAKERS: dict[str, Callable[[Pool], Made]] = {}


def makes(*words: str) -> Callable[[Callable[[Pool], Made]], Callable[[Pool], Made]]:
    """Register a method of `Pool` for the arguments whose annotation or name contains one of these words."""
    def put(make: Callable[[Pool], Made]) -> Callable[[Pool], Made]:
        MAKERS.update(dict.fromkeys(words, make))
        return make
    return put


@functools.cache
def examples() -> tuple[Any, Any]:
    """Return a certificate and a CRL."""
    moment = datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc)
    name = x509.Name.of({"C": "GB", "O": "Example", "CN": "Example Root"})
    key = x509.SubjectPublicKeyInfo(algorithm=x509.sa_ed25519, subject_public_key=derlib.BitString(bytes(32)))
    tbs: Any = x509.TBSCertificate(
        version=x509.Version.v3, serial_number=1, signature=x509.sa_ed25519, issuer=name, subject=name,
        validity=x509.Validity(not_before=moment, not_after=moment), subject_public_key_info=key, extensions=[
            x509.Extension.of(x509.BasicConstraints(ca=True), critical=True),
            x509.Extension.of(x509.KeyUsage.key_cert_sign | x509.KeyUsage.crl_sign, critical=True),
            x509.Extension.of(x509.SubjectAltName([{"dns_name": "www.example.org"}, {"ip_address": b"1234"}])),
        ])
    reasons = [x509.Extension.of(crl.CRLReason.key_compromise)]
    to_be_signed: Any = crl.TBSCertList(
        version=x509.Version.v2, signature=x509.sa_ed25519, issuer=name, this_update=moment, next_update=moment,
        revoked_certificates=[
            {"user_certificate": number * 2**60, "revocation_date": moment,
             "crl_entry_extensions": reasons if number % 3 else None} for number in range(50)
        ], crl_extensions=[x509.Extension.of(1, extn_id=crl.id_ce_crl_number)])
    signature = derlib.BitString(bytes(64))
    return (
        x509.Certificate(tbs_certificate=tbs, signature_algorithm=tbs.signature, signature_value=signature),
        crl.CertificateList(tbs_cert_list=to_be_signed, signature_algorithm=tbs.signature, signature_value=signature),
    )


@functools.cache
def parts() -> list[Any]:
    """Return the examples and all values inside them."""
    found: list[Any] = [*examples()]
    for value in found:
        found += [inner for _, inner in steps(value) if isinstance(inner, VIEWS)]
    return found


@functools.cache
def encodings(class_: Any) -> tuple[bytes, ...]:
    """Return encodings of a few values of a class, the same in each process."""
    made = {value.encode() for value in parts() if type(value) is class_}
    for seed in range(30):
        noise = hashlib.shake_128(f"{class_.__name__} {seed}".encode()).digest(seed * 5)
        try:
            made.add(class_.from_native(Maker(noise).value(class_.__plan__)).encode())
        except derlib.ASN1Error:
            continue
    return tuple(sorted(made)) or (b"0\0",)    # of a class that is abstract, or seldom built by chance


class Pool:
    """Creates values. `kept` has the results of earlier calls; `step` runs another call inside one."""

    def __init__(self, step: Callable[[], object]) -> None:
        self.chance = Random(0)
        self.kept: dict[int, Any] = {}
        self.mutable: collections.deque[Any] = collections.deque(maxlen=20)     # objects that callbacks change
        self.class_: Any = CLASSES[0]
        self.made = 0
        self.depth = 0
        self.budget = 0
        self.nested = step

    def begin(self, seed: str, phase: str) -> None:
        """Start a step: its values depend on the seed and on stored values, its class on the phase."""
        self.chance = Random(phase)
        self.class_ = self.chance.choice(OWN if self.chance.randrange(3) else CLASSES)
        self.chance = Random(seed)
        self.made = self.depth = 0
        self.budget = 300

    def keep(self, value: Any) -> None:
        self.kept[self.chance.randrange(40)] = value

    def pick(self, values: Any) -> Made:
        value = self.chance.choice(values)
        return f"{value!r:.60}", value

    def suitable(self, name: str, annotation: str) -> Made:
        """Return a value for a parameter, usually of the type of its annotation."""
        if name == "indent":                        # a large one requests as much memory
            return self.pick((None, 0, 3, "\t", 1.5))
        if self.chance.randrange(6) == 0:
            return self.anything()
        if repeated := re.fullmatch(r"(?:tuple|list)\[(.*?)(?:, \.\.\.)?\]", annotation):
            parts = [self.suitable("", repeated[1]) for _ in range(self.chance.randrange(4))]
            made = [value for _, value in parts]
            return f"[{', '.join(text for text, _ in parts)}]", tuple(made) if annotation[0] == "t" else made
        words = [word for word in (name, *re.findall(r"\w+", annotation)) if word in MAKERS]
        return MAKERS[self.chance.choice(words)](self) if words else self.anything()

    def anything(self) -> Made:
        return self.chance.choice(list(MAKERS.values()))(self)

    @makes("kept", "Self", "other")
    def earlier(self) -> Made:
        slot = self.chance.randrange(40)
        return (f"kept[{slot}]" if slot in self.kept else "None"), self.kept.get(slot)

    @makes("None", "Any", "object")
    def other(self) -> Made:
        return self.pick(OTHERS)

    @makes("int", "SupportsIndex", "index", "float")
    def number(self) -> Made:
        if self.chance.randrange(6) == 0:
            return self.disguised(self.chance.choice(INTEGERS))
        return self.pick(range(40) if self.chance.randrange(2) else INTEGERS)

    @makes("str", "_Step", "name", "field", "oid")
    def text(self) -> Made:
        names = NAMES + tuple(self.class_.__body__.names or ())
        text = self.chance.choice(names if self.chance.randrange(2) else TEXTS + OIDS + NAMES)
        return self.disguised(text) if self.chance.randrange(6) == 0 else (f"{text!r:.60}", text)

    @makes("Buffer", "bytes", "bytearray", "data", "octets", "content")
    def buffer(self) -> Made:
        octets = self.chance.choice(encodings(self.class_))
        if self.chance.randrange(4) == 0:
            octets = mutate(octets, 2 * len(octets) + 9, self.chance.randrange(2**32))
        form = self.chance.randrange(14)
        name = f"{octets[:40].hex()}{'...' * (len(octets) > 40)} of {self.class_.__name__}"
        if form < 5:
            return name, octets
        if form == 5:
            return self.disguised(octets)
        if form == 6:
            return self.disguised(bytearray(octets))
        changing = bytearray(octets)
        self.mutable.append(changing)
        if form == 7:
            return f"bytearray {name}", changing
        view = memoryview(changing)
        if form == 8:
            view.release()
        elif form == 9:
            view = view[::-1]
        elif form == 10:
            view = view.toreadonly()
        elif form == 11:
            return f"array {name}", array.array("H", octets + bytes(len(octets) % 2))
        elif form == 12:
            return f"ctypes {name}", (ctypes.c_ubyte * len(octets)).from_buffer_copy(octets)
        else:
            view = mmap.mmap(-1, len(octets) or 1)
            view[: len(octets)] = octets
            self.mutable.append(view)
        return f"{type(view).__name__} {form} {name}", view

    @makes("datetime", "date", "time", "tzinfo")
    def moment(self) -> Made:
        zone: Any = self.chance.choice((None, *ZONES))
        if self.chance.randrange(4) == 0:
            zone = self.liar(datetime.tzinfo)[1]()
        year = self.chance.choice((1, 1949, 1950, 2049, 2050, 9999))
        moment = datetime.datetime(year, 12, 31, 23, 59, 59, tzinfo=zone)
        return self.disguised(moment) if self.chance.randrange(4) == 0 else (f"{year} in a zone", moment)

    @makes("type", "cls", "owner", "element")
    def expression(self) -> Made:
        luck = self.chance.randrange(8)
        if luck < 4:
            return self.class_.__name__, self.class_
        if luck == 4:
            return self.liar(self.chance.choice((self.class_, *BASES)))
        return self.pick((*EXPRESSIONS, *CLASSES) if luck < 7 else (derlib.Tag, derlib.Limits, _core.Kind, ValueError))

    @makes("Plan", "plan")
    def plan(self) -> Made:
        luck = self.chance.randrange(8)
        plan = self.class_.__plan__
        if luck < 3 and self.class_ in OWN:
            return f"plan of {self.class_.__name__}", plan
        if luck < 5:
            return f"plan derived from {self.class_.__name__}", plan.derived(self.chance.choice((None, 4, 5, 0x203)))
        kind = self.chance.randrange(40)
        try:
            return f"Plan({kind})", _core.Plan(kind, "made", self.chance.choice((None, 16, 17, 0x10)), self.class_)
        except derlib.SchemaError:
            return "Plan(0)", _core.Plan(0, "empty", None, self.class_)

    @makes("OpenTable", "OpenTypes", "table")
    def table(self) -> Made:
        return self.pick(
            (TYPED, OPAQUE, derlib.OpenTypes("T", {"1.2.3": int}), derlib.OpenTypes("S", on_mismatch="opaque"))
        )

    @makes("Limits", "_Limits", "limits")
    def limits(self) -> Made:
        limits = derlib.Limits(depth=self.chance.choice((1, 5, 100, 200)), size=self.chance.choice((None, 9, 10**6)))
        if self.chance.randrange(3) == 0:
            name, value = self.chance.choice(("depth", "size", "elements", "arc_octets")), self.number()[1]
            object.__setattr__(limits, name, value)
            return f"Limits with {name} {value!r:.40}", limits
        return f"{limits!r:.60}", limits

    @makes("Deviation", "_Tolerate", "tolerate")
    def deviation(self) -> Made:
        return self.pick((EVERYTHING, None, derlib.Deviation(0), derlib.Deviation(self.chance.randrange(2**15))))

    @makes("View", "ListView", "view", "_T", "Lookup")
    def view(self, class_: Any = None) -> Made:
        """Return a value of a class: decoded in one of several ways, built, or made without its octets."""
        class_ = class_ or self.class_
        luck = self.chance.randrange(10)
        if luck == 0:
            return f"{class_.__name__}.__new__", class_.__new__(class_)
        name, octets = f"a {class_.__name__}", self.chance.choice(encodings(class_))
        if luck < 3:
            name, class_ = self.liar(class_)
        try:
            if luck == 4:
                octets = mutate(octets, 2 * len(octets) + 9, self.chance.randrange(2**32))
                return f"tolerated {name}", class_.decode(octets, tolerate=EVERYTHING)
            if luck == 3:
                self.mutable.append(bytearray(octets))
                return f"shared {name}", class_.decode(self.mutable[-1], copy=False)
            return f"{octets[:40].hex()} as {name}", class_.decode(octets)
        except (derlib.ASN1Error, TypeError):
            return f"empty {name}", class_.__new__(class_)

    @makes("native", "value", "values", "changes", "elements", "alternative")
    def native(self) -> Made:
        """Return plain data for the class of this step, some of them replaced by invalid data."""
        value = Maker(self.chance.randbytes(60)).value(self.class_.__plan__)
        if self.chance.randrange(3) == 0:
            return f"{value!r:.300}", value
        return f"{value!r:.300} spoilt", self.spoilt(value, 0)

    def spoilt(self, value: Any, depth: int) -> Any:
        """Return the plain data with other values, lying subclasses and generators at some places."""
        luck = self.chance.randrange(24)
        if luck == 0:
            return self.anything()[1]
        if luck < 3 and type(value) in BASES:
            return self.disguised(value)[1]
        if luck == 3 and isinstance(value, dict):
            return collections.UserDict(value)
        if luck < 6 and isinstance(value, list):
            return self.generator(value)
        if depth < 30 and type(value) is dict:
            return self.changing({name: self.spoilt(inner, depth + 1) for name, inner in value.items()})
        if depth < 30 and type(value) is list:
            return self.changing([self.spoilt(inner, depth + 1) for inner in value])
        return value

    def changing(self, value: Any) -> Any:
        """Record a container that callbacks can change; sometimes it contains itself."""
        self.mutable.append(value)
        if self.chance.randrange(30) == 0:
            value.update(x=value) if isinstance(value, dict) else value.append(value)
        return value

    @makes("Iterable", "Iterator", "list", "tuple")
    def row(self) -> Made:
        if self.depth > DEPTH:
            return "[]", []
        self.depth += 1
        parts = [self.anything() for _ in range(self.chance.randrange(4))]
        self.depth -= 1
        made = [value for _, value in parts]
        name = f"[{', '.join(text for text, _ in parts)}]"
        form = self.chance.randrange(5)
        if form == 0:
            return f"generator of {name}", self.generator(made)
        if form == 1:
            return self.disguised(made)
        return (f"tuple {name}", tuple(made)) if form == 2 else (name, self.changing(made))

    @makes("dict", "Mapping")
    def mapping(self) -> Made:
        made = {self.text()[1]: self.anything()[1]} if self.depth < DEPTH and self.chance.randrange(3) else {"x": 1}
        return self.disguised(made) if self.chance.randrange(3) == 0 else ("a dict", self.changing(made))

    @makes("Callable", "compiler", "finder", "make", "IO", "file", "memo")
    def object(self) -> Made:
        name, class_ = self.liar(self.chance.choice((object, io.BytesIO, type(self.class_))))
        try:
            return f"{name}()", class_()
        except TypeError:
            return name, class_

    def generator(self, values: Any) -> Any:
        """Yield the values, and call back between them."""
        chance = Random(self.chance.random())
        def generated() -> Any:
            for value in list(values):
                if chance.randrange(8) == 0:
                    self.interfere(None, chance)
                yield value
        return generated()

    def disguised(self, value: Any) -> Made:
        """Return the value as an instance of a subclass that lies."""
        name, class_ = self.liar(type(value))
        try:
            if isinstance(value, datetime.datetime):
                return name, class_(*value.timetuple()[:6], tzinfo=value.tzinfo)
            return f"{name}({value!r:.60})", class_(value)
        except BaseException:
            return f"{value!r:.60}", value

    def liar(self, base: Any) -> Made:
        """Return a subclass that overrides methods of its base and others, and sometimes has a metaclass that lies."""
        everything = sorted({name for name in dir(base) if callable(getattr(base, name, None))} - KEPT)
        special = [name for name in everything if name.startswith("__")]
        names = set(self.chance.choices(special, k=self.chance.randrange(4)))
        names |= set(self.chance.choices((*everything, *MORE), k=self.chance.randrange(1, 4)))
        if self.chance.randrange(8) == 0:
            names.add(self.chance.choice(sorted(KEPT - {"mro", "__init_subclass__", "__subclasshook__"})))
        self.made += 1
        metaclass = type(base)
        if self.chance.randrange(5) == 0:
            checks = {"__instancecheck__", "__subclasscheck__", "__eq__", "__hash__"}
            metaclass, _ = self.subclass(metaclass, checks, type)
        class_, names = self.subclass(base, names, metaclass)
        return f"{getattr(class_, '__name__', base)} lying in {'/'.join(sorted(names))}", class_

    def subclass(self, base: Any, names: set[str], metaclass: Any) -> tuple[Any, set[str]]:
        """Return the subclass and the names that it overrides; the base itself if it does not allow such a subclass."""
        holder: list[Any] = []
        namespace: dict[str, Any] = {name: self.lie(name, holder) for name in sorted(names)}
        for name in names & {"__class__", "__plan__", "__asn1__"}:
            namespace[name] = property(namespace[name])
        try:
            class_ = metaclass(f"Liar{self.made}", (base,), {**namespace, "__module__": __name__})
        except Exception:
            return base, {"nothing"}
        holder.append(class_)
        return class_, names

    def lie(self, name: str, holder: list[Any]) -> Any:
        """Return a method that randomly lies, raises, calls back or calls its base class."""
        chance = Random(self.chance.random())
        honest = chance.choice((0, 2, 12))
        results = LIES.get(name, ANY_LIE)
        steady = chance.choice(results)

        def method(self_: Any, *arguments: Any, **keywords: Any) -> Any:
            self.budget -= 1
            luck = chance.randrange(8 + honest)
            if self.budget > 0 and luck < 3:
                return chance.choice(results) if luck else steady
            if self.budget > 0 and luck == 3:
                raise chance.choice(ERRORS)("a lie")
            if self.budget > 0 and luck == 4:
                self.interfere(self_, chance)
            if self.budget > 0 and luck == 5 and name not in LIES:
                return self.kept.get(chance.randrange(40), 0)
            inherited = getattr(super(holder[0], self_), name, None) if holder else None
            if inherited is None and name in ENDS:
                raise ENDS[name]("the end")
            if inherited is None:
                return steady
            return inherited(*arguments, **keywords) if callable(inherited) else inherited
        return method

    def interfere(self, value: Any, chance: Random) -> None:
        """Do something in a callback that its caller may not expect."""
        if self.depth >= DEPTH:
            return
        self.depth += 1
        try:
            luck = chance.randrange(8)
            if luck < 3:
                self.nested()
            elif luck == 3:
                gc.collect()
            elif luck == 4 and value is not None:
                value.__init__()
            elif luck == 5:
                self.keep(value)
            elif luck == 6:
                TYPED.register(f"1.2.{chance.randrange(40)}", chance.choice((int, self.class_)))
            for one in tuple(self.mutable) if luck > 5 else ():
                self.change(one, chance)
        finally:
            self.depth -= 1

    def change(self, value: Any, chance: Random) -> None:
        """Change a container or buffer that a call may be using."""
        if isinstance(value, dict):
            value.clear() if chance.randrange(2) else value.update(x=self.earlier()[1])
        elif isinstance(value, list):
            value.clear() if chance.randrange(2) else value.extend([None] * 40)
        elif len(value):
            value[chance.randrange(len(value))] = chance.randrange(256)
            if isinstance(value, bytearray) and chance.randrange(2):
                value.extend(b"x" * 400)

