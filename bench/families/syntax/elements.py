"""A message as a tree of elements: one for each field, in the order of the fields. Called by forms.py and trees.py."""

from collections.abc import Callable
from typing import Any


def text(value: object) -> str:
    """Return a leaf as text of XML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def build(value: dict[str, Any], element: Callable[[str], Any], child: Callable[[Any, str], Any]) -> Any:
    """Return the tree of a message, built with a library's functions for an element and for a child element."""
    root = element("message")
    fill(root, value, child)
    return root


def fill(parent: Any, value: dict[str, Any], child: Callable[[Any, str], Any]) -> None:
    """Add the fields of a record to an element; a list is an element with an element for each item."""
    for name, each in value.items():
        made = child(parent, name)
        if isinstance(each, dict):
            fill(made, each, child)
        elif isinstance(each, list):
            for item in each:
                one = child(made, "item")
                if isinstance(item, dict):
                    fill(one, item, child)
                else:
                    one.text = text(item)
        else:
            made.text = text(each)
