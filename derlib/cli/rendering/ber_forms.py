"""The forms of BER in a tree of elements: lengths, segments and end-of-contents octets, as text and as JSON."""

from __future__ import annotations

from typing import Any

from derlib import DecodeError, LimitError, UnrepresentableError

__all__ = ["ber_end", "ber_form", "ber_members", "is_valid"]

#: X.680 8.4: the universal numbers of the types that are constructed. A constructed element of any other is a string.
_STRUCTURES = {8, 11, 16, 17, 29}

# The elements are of `derlib.ber.Element`.


def ber_form(element: Any) -> str:
    """Return the form of the length, and whether there are segments, in parentheses; empty for a form of DER."""
    forms = []
    if element.length_form != "definite":
        forms.append(f"{element.length_form} length")
    tag = element.tag
    if tag.constructed and tag.tag_class == "universal" and tag.number not in _STRUCTURES:
        forms.append("in segments")
    return f" ({', '.join(forms)})" if forms else ""


def is_valid(element: Any) -> bool:
    """Return whether the contents octets of a primitive element are valid; `parse_ber` does not validate them."""
    try:
        element.value  # noqa: B018 - raises the error
    except (DecodeError, LimitError):
        return False
    except UnrepresentableError:
        return True
    return True


def ber_end(element: Any, base: int, indent: str) -> str:
    """Return the line of the end-of-contents octets inside an element with this indentation; empty if it has none."""
    end = element.end_of_contents
    return "" if end is None else f"{base + end.offset:8} {2:3} {0:8}  {indent}  end-of-contents\n"


def ber_members(element: Any, base: int) -> str:
    """Return the members of a JSON object that have the form of the length."""
    end = element.end_of_contents
    place = "" if end is None else f', "end_of_contents": {base + end.offset}'
    return f', "length_form": "{element.length_form}"{place}'
