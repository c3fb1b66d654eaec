"""Decode a value, and build it again in every way that the API has."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import derlib


def read(cls: Any, octets: bytes) -> Any:
    """Decode a value, after checking that building it again in each way gives the same bytes."""
    found = cls.decode(octets)
    assert cls.from_native(found.to_native()).encode() == octets
    assert cls.from_json(found.to_json()).encode() == octets
    assert from_keywords(found).encode() == octets
    return found


def from_keywords(value: Any) -> Any:
    """Return an equal value that is made from the inside out by calling classes with their fields.

    Plain data has the string type of a DirectoryString and the form of a Time, which a str and a datetime do not have.
    It also marks opaque values.
    """
    made = _arguments(value, value.to_native())
    return type(value)(made) if isinstance(made, list) else made


def _arguments(value: Any, native: Any) -> Any:
    """Return what the constructor of the structure around a value takes: values of classes, lists, and plain data."""
    if isinstance(native, dict) and "$opaque" in native:
        return native
    if isinstance(value, (derlib.Sequence, derlib.Set)):
        names = [field.name for field in derlib.fields(value)]
        return type(value)(**{name: _arguments(getattr(value, name), native.get(name)) for name in names})
    if isinstance(value, derlib.Choice):
        return type(value)(**{value.alternative: _arguments(value.value, native[value.alternative])})
    if isinstance(value, (derlib.SequenceOf, derlib.SetOf)):
        return [_arguments(*pair) for pair in zip(value, native, strict=True)]
    return native if isinstance(value, (str, datetime)) else value
