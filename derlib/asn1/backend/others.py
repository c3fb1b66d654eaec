"""The names of a module that have no Python of their own, for the docstring of the Python module.

Classes, objects and parametrised types are the material that types and tables are made from. Their names are kept with
their lines, so that a reader finds them.
"""

from __future__ import annotations

import textwrap

from derlib.asn1.backend.layout import WIDTH
from derlib.asn1.semantics.model import ResolvedModule
from derlib.asn1.syntax.tree import (
    Assignment,
    MacroDefinition,
    MacroType,
    ObjectClassAssignment,
    SetAssignment,
    TypeAssignment,
    TypeReference,
    ValueAssignment,
    XMLValueAssignment,
)


def other_names(modules: list[ResolvedModule]) -> str:
    """Return the names that have no Python as a list with an entry for each kind; empty if there is none."""
    kinds: dict[str, list[str]] = {}
    for module in modules:
        written = {definition.assignment for definition in module.definitions if not definition.remark}
        written |= {constant.assignment for constant in module.constants}
        written |= {table.assignment for table in module.tables}
        for assignment in module.module.assignments:
            if assignment not in written:
                kinds.setdefault(_kind(assignment), []).append(f"{assignment.name} (line {assignment.at.line})")
    if not kinds:
        return ""
    entries = [_entry(kind, kinds[kind]) for kind in sorted(kinds)]
    return "\n".join(["", "Names that have no Python of their own:", "", *entries, ""])


def _kind(assignment: Assignment) -> str:
    match assignment:
        case ObjectClassAssignment():
            return "Object classes"
        case TypeAssignment() if assignment.parameters:
            return "Parametrised types"
        case TypeAssignment():
            return "Types of macros" if isinstance(assignment.type, MacroType) else "Object classes"
        case ValueAssignment() if isinstance(assignment.governor, MacroType):
            return "Values of macros"
        case ValueAssignment() if assignment.parameters:
            return "Parametrised values and objects"
        case ValueAssignment(governor=TypeReference(name=name)) if name == name.upper():
            return "Objects"
        case ValueAssignment() | XMLValueAssignment():
            return "Values that are not supported"
        case SetAssignment():
            return "Object sets that select no type"
        case MacroDefinition():
            return "Macros"
        case _:
            raise AssertionError(assignment)


def _entry(kind: str, names: list[str]) -> str:
    # A line does not end between a name and its line.
    text = f"- {kind}: {', '.join(names)}".replace(" (line ", "\xa0(line\xa0")
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False).replace("\xa0", " ")
