"""Types of fields of object classes: open types, with the tables that object sets define (X.681 14, X.682 10)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.semantics.components import ComponentResolver
from derlib.asn1.semantics.definitions import Context, Member
from derlib.asn1.semantics.model import (
    ChosenValue,
    Constrained,
    Definition,
    ItemValue,
    Numbered,
    OIDValue,
    Open,
    ResolvedType,
    Structure,
    Table,
)
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.objects import Object, field_of
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind, Token
from derlib.asn1.syntax.tree import FieldSpec, ObjectClass


class OpenTypeResolver(ComponentResolver):
    """Resolves the types of fields."""

    def __init__(self, modules: list[tree.Module], diagnostics: Diagnostics) -> None:
        super().__init__(modules, diagnostics)
        self._tables: dict[tuple[object, ...], Table] = {}
        # The object of each key of a table, the place of its key, and the spelling of its type.
        self._keys: dict[Table, dict[OIDValue | int, tuple[Object, Place, str]]] = {}

    def resolve_field(
        self, node: tree.FieldType, table: tree.TableConstraint | None, scope: Scope, context: Context
    ) -> ResolvedType:
        """Return the type of a field, which is an open type if the field is a type field."""
        fixed = self.type_of_field(node, scope)
        of_set = self.is_set(node, scope)
        if table is not None:
            self.later(lambda: self._check_set(table, scope))
            self.later(lambda: self._check_relation(node, table, scope, context))
        if fixed is not None:
            return self._of_set(node, fixed, scope, context) if of_set else self.resolve(*fixed, context)
        if of_set:
            raise Problem(f"the field &{node.path[-1]} of {node.reference.name} is not a type", node.at)
        spec, object_class, class_scope = self.field_spec(node, scope)
        made = Open()
        if table is not None and table.paths and spec.governor is None:
            self.later(lambda: self._connect(made, spec, (object_class, class_scope), table, scope, context))
        return made

    def _of_set(
        self, node: tree.FieldType, fixed: tuple[tree.Type, Scope], scope: Scope, context: Context
    ) -> ResolvedType:
        """Return the type of a field with the values that it has in the objects of a set."""
        made = Constrained(self.resolve(*fixed, replace(context, whole=False)), None)

        def complete() -> None:
            made.constraint = self.values_of_field(node, made.inner, scope)

        self.later(complete)
        return made

    def resolve_any(self, node: tree.AnyType, context: Context) -> Open:
        """Return the open type of ANY DEFINED BY; its table is empty, and the program can fill it."""
        made = Open()
        path = node.defined_by

        def connect() -> None:
            selector = self._selector(path, context) if path else None
            if path and not any(_member(level.members, path) for level in context.enclosing):
                message = f"{path}, which defines the type, is missing: the type is not selected"
                self.diagnostics.warn(message, node.at)
            if path and selector and self._selects(*selector[1:], context):
                made.selector = path
                made.table = Table(context.name, context.owner.module, context.owner.assignment)
                self.resolved[made.table.module.name].tables.append(made.table)

        # A type in an object set is in no SEQUENCE of its own.
        if context.enclosing:
            self.later(connect)
        return made

    def _selects(self, node: tree.Type, scope: Scope, context: Context) -> bool:
        """Return whether values of a type are keys of tables: identifiers, numbers, and a CHOICE of one of each."""
        kinds = self._kinds_of_key(self.resolve(node, scope, Context(context.owner, context.name, False)))
        return bool(kinds) and len(set(kinds)) == len(kinds)

    def _kinds_of_key(self, resolved: ResolvedType) -> list[str]:
        base = self.base(resolved)
        if isinstance(base, Structure) and base.kind == "CHOICE":
            if not base.components:
                return []
            # A CHOICE can be an alternative of itself.
            with self.descent(base.components[0].at):
                return [kind for component in base.components for kind in self._kinds_of_key(component.type)]
        name = base.kind if isinstance(base, Numbered) else getattr(base, "name", None)
        return {"OBJECT IDENTIFIER": ["oid"], "INTEGER": ["number"], "ENUMERATED": ["number"]}.get(str(name), [])

    def _connect(
        self,
        made: Open,
        spec: FieldSpec,
        governor: tuple[ObjectClass, Scope],
        table: tree.TableConstraint,
        scope: Scope,
        context: Context,
    ) -> None:
        """Give an open type its selector and its table, or the reason why it has none."""
        path = table.paths[0]
        selector = self._selector(path, context) if len(table.paths) == 1 else None
        if selector is None:
            made.remark = f"@{path} selects the type, but is not in the same SEQUENCE"
            return
        made.selector, node, selector_scope = selector
        key_field = self._key_field(node, governor[0])
        if key_field is None or not self._selects(node, selector_scope, context):
            made.remark = f"@{path} selects the type, but is neither an OBJECT IDENTIFIER nor an INTEGER"
            return
        made.table = self._table(table.object_set, governor, (key_field, spec.name), scope, context)

    def _check_set(self, table: tree.TableConstraint, scope: Scope) -> None:
        """Raise Problem if the name in a table constraint is not that of an object set (X.682 10)."""
        found = self.origin_of_set(table.object_set, scope)
        if found is not None and not isinstance(found.assignment, tree.SetAssignment):
            raise Problem(f"{found.assignment.name} is not an object set", table.object_set.at)

    def _check_relation(
        self, node: tree.FieldType, table: tree.TableConstraint, scope: Scope, context: Context
    ) -> None:
        """Raise Problem if a path leads to no component, or to one that another object set constrains (X.682 10)."""
        for path in table.paths:
            selector = self._selector(path, context)
            if selector is None:
                self._check_path(path, table.at, context)
                continue
            name, place = selector[0], self._table_of(*selector[1:])
            wanted, short = self.spelling(table.object_set, scope)
            if place is not None and self.spelling(*place)[0] == wanted:
                continue
            expected = f"{node.reference.name}.&...({{{short}}})" if short else "the object set of this constraint"
            if place is None:
                message = f"@{path} leads to {name}, which no object set constrains: expected {expected} (X.682 10)"
                raise Problem(message, table.at)
            other = self.spelling(*place)[1] or "another object set"
            message = f"@{path} leads to {name}, which {other} constrains: expected {expected} (X.682 10)"
            self.diagnostics.warn(message, table.at)

    def _table_of(self, node: tree.Type, scope: Scope) -> tuple[tree.Braced, Scope] | None:
        """Return the object set that constrains a type, through references, and its scope; None if none does."""
        for inner, inner_scope in self.unwrapped(node, scope):
            if isinstance(inner, tree.ConstrainedType) and isinstance(inner.constraint, tree.TableConstraint):
                return inner.constraint.object_set, inner_scope
        return None

    def _selector(self, path: str, context: Context) -> tuple[str, tree.Type, Scope] | None:
        """Return the path and the type of a selector in the innermost SEQUENCE, outside of the open type.

        None if it is not there. A path starts at the outermost SEQUENCE, or with one dot at the innermost one, with two
        at the SEQUENCE around that, and so on (X.682 10.9). It can lead from an outer SEQUENCE to the innermost one.
        """
        names = path.lstrip(".").split(".")
        dots = len(path) - len(".".join(names))
        if not context.enclosing or dots > len(context.enclosing):
            return None
        start = context.enclosing[-dots] if dots else context.enclosing[0]
        innermost = context.enclosing[-1]
        if len(context.path) != len(innermost.path) + 1:
            return None  # The open type is in a CHOICE, which is a class of its own.
        inward = list(innermost.path[len(start.path) :])
        if names[: len(inward)] != inward or len(names) == len(inward):
            return None
        names = names[len(inward) :]
        selector = ".".join(names)
        members = innermost.members[: context.position] + innermost.members[context.position + 1 :]
        for name in names[:-1]:
            found = _member(members, name)
            inner = self.structure_of(found.component.type, found.scope) if found else None
            if inner is None or isinstance(inner[0], tree.ChoiceType):
                return None
            members = self.flatten(inner[0].components, inner[1])
        found = _member(members, names[-1])
        return (selector, found.component.type, found.scope) if found else None

    def _check_path(self, path: str, at: Place, context: Context) -> None:
        """Raise Problem if a path to a selector names a component that no SEQUENCE or SET around the open type has."""
        names = path.lstrip(".").split(".")
        levels = [level.members for level in reversed(context.enclosing)]
        missing = [self._missing(members, names) for members in levels]
        if None not in missing and names[0] not in context.path:
            name = missing[0] if missing else names[0]
            raise Problem(f"@{path} does not lead to a component: {name} is missing", at)

    def _missing(self, members: list[Member], names: list[str]) -> str | None:
        """Return the first name of a path that is not that of a component; None if all are, or are in other types."""
        for name in names:
            found = _member(members, name)
            if found is None:
                return name
            inner = self.structure_of(found.component.type, found.scope)
            if inner is None:
                return None
            members = self.flatten(inner[0].components, inner[1])
        return None

    def _key_field(self, node: tree.Type, object_class: ObjectClass) -> str | None:
        """Return the name of the field that a selector has the type of."""
        while isinstance(node, (tree.TaggedType, tree.ConstrainedType)):
            node = node.type
        if isinstance(node, tree.FieldType):
            return node.path[-1]
        return next((spec.name for spec in object_class.fields if spec.unique), None)

    # Tables

    def _table(
        self,
        object_set: tree.Braced,
        governor: tuple[ObjectClass, Scope],
        fields: tuple[str, str],
        scope: Scope,
        context: Context,
    ) -> Table:
        """Return the table of an object set for a field that selects and a field that is selected."""
        spelling, name = self.spelling(object_set, scope)
        # The table of an object set is in the module of the set.
        origin = self.origin_of_set(object_set, scope)
        module = origin.scope.module if origin else context.owner.module
        # Sets without a name can have the same text, but objects of different classes.
        key = (module, spelling, governor[0], *fields)
        made = self._tables.get(key)
        if made is None:
            type_fields = [spec for spec in governor[0].fields if spec.governor is None]
            suffix = f"-{fields[1]}" if len(type_fields) > 1 else ""
            assignment = origin.assignment if origin else context.owner.assignment
            made = Table((name or f"{context.name}Set") + suffix, module, assignment)
            self._tables[key] = made
            self.resolved[made.module.name].tables.append(made)
            self._fill(made, object_set, governor, fields, scope)
        return made

    def tables_of_set(
        self, assignment: tree.SetAssignment, object_class: ObjectClass, class_scope: Scope, scope: Scope
    ) -> None:
        """Add the tables of an object set, also if no type uses it: one for each type field that its objects have."""
        contents, at = assignment.contents, assignment.at
        unique = next((spec for spec in object_class.fields if spec.unique), None)
        context = Context(Definition(assignment.name, scope.module, assignment), assignment.name, False)
        if unique is None or not isinstance(unique.governor, tree.Type) or not isinstance(contents, tree.Braced):
            return
        if not self._selects(unique.governor, class_scope, context):
            return
        governor = object_class, class_scope
        reference = tree.Braced(at, [Token(Kind.REFERENCE, assignment.name, at.offset), contents.tokens[-1]])
        settings = [entry.settings for entry in self.object_set(reference, *governor, scope)]
        for spec in object_class.fields:
            if spec.governor is None and any(spec.name in fields for fields in settings):
                self._table(reference, governor, (unique.name, spec.name), scope, context)

    def _fill(
        self,
        made: Table,
        object_set: tree.Braced,
        governor: tuple[ObjectClass, Scope],
        fields: tuple[str, str],
        scope: Scope,
    ) -> None:
        for entry in self.object_set(object_set, *governor, scope):
            self.attempt(partial(self._add_entry, made, entry, fields))

    def _add_entry(self, made: Table, entry: Object, fields: tuple[str, str]) -> None:
        key_field, type_field = fields
        key = entry.settings.get(key_field)
        spec = field_of(entry.object_class, type_field)
        setting = entry.settings.get(type_field)
        if setting is None and spec is not None and spec.default is not None:
            setting = spec.default, entry.class_scope
        if key is None or not isinstance(key[0], tree.Value):
            return
        selector = self._key(key[0], key_field, entry, (key[1], made))
        spelling = "" if setting is None else self.spelling(*setting)[0]
        first, place, known = self._keys.setdefault(made, {}).setdefault(selector, (entry, key[0].at, spelling))
        if first is not entry:
            unique = next(spec.unique for spec in entry.object_class.fields if spec.name == key_field)
            if unique and first.places != entry.places:
                self._report_second(f"the &{key_field} {selector}", key[0].at, place, loses_type=spelling != known)
            return
        if setting is None:
            return
        node, scope = setting
        if not isinstance(node, tree.Type):
            raise Problem(f"the field &{type_field} is not a type", node.at)
        label = key[0].name if isinstance(key[0], tree.ValueReference) else ""
        owner = Definition(made.name, made.module, made.assignment)
        name = f"{made.name}-{label or entry.name or len(made.entries) + 1}"
        made.entries.append((selector, label, self.resolve(node, scope, Context(owner, name, False))))

    def _report_second(self, key: str, at: Place, first: Place, *, loses_type: bool) -> None:
        """Record that two objects of a set have one value of a UNIQUE field (X.681 9).

        It is a warning if both have the same type: RFC 5911 has such objects.
        """
        where = f"line {first.line}" if first.source is at.source else f"{first.source.name}, line {first.line}"
        message = f"two objects of the set have {key}, which is UNIQUE; the first one in {where} (X.681 9)"
        if loses_type:
            self.diagnostics.error(Problem(message, at))
        else:
            self.diagnostics.warn(message, at)

    def _key(self, node: tree.Value, key_field: str, entry: Object, place: tuple[Scope, Table]) -> OIDValue | int:
        """Return the value of the field that selects, as the key of a table."""
        scope, table = place
        spec = field_of(entry.object_class, key_field)
        assert spec is not None
        assert isinstance(spec.governor, tree.Type)
        owner = Definition(key_field, table.module, table.assignment)
        governor = self.resolve(spec.governor, entry.class_scope, Context(owner, key_field, False))
        if getattr(self.base(governor), "name", None) == "OBJECT IDENTIFIER":
            return self.identifier(node, scope)
        found = self.value(node, governor, scope)
        violated = self.violation_of(governor, found)
        if violated:
            raise Problem(f"the value violates the constraint of the field &{key_field}: {violated}", node.at)
        while isinstance(found, ChosenValue):
            found = found.value
        if isinstance(found, ItemValue):
            return found.number
        if isinstance(found, OIDValue) or (isinstance(found, int) and not isinstance(found, bool)):
            return found
        raise Problem("expected an OBJECT IDENTIFIER or an INTEGER", node.at)


def _member(members: list[Member], name: str) -> Member | None:
    return next((member for member in members if member.component.name == name), None)
