"""A message as a tree of elements: one for each field, in the order of the fields. Called by forms.py and trees.py."""

from collections.abc import Callable
from typing import Any


def text(value: object) -> str:
    """A leaf as XML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def build(value: dict[str, Any], element: Callable[[str], Any], child: Callable[[Any, str], Any]) -> Any:
    """The tree of a message, by the functions of a library that make an element, alone and in another one."""
    root = element("message")
    fill(root, value, child)
    return root


def fill(parent: Any, value: dict[str, Any], child: Callable[[Any, str], Any]) -> None:
    """Put the fields of a record into an element; the items of a list are elements within that of the list."""
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
