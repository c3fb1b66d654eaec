"""Python values created from bytes, for a target that builds values from the input of the fuzzer.

`Maker.value` follows the type, so most values are nearly valid; sometimes it returns a random value. The same bytes
create the same value. Zeros follow after their end, and create the smallest value.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import derlib
from derlib._core import Kind

TEXTS = (
    "", "a", "0", "1", "é", "\u0416", "\U0001f600", "\ud800", "x" * 200, "1.2.3", "2.999.1", "v1",
    "'101'B", "0x7f",
)
OIDS = (
    "1.2.3", "2.5.4.3", "2.5.29.15", "1.2.840.113549.1.1.11", "2.999." + str(2**130), "1.40", "3.1", "",
    "2.5.29.17",
)
RARE = (
    0.0, 1.5, -1e300, "0x3p-2", "0.75", "1E400", 7, "8571.3.2", "0.1", "/ISO/a/17", "a/b", "/0", "P1Y6M", "PT1.5S",
    "1985-04-12", "24:00:00", "2016-12-31T23:59:60", "10:15:30.0+01", "R5/1985-W15-5/P1Y",
    date(1582, 10, 15), time(23, 59),
)
DEPTH = 40


class Maker:
    """Takes bytes from the start and creates values from them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def octet(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def octets(self) -> bytes:
        count = self.octet()
        taken = self.data[self.at : self.at + count]
        self.at += count
        return taken

    def integer(self) -> int:
        return int.from_bytes(self.octets(), "big", signed=True)

    def text(self) -> str:
        form = self.octet()
        if form & 1:
            return TEXTS[form % len(TEXTS)]
        return self.octets().decode("utf-8" if form & 2 else "latin-1", "surrogateescape" if form & 4 else "replace")

    def time(self) -> Any:
        form = self.octet()
        if form == 255:
            return datetime(2020, 1, 1)
        number = int.from_bytes(self.octets()[:8], "big")
        zone = timezone(timedelta(minutes=form - 64)) if form & 1 else timezone.utc
        moment = datetime(1950, 1, 1, tzinfo=zone)
        try:
            return moment + timedelta(seconds=number % 2**38, microseconds=form if form & 2 else 0)
        except OverflowError:
            return datetime.max.replace(tzinfo=zone)

    def anything(self, depth: int = 0) -> Any:
        """Return a value of any kind that Python code could pass by mistake."""
        kind = self.octet() % 20
        if depth > DEPTH:
            return None
        made: Any = (
            None, True, False, self.octet(), 1.5, derlib.NULL, float("nan"), object, Ellipsis, derlib.Tag,
        )[kind % 10]
        if kind == 10:
            made = self.integer()
        elif kind == 11:
            made = self.octets()
        elif kind == 12:
            made = self.text()
        elif kind == 13:
            made = [self.anything(depth + 1) for _ in range(self.octet() % 8)]
        elif kind == 14:
            made = {self.text(): self.anything(depth + 1) for _ in range(self.octet() % 4)}
        elif kind == 15:
            made = self.time()
        elif kind == 16:
            made = bytearray(self.octets())
        elif kind == 17:
            made = tuple(self.anything(depth + 1) for _ in range(self.octet() % 4))
        elif kind == 18:
            made = memoryview(self.octets())
        elif kind == 19:
            made = {"$opaque": self.octets()}
        return made

    def value(self, plan: Any, depth: int = 0, around: dict[str, Any] | None = None) -> Any:
        """Return a value for a plan, usually of its kind."""
        while plan.kind == Kind.KIND_EXPLICIT:
            plan = plan.element
        kind = plan.kind
        luck = self.octet()
        if luck == 255 or depth > 2 * DEPTH:
            return self.anything(depth)
        if kind in (Kind.KIND_SEQUENCE, Kind.KIND_SET):
            return self.fields(plan, depth)
        if kind in (Kind.KIND_SEQUENCE_OF, Kind.KIND_SET_OF):
            count = luck % 4 if luck < 250 else luck
            if self.at > len(self.data):
                count = 1
            return [self.value(plan.element, depth + 1) for _ in range(count)]
        if kind in (Kind.KIND_CHOICE, Kind.KIND_UNION):
            if plan.insertion is not None and luck % 5 == 4:
                return {"$opaque": self.element()}
            index = luck % len(plan.names)
            inner = self.value(plan.plans[index], depth + 1)
            return inner if kind == Kind.KIND_UNION and luck & 128 else {plan.names[index]: inner}
        if kind in (Kind.KIND_OPEN, Kind.KIND_OPEN_OCTETS, Kind.KIND_OPEN_BITS):
            target = plan.contained or self.selected(plan, around)
            if target is not None and luck & 3:
                return self.value(target, depth + 1)
            return {"$opaque": self.octets()} if luck & 4 else self.octets()
        return self.primitive(plan, luck)

    def selected(self, plan: Any, around: dict[str, Any] | None) -> Any:
        """Return the plan that the table of an open type has for the first OBJECT IDENTIFIER beside it."""
        for value in (around or {}).values() if plan.table is not None else ():
            dotted = value.get("algorithm") if isinstance(value, dict) else value
            if isinstance(dotted, str):
                try:
                    return plan.table.plan_for(derlib.ObjectIdentifier(dotted).content)
                except derlib.ASN1Error:
                    return None
        return None

    def element(self) -> bytes:
        """Return an element with a rare tag, or any element."""
        head = self.octet()
        contents = self.octets()
        return self.octets() if head == 255 else bytes([head & 0xDF or 0x85, len(contents) & 0x7F]) + contents[:127]

    def fields(self, plan: Any, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        skip = self.octet()
        tables = [inner.table for inner in plan.plans if inner.table is not None]
        for index, (name, inner) in enumerate(zip(plan.names, plan.plans, strict=True)):
            must = not plan.optional[index]
            if not must and (not skip >> index % 8 & 1 or depth > DEPTH):
                continue
            if inner.kind == Kind.KIND_OBJECT_IDENTIFIER and tables:
                known = sorted(tables[0].plans)
                pick = self.octet() << 8 | self.octet()
                if known and pick & 1:
                    contents = known[(pick >> 1) % len(known)]
                    values[name] = derlib.ObjectIdentifier.from_content(contents).dotted
                    continue
            values[name] = self.value(inner, depth + 1, values)
        if plan.insertion is not None and skip & 0x30 == 0x30:
            values["$additions"] = [self.element() for _ in range(self.octet() % 3)]
        if skip == 255:
            values[self.text()] = self.anything()
        return values

    def primitive(self, plan: Any, luck: int) -> Any:
        kind = plan.kind
        if kind == Kind.KIND_BOOLEAN:
            return bool(luck & 1)
        if kind in (Kind.KIND_INTEGER, Kind.KIND_NAMED_INTEGER, Kind.KIND_ENUMERATED):
            return luck % 8 if luck & 64 else self.integer()
        if kind == Kind.KIND_NULL:
            return derlib.NULL
        if kind == Kind.KIND_OBJECT_IDENTIFIER:
            return OIDS[luck % len(OIDS)] if luck & 64 else ".".join(map(str, self.octets()))
        if plan.is_character_string:
            return self.text()
        if kind in (Kind.KIND_UTC_TIME, Kind.KIND_GENERALIZED_TIME):
            return self.text() if luck & 64 else self.time()
        if kind == Kind.KIND_BIT_STRING:
            return format(self.octet(), "b") if luck & 64 else self.octets()
        if kind == Kind.KIND_NAMED_BITS:
            return [bit % 40 for bit in self.octets()] if luck & 64 else self.integer()
        if Kind.KIND_REAL <= kind <= Kind.KIND_DURATION:
            return RARE[self.octet() % len(RARE)] if luck & 64 else self.text()
        if kind == Kind.KIND_ANY:
            return bytes.fromhex("0500") if luck & 64 else self.octets()
        return self.octets()
