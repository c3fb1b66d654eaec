"""The errors for an attribute that a class does not have, and for an item of a value that has none."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["missing_class_attribute", "missing_item"]


class _NoClassAttribute:
    """The message, whose text is made when it is asked for: `hasattr` does not need it."""

    def __init__(self, cls: type, name: str) -> None:
        self._cls, self._name = cls, name

    def __str__(self) -> str:
        from derlib import _suggestions

        return _suggestions.no_class_attribute(self._cls, self._name)

    def __repr__(self) -> str:
        return repr(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def missing_class_attribute(cls: type, name: str) -> AttributeError:
    """Return the error; with a name, but without the object, Python does not add a suggestion of its own."""
    return AttributeError(_NoClassAttribute(cls, name), name=name)


def missing_item(value: object, key: object) -> NoReturn:
    """Raise TypeError for an item of a value whose fields are attributes: the method ``__getitem__`` of its class."""
    from derlib import _suggestions

    raise TypeError(_suggestions.no_item(type(value), key))
