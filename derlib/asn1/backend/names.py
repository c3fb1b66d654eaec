"""Python names for ASN.1 names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator

import derlib
from derlib._schema.fields import RESERVED_NAMES
from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.semantics.model import Numbered, ResolvedModule, ResolvedType, Structure, without_tags

# Names that generated modules import, or that Python defines, so that no class can have them.
_TAKEN = frozenset(
    {*derlib.__all__, *keyword.kwlist, *keyword.softkwlist, "Annotated", "Any", "TypeAlias", "bool", "float", "int"}
)
# Names that no field can have although values have no such methods: `mro` is a method of every class.
_RESERVED = RESERVED_NAMES | {"mro"}
# Methods and properties of values, which no component can hide, and those of enumerations, which no item can hide.
_METHODS = _RESERVED.union(name for name in dir(derlib.Sequence) if not name.startswith("_"))
_CHOICE_METHODS = _RESERVED.union(name for name in dir(derlib.Choice) if not name.startswith("_"))
_ITEM_METHODS = frozenset({"mro", "name", "value", "names"}) | {name for name in dir(int) if not name.startswith("_")}

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """Return an ASN.1 name in snake_case.

    >>> snake_case("subjectPublicKeyInfo"), snake_case("cRLNumber"), snake_case("id-ce-keyUsage")
    ('subject_public_key_info', 'crl_number', 'id_ce_key_usage')
    """
    parts: list[str] = []
    for part in name.split("-"):
        # "cRLNumber" is "CRLNumber" with the lower-case letter that X.680 requires.
        word = part[0].upper() + part[1:] if part[1:2].isupper() else part
        parts.append(_WORD_START.sub("_", word).lower())
    return "_".join(parts)


def component_name(name: str, *, choice: bool) -> str:
    """Return the name of the field for a component or an alternative."""
    snake = snake_case(name)
    return f"{snake}_" if keyword.iskeyword(snake) or snake in (_CHOICE_METHODS if choice else _METHODS) else snake


def item_name(name: str) -> str:
    """Return the name of the member for a named number or bit."""
    snake = snake_case(name)
    return f"{snake}_" if keyword.iskeyword(snake) or snake in _ITEM_METHODS else snake


def check_distinct(modules: Iterable[ResolvedModule], diagnostics: Diagnostics) -> None:
    """Record an error if two identifiers of a type are the same name in Python: the second would replace the first."""
    for module in modules:
        for definition in module.definitions:
            names: dict[str, str] = {}
            for name, python in _python_names(without_tags(definition.type)):
                first = names.setdefault(python, name)
                if first != name:
                    message = f"{first} and {name} are both {python} in Python: rename one of them"
                    diagnostics.error(Problem(message, definition.assignment.at))


def _python_names(resolved: ResolvedType) -> Iterator[tuple[str, str]]:
    """Yield the identifiers of the parts of a type, and their names in Python."""
    if isinstance(resolved, Structure):
        for component in resolved.components:
            yield component.name, component_name(component.name, choice=resolved.kind == "CHOICE")
    elif isinstance(resolved, Numbered):
        for item in resolved.named:
            yield item, item_name(item)


class Namespace:
    """The names of a generated module: each is given once."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def class_name(self, name: str) -> str:
        """Return a name for a type or a table."""
        return self.unique(name.replace("-", "_"))

    def constant_name(self, name: str) -> str:
        """Return a name for a value."""
        return self.unique(snake_case(name))

    def unique(self, name: str) -> str:
        """Return a Python name, with a suffix if it is used."""
        if name in _TAKEN:
            name += "_"
        count, unique = 1, name
        while unique in self._used:
            count += 1
            unique = f"{name}_{count}"
        self._used.add(unique)
        return unique
