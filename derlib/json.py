"""The JSON form of values (RFC 8259). The methods `to_json` and `from_json` of values call this module.

Decoding follows the type, which determines how each JSON value is read. JSON text is untrusted: numbers and the nesting
depth are bounded, and every fault is a `ConstraintError` with a path.

>>> from derlib import SequenceOf, json
>>> json.encode(json.decode(SequenceOf[bytes], '["6162", ""]'))
'["6162", ""]'
"""
# docs/native-and-json.md describes the form. The core reads and writes usual values itself (`_core.build_json`,
# `_core.json_text`). For the others, and for every error, it converts a value to data that JSON can represent
# (`native_of`), and this module converts JSON data to plain data, which the encoder validates.

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timezone
from functools import lru_cache
from math import isinf
from typing import Any, NoReturn

from derlib import _core
from derlib._core import NULL_VALUE, OPAQUE, Kind, Plan
from derlib._schema.compiler import plan_of
from derlib._schema.open_types import reading_order, selecting_components
from derlib.errors import ASN1Error, ConstraintError, EncodeError
from derlib.oids import find_oid

__all__ = ["decode", "encode"]

# The largest number of characters of a JSON number. Longer integers are hexadecimal text, which is linear to read.
# Users cannot set Python's own limit (sys.set_int_max_str_digits) below this one, so `int` never raises.
NUMBER_LIMIT = 640
# The limit of digits that Python has by default (sys.set_int_max_str_digits).
DEFAULT_DIGITS_LIMIT = 4300
# The largest number of steps of a path: a value has at most 100 levels, with about two steps each.
STEPS_LIMIT = 300

ENCODER = json.JSONEncoder(ensure_ascii=False)
HEX = re.compile(r"[0-9a-fA-F]*")
HEX_NUMBER = re.compile(r"-?0x[0-9a-fA-F]+")
BITS = re.compile(r"'[01]+'B")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?Z")

# Converts the JSON value of a primitive type.
Reader = Callable[[Plan, Any], Any]
# The plan of a SEQUENCE and its values that were read so far, in which open types find their selector.
Around = tuple[Plan, dict[str, Any]] | None


class Unreadable:
    """A value in parsed JSON that is not accepted. The reader raises the error, because it knows the path.

    A number with a fraction or an exponent has its `text`, because REAL accepts it.
    """

    def __init__(self, why: str, text: str | None = None) -> None:
        self.why = why
        self.text = text


def encode(value: Any, *, indent: int | str | None = None, names: bool = False) -> str:
    """Return a value of a schema class as JSON text.

    Args:
        value: a value of a schema class.
        indent: as in `json.dumps`; None writes a single line.
        names: True writes the names of OBJECT IDENTIFIERs, as `to_native` of a value does.

    >>> from derlib import SequenceOf, json
    >>> json.encode(SequenceOf[bool]([True, False]))
    '[true, false]'
    """
    if not isinstance(value, _core.View):
        raise TypeError(f"expected a value of a schema class, got {value.__class__.__name__}")
    if indent is None and not names:
        return _core.json_text(value, ENCODER.encode)
    return json.dumps(_core.native_of(value, True, names), indent=indent, ensure_ascii=False)


def decode(type: Any, text: str | bytes | bytearray) -> Any:
    """Return the value of a type from JSON text. The value satisfies the constraints of the type.

    Args:
        type: a schema class, or another type expression that an annotation can contain.
        text: a JSON text, as str or as bytes in UTF-8, UTF-16 or UTF-32.

    Raises:
        ConstraintError: the text is not JSON, repeats a name or is nested too deeply, or a value in it has the wrong
            type or violates a constraint. The error has the path.
        SchemaError: `type` is not a type.
        TypeError: `text` is not str, bytes or bytearray.

    >>> from typing import Annotated
    >>> from derlib import Range, json
    >>> json.decode(Annotated[int, Range(0, 9)], "7")
    7
    """
    return decode_plan(plan_of(type), text)


def decode_plan(plan: Plan, text: str | bytes | bytearray) -> Any:
    """Return the value of a compiled type from JSON text. The core calls this for `from_json`."""
    if not isinstance(text, (str, bytes, bytearray)):
        raise TypeError(f"expected JSON as str, bytes or bytearray, got {type(text).__name__}")
    plan.ready()
    value = _decode_valid(plan, text)
    if value is not None:
        return value
    try:
        return _decode_step_by_step(plan, text)
    except ASN1Error as error:
        # The path says where the fault is; the frames of the steps would only hide the line of the program.
        raise error.with_traceback(None) from error.__cause__


