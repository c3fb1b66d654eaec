"""`Immutable`, the base of small immutable classes: constraints, tags, fields, limits.

They are not dataclasses, because importing `dataclasses` and creating these classes would take a quarter of the time of
`import derlib`.
"""

from __future__ import annotations

from typing import Any


class Immutable:
    """A value that consists of its attributes. `__init__` sets them with `_set`, in the order of its parameters."""

    def _set(self, **values: Any) -> None:
        vars(self).update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set: the object is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted: the object is immutable")

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
