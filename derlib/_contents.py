"""The value inside a string or of an opaque element, which a property decodes when it is read.

Used by `derlib.schemas`.
"""

from typing import Any, TypeVar

from derlib import _core
from derlib._schema.classes import decode

__all__ = ["decode_contents", "typed_element"]

T = TypeVar("T")


def decode_contents(holder: Any, schema: type[T], octets: Any, *, rules: str = "der") -> T:
    """Return the value in `octets`, with the deviations and limits that the structure around it was decoded with.

    So the deviation that an error suggests has an effect where the user decodes: in the call for the whole structure.

    Raises:
        DecodeError, LimitError: as `derlib.decode`. Offsets count from the start of `octets`.
    """
    tolerate, limits = _core.options_of(holder)
    found: T = decode(schema, octets, tolerate=tolerate, limits=limits, rules=rules)
    return found


def typed_element(holder: Any, schema: Any, value: Any) -> Any:
    """Return the value of an open type that is not in a string, for a property of `holder`.

    Raises:
        DecodeError: the value is opaque, because it does not match `schema`. The error says why.
    """
    return decode_contents(holder, schema, value.der) if isinstance(value, _core.TLV) else value