def _decode_valid(plan: Plan, text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text, or None if the text is not valid, or unusual."""
    # Python's limit of digits keeps `json.loads` linear. The first releases of Python 3.10 have no limit.
    if not 0 < getattr(sys, "get_int_max_str_digits", int)() <= DEFAULT_DIGITS_LIMIT:
        return None
    try:
        # A subclass can define these methods to return anything.
        if type(text) is bytes or type(text) is bytearray:
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return _core.build_json(plan, text) if type(text) is str else None
    except (ValueError, RecursionError):
        return None


def parsed_text(text: str | bytes | bytearray) -> Any:
    """Return the Python value of a JSON text of any type; `derlib convert` checks a text with it.

    Raises:
        ConstraintError: the text is not JSON, or is nested too deeply.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_broken_number,
            parse_constant=lambda name: Unreadable(f"{name} is not JSON"),
        )
    except RecursionError:
        raise ConstraintError("the JSON text is nested too deeply") from None
    except ValueError as error:
        raise ConstraintError(f"the text is not JSON: {error}") from None


def _decode_step_by_step(plan: Plan, text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text, or raise the error with its path."""
    parsed = parsed_text(text)
    try:
        return _core.build_plan(plan, _value(plan, parsed, None, 0))
    except (EncodeError, RecursionError) as error:
        raise ConstraintError(str(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> Any:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        repeated = next(name for name in made if counts[name] > 1)
        return Unreadable(f"an object has the name {_shown(repeated)} twice")
    return made


def _number(text: str) -> Any:
    if len(text) > NUMBER_LIMIT:
        return Unreadable(f"a number of {len(text)} characters is too long; write it as text, '0x...'")
    return int(text)


def _broken_number(text: str) -> Any:
    return Unreadable("a number with a fraction or an exponent is only accepted for REAL", text)


def _shown(name: str) -> str:
    return ascii(name) if len(name) <= 80 else f"{name[:64]!a}... ({len(name)} characters)"


def _wrong_type(plan: Plan, value: Any, expected: str) -> NoReturn:
    if isinstance(value, Unreadable):
        raise ConstraintError(value.why)
    if isinstance(value, str):
        found = _shown(value)
    else:
        types = {dict: "an object", list: "an array", bool: "true or false", int: "a number"}
        found = "null" if value is None else types.get(type(value), type(value).__name__)
    raise ConstraintError(f"expected {expected} for {plan.name} in JSON, got {found}")


def _value(plan: Plan, value: Any, around: Around, steps: int) -> Any:
    """Return the plain data for the JSON value of one element."""
    kind = plan.kind
    primitive = PRIMITIVES.get(kind)
    if primitive is not None:
        return primitive(plan, value)
    if steps > STEPS_LIMIT:
        raise ConstraintError("the value is nested too deeply")
    return CONSTRUCTED[kind](plan, value, around, steps + 1)


def _tagged(plan: Plan, value: Any, around: Around, steps: int) -> Any:
    """Read a type with an explicit tag, which is not a step of a path."""
    return _value(plan.element, value, around, steps)


@lru_cache(maxsize=1024)
def _components(plan: Plan) -> tuple[tuple[str, Plan, Reader | None], ...]:
    """Return the name, the type, and the reader of a primitive type, of each component: selectors come first."""
    numbers = reading_order(list(map(selecting_components, plan.plans)))
    return tuple((plan.names[i], plan.plans[i], PRIMITIVES.get(plan.plans[i].kind)) for i in numbers)


def _fields(plan: Plan, value: Any, _: Around, steps: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        _wrong_type(plan, value, "an object")
    if len(value) == 1 and _core.is_pair(plan):
        name, inner = next(iter(value.items()))
        if name not in plan.names:
            value = dict(zip(plan.names, (name, inner), strict=True))
    values: dict[str, Any] = {}
    around = (plan, values)
    name = ""
    try:
        # Not in the order of the text, so that a selector is read before its open type.
        for name, inner, primitive in _components(plan):
            if name in value:
                given = value[name]
                values[name] = _value(inner, given, around, steps) if primitive is None else primitive(inner, given)
    except ConstraintError as error:
        # The values of other fields are not plain data yet, but only the selectors are looked at.
        cause = _core.error_of_selectors(plan, plan.names.index(name), {**value, **values})
        if cause is not None:
            raise cause from None
        error.path = (name, *error.path)
        raise
    if _core.ADDITIONS in value:
        additions = value[_core.ADDITIONS]
        if not isinstance(additions, list):
            _wrong_type(plan, additions, "an array of unknown additions")
        values[_core.ADDITIONS] = _each(_core.ANY_PLAN, additions, None, steps)
    if len(values) < len(value):
        unknown = next(name for name in value if name not in values)
        from derlib._suggestions import no_part

        raise ConstraintError(f"{plan.name} has no field {_shown(unknown)}; {no_part(plan, unknown)}")
    return values


def _elements(plan: Plan, value: Any, around: Around, steps: int) -> list[Any]:
    if not isinstance(value, list):
        _wrong_type(plan, value, "an array")
    return _each(plan.element, value, around, steps)


def _each(plan: Plan, values: list[Any], around: Around, steps: int) -> list[Any]:
    made: list[Any] = []
    primitive = PRIMITIVES.get(plan.kind)
    try:
        if primitive is not None:
            for value in values:
                made.append(primitive(plan, value))
        else:
            for value in values:
                made.append(_value(plan, value, around, steps))
    except ConstraintError as error:
        error.path = (len(made), *error.path)
        raise
    return made


def _alternative(plan: Plan, value: Any, around: Around, steps: int) -> Any:
    if isinstance(value, dict):
        if len(value) == 1:
            name, inner = next(iter(value.items()))
            if name in plan.names:
                try:
                    return {name: _value(plan.plans[plan.names.index(name)], inner, around, steps)}
                except ConstraintError as error:
                    error.path = (name, *error.path)
                    raise
            if name == OPAQUE and plan.insertion is not None:
                return {OPAQUE: _octets(plan, inner)}
        raise ConstraintError(f"{plan.name}: expected an object with one of {', '.join(plan.names)}")
    if not _core.union_reads_plain(plan):
        _wrong_type(plan, value, "an object with one alternative")
    first = plan.plans[0]
    while first.kind == Kind.KIND_EXPLICIT:
        first = first.element
    # All alternatives read the same text; the encoder chooses one.
    if first.kind in (Kind.KIND_UTC_TIME, Kind.KIND_GENERALIZED_TIME):
        return _time(plan, value)
    return _text(plan, value)


def _any(plan: Plan, value: Any, _: Around, steps: int) -> Any:
    return _octets(plan, value)


def _open(plan: Plan, value: Any, around: Around, steps: int) -> Any:
    opaque = _bits if plan.kind == Kind.KIND_OPEN_BITS else _octets
    if isinstance(value, dict) and len(value) == 1 and OPAQUE in value:
        return {OPAQUE: opaque(plan, value[OPAQUE])}
    target = _selected(plan, around)
    if target is None:
        return opaque(plan, value)
    return _value(target, value, None, steps)


def _selected(plan: Plan, around: Around) -> Plan | None:
    """Return the type that the selector of an open type selects, or None if the table has none."""
    if plan.contained is not None:
        return plan.contained
    if around is None or not plan.selector or plan.table is None:
        return None
    at: Plan = around[0]
    value: Any = around[1]
    for index in plan.selector:
        name = at.names[index]
        found = value.get(name) if isinstance(value, dict) else getattr(value, name)
        value = at.defaults[index] if found is None else found
        at = at.plans[index]
        while at.kind == Kind.KIND_EXPLICIT:
            at = at.element
        if value is None:
            return None
    try:
        return plan.table.plan_selected(at, _core.encode_plan(at, value))
    except EncodeError:
        # The encoder reports the invalid value of the selector with its path.
        return None


# Primitive types: from JSON to plain data.


def _text(plan: Plan, value: Any) -> Any:
    if not isinstance(value, str):
        _wrong_type(plan, value, "a string")
    return value


def _oid(plan: Plan, value: Any) -> Any:
    """Read a dotted form, or a registered name."""
    text = _text(plan, value)
    dotted = find_oid(text)
    return text if dotted is None else dotted


def _boolean(plan: Plan, value: Any) -> Any:
    if not isinstance(value, bool):
        _wrong_type(plan, value, "true or false")
    return value


def _null(plan: Plan, value: Any) -> Any:
    if value is not None:
        _wrong_type(plan, value, "null")
    return NULL_VALUE


def _integer(plan: Plan, value: Any) -> Any:
    if type(value) is int:
        return value
    if isinstance(value, str) and HEX_NUMBER.fullmatch(value):
        return int(value, 16)
    _wrong_type(plan, value, "a number or a string '0x...'")


def _real(plan: Plan, value: Any) -> Any:
    """Read a number, which becomes a float, or a text, which can be any REAL value."""
    if isinstance(value, Unreadable) and value.text is not None:
        if len(value.text) > NUMBER_LIMIT:
            raise ConstraintError(f"a number of {len(value.text)} characters is too long")
        number = float(value.text)
        if isinf(number):
            raise ConstraintError("the number is beyond the range of floats; write it as text")
        return number
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        _wrong_type(plan, value, "a number or a string")
    return value


def _item(plan: Plan, value: Any) -> Any:
    if isinstance(value, str) and not HEX_NUMBER.fullmatch(value):
        return value
    return _integer(plan, value)


def _octets(plan: Plan, value: Any) -> Any:
    if not isinstance(value, str) or len(value) % 2 or not HEX.fullmatch(value):
        _wrong_type(plan, value, "hexadecimal digits")
    return bytes.fromhex(value)


def _bits(plan: Plan, value: Any) -> Any:
    if isinstance(value, str) and BITS.fullmatch(value):
        return value[1:-2]
    if not isinstance(value, str) or len(value) % 2 or not HEX.fullmatch(value):
        _wrong_type(plan, value, "hexadecimal digits or bits such as \"'101'B\"")
    return bytes.fromhex(value)


def _named_bits(plan: Plan, value: Any) -> Any:
    # If more than 32 of the bits that are set have no name, the value is a number.
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return _integer(plan, value)
    if not isinstance(value, list):
        _wrong_type(plan, value, "an array of names of bits")
    for index, bit in enumerate(value):
        if not isinstance(bit, (str, int)) or isinstance(bit, bool):
            error = ConstraintError("expected the name or number of a bit")
            error.path = (index,)
            raise error
    return value


def _time(plan: Plan, value: Any) -> Any:
    """Read a datetime, or the text of a GeneralizedTime that datetime cannot represent."""
    found = TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        _wrong_type(plan, value, "a string such as '2026-01-31T12:00:00Z'")
    fraction = (found[7] or "").rstrip("0")
    if len(fraction) <= 6:
        try:
            year, month, day, hour, minute, second = map(int, found.groups()[:6])
            return datetime(year, month, day, hour, minute, second, int(fraction.ljust(6, "0")), timezone.utc)
        except ValueError:
            pass
    return "".join(found.group(1, 2, 3, 4, 5, 6)) + (f".{fraction}Z" if fraction else "Z")


def _utc_time(plan: Plan, value: Any) -> Any:
    made = _time(plan, value)
    if not isinstance(made, datetime):
        _wrong_type(plan, value, "a time in whole seconds from 1950 to 2049")
    return made


PRIMITIVES: dict[int, Reader] = {
    # Character strings, and the other types that JSON has as text in ASN.1 notation.
    **dict.fromkeys(range(Kind.KIND_BOOLEAN, Kind.KIND_SEQUENCE), _text),
    Kind.KIND_BOOLEAN: _boolean,
    Kind.KIND_INTEGER: _integer,
    Kind.KIND_NAMED_INTEGER: _item,
    Kind.KIND_ENUMERATED: _item,
    Kind.KIND_BIT_STRING: _bits,
    Kind.KIND_NAMED_BITS: _named_bits,
    Kind.KIND_OCTET_STRING: _octets,
    Kind.KIND_NULL: _null,
    Kind.KIND_OBJECT_IDENTIFIER: _oid,
    Kind.KIND_REAL: _real,
    Kind.KIND_UTC_TIME: _utc_time,
    Kind.KIND_GENERALIZED_TIME: _time,
}

CONSTRUCTED: dict[int, Callable[[Plan, Any, Around, int], Any]] = {
    Kind.KIND_SEQUENCE: _fields,
    Kind.KIND_SET: _fields,
    Kind.KIND_SEQUENCE_OF: _elements,
    Kind.KIND_SET_OF: _elements,
    Kind.KIND_CHOICE: _alternative,
    Kind.KIND_UNION: _alternative,
    Kind.KIND_EXPLICIT: _tagged,
    Kind.KIND_ANY: _any,
    Kind.KIND_OPEN: _open,
    Kind.KIND_OPEN_OCTETS: _open,
    Kind.KIND_OPEN_BITS: _open,
}


def _primitive(plan: Plan, value: Any) -> Any:
    """Return the plain data for the JSON value of a primitive type. The core calls this."""
    return PRIMITIVES[plan.kind](plan, value)


_core.read_json_with(json.loads, _primitive)
