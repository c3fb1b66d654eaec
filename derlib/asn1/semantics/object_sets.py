"""Information object sets (X.681 12, 15), and the fields of classes that types name (X.681 14)."""

from __future__ import annotations

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.objects import Object, ObjectResolver, field_of
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.modules import ModuleParser
from derlib.asn1.syntax.tree import Argument, Braced, FieldSpec, ObjectClass, Value

Governor = tuple[ObjectClass, Scope]
# The object sets that were collected, by their identity, in this order.
Seen = dict[int, None]


class ObjectSetResolver(ObjectResolver):
    """Resolves object sets.

    Sets can contain each other: `seen` are the ones that were collected, each once. The right operand of an operation
    has its own, because it needs all of its objects.
    """

    def object_set(self, node: Argument, object_class: ObjectClass, class_scope: Scope, scope: Scope) -> list[Object]:
        """Return the objects of a set: braces, or a reference.

        Raises:
            Problem: it is not a set of objects of the class, or a name is not known.
        """
        return self._collect(node, (object_class, class_scope), scope, {})

    def _collect(self, node: Argument, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        if isinstance(node, Braced):
            return self._in_braces(node, governor, scope, seen)
        if isinstance(node, (tree.FieldType, tree.ValueFromObject)):
            return self._objects_from(node, scope)
        if not isinstance(node, tree.TypeReference):
            raise Problem("expected an object set", node.at)
        bound = self.bound(node, scope)
        if bound is not None:
            return self._collect(bound.argument, governor, bound.scope, seen)
        target = self.find(node.name, node.module, scope, node.at)
        if not isinstance(target.assignment, tree.SetAssignment):
            raise Problem(f"{node.name} is not an object set", node.at)
        if id(target.assignment) in seen and not node.arguments:
            return []
        seen[id(target.assignment)] = None
        inner = self.bind(target, node.arguments, scope, node.at)
        with self.descent(node.at):
            return self._collect(target.assignment.contents, governor, inner, seen)

    # The notation of a set (X.681 12.3 to 12.10)

    def _in_braces(self, node: Braced, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        parser = self.parser(node)
        found: list[Object] = []
        if not parser.at_end() and not parser.sees("..."):
            found += self._union(parser, governor, scope, seen)
            if not parser.at_end():
                if not parser.sees(",", "..."):
                    parser.fail("'|' between objects, or ', ...' after them (X.681 12.3)")
                parser.take()
        # A table of open types is extensible anyway.
        if parser.skip("...") and parser.skip(","):
            found += self._union(parser, governor, scope, seen)
        if not parser.at_end():
            parser.fail("'|' between objects (X.681 12.3)")
        return found

    def _union(self, parser: ModuleParser, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        if parser.skip("ALL"):
            # All objects of the class are not known: a table has those that a set names.
            parser.expect("EXCEPT")
            self._set_elements(parser, governor, scope, {})
            return []
        found = self._intersection(parser, governor, scope, seen)
        while parser.skip("|") or parser.skip("UNION"):
            found += self._intersection(parser, governor, scope, seen)
        return found

    def _intersection(self, parser: ModuleParser, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        before = len(seen)
        found = self._exclusion(parser, governor, scope, seen)
        while parser.skip("^") or parser.skip("INTERSECTION"):
            _forget(seen, before)
            others = {entry.places for entry in self._exclusion(parser, governor, scope, {})}
            found = [entry for entry in found if entry.places in others]
        return found

    def _exclusion(self, parser: ModuleParser, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        before = len(seen)
        found = self._set_elements(parser, governor, scope, seen)
        if parser.skip("EXCEPT"):
            _forget(seen, before)
            others = {entry.places for entry in self._set_elements(parser, governor, scope, {})}
            found = [entry for entry in found if entry.places not in others]
        return found

    def _set_elements(self, parser: ModuleParser, governor: Governor, scope: Scope, seen: Seen) -> list[Object]:
        if parser.skip("("):
            parser.enter()
            found = self._union(parser, governor, scope, seen)
            parser.expect(")")
            parser.leave()
            return found
        if parser.kind is Kind.REFERENCE and not parser.begins_value():
            return self._collect(parser.parse_type(), governor, scope, seen)
        node = parser.parse_value()
        try:
            if isinstance(node, tree.ValueFromObject):
                return self._objects_from(node, scope)
            return [self.object(node, *governor, scope)]
        except Problem as problem:
            # The other objects of the set are still useful.
            self.diagnostics.error(problem)
            return []

    # Objects from objects (X.681 15)

    def _objects_from(self, node: tree.FieldType | tree.ValueFromObject, scope: Scope) -> list[Object]:
        """Return the objects that the fields of an object have, or those of all objects of a set."""
        with self.descent(node.at):
            owners = self._owners(node.reference, scope)
            for name in node.path:
                owners = [inner for owner in owners for inner in self._objects_of_field(owner, name, node)]
                self.charge(len(owners), node.at)
        return owners

    def _owners(self, reference: tree.ValueReference | tree.TypeReference, scope: Scope) -> list[Object]:
        """Return the object that a reference names, or the objects of the set."""
        if isinstance(reference, tree.ValueReference):
            return [self.named_object(reference, scope)]
        governor = self.class_of_set(reference, scope)
        if governor is None:
            raise Problem(f"{reference.name} is not an object set", reference.at)
        return self.object_set(reference, *governor, scope)

    def class_of_set(self, reference: tree.TypeReference, scope: Scope) -> Governor | None:
        """Return the class of an object set, and the scope of its names; None if the name is not that of one."""
        bound = self.bound(reference, scope)
        if bound is not None:
            node, inner = bound.parameter.governor, bound.parameter_scope
        else:
            target = self.find(reference.name, reference.module, scope, reference.at)
            node = target.assignment.governor if isinstance(target.assignment, tree.SetAssignment) else None
            inner = target.scope
        return self.find_class(node, inner) if isinstance(node, tree.Type) else None

    def is_extensible(self, reference: tree.TypeReference, scope: Scope) -> bool:
        """Return whether the braces of an object set have an extension marker."""
        bound = self.bound(reference, scope)
        if bound is not None:
            contents: object = bound.argument
        else:
            assignment = self.find(reference.name, reference.module, scope, reference.at).assignment
            contents = assignment.contents if isinstance(assignment, tree.SetAssignment) else None
        depth = 0
        for token in contents.tokens if isinstance(contents, Braced) else ():
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0 and token.text == "...":
                return True
        return False

    def values_of_set(self, node: tree.FieldType, scope: Scope) -> list[tuple[Value, Scope]]:
        """Return the values that a field has in the objects of a set (X.681 15); an object can lack the field."""
        *inward, name = node.path
        owners = self._objects_from(tree.FieldType(node.at, node.reference, inward), scope)
        settings = [owner.settings.get(name) for owner in owners]
        return [(found[0], found[1]) for found in settings if found is not None and isinstance(found[0], Value)]

    def _objects_of_field(self, owner: Object, name: str, node: tree.FieldType | tree.ValueFromObject) -> list[Object]:
        """Return the objects that a field of an object has; none if the field is absent."""
        spec = field_of(owner.object_class, name)
        governor = self.class_of_field(spec, owner) if spec else None
        if spec is None or governor is None:
            raise Problem(f"{node.reference.name} has no objects in a field &{name}", node.at)
        setting = owner.settings.get(name)
        if setting is None and spec.default is not None:
            setting = spec.default, owner.class_scope
        if setting is None:
            return []
        if name[0].isupper():
            return self.object_set(setting[0], *governor, setting[1])
        if not isinstance(setting[0], Value):
            raise Problem(f"the field &{name} is not an object", node.at)
        return [self.object(setting[0], *governor, setting[1])]

    # Types of fields (X.681 14, 15)

    def field_spec(self, node: tree.FieldType, scope: Scope) -> tuple[FieldSpec, ObjectClass, Scope]:
        """Return the field that a type names, its class, and the scope of the class.

        Raises:
            Problem: the class or the field is not known.
        """
        if isinstance(node.reference, tree.ValueReference):
            raise Problem("expected a class", node.at)
        found = self.find_class(node.reference, scope) or self.class_of_set(node.reference, scope)
        if found is None:
            raise Problem(f"{node.reference.name} is not an object class", node.at)
        for position, name in enumerate(node.path, 1):
            spec = field_of(found[0], name)
            if spec is None:
                raise Problem(f"the class {node.reference.name} has no field &{name}", node.at)
            if position == len(node.path):
                return spec, found[0], found[1]
            inner = self.find_class(spec.governor, found[1]) if isinstance(spec.governor, tree.Type) else None
            if inner is None:
                raise Problem(f"the field &{name} is not an object", node.at)
            found = inner
        raise Problem("expected a field", node.at)

    def type_of_field(self, node: tree.FieldType, scope: Scope) -> tuple[tree.Type, Scope] | None:
        """Return the type that a field of an object has, or all values of a field have; None for an open type."""
        if isinstance(node.reference, tree.ValueReference):
            return self.type_from_object(node, scope)
        spec, _, class_scope = self.field_spec(node, scope)
        return (spec.governor, class_scope) if isinstance(spec.governor, tree.Type) else None


def _forget(seen: Seen, before: int) -> None:
    """Forget all sets but the first `before` ones: an operation keeps only a part of the objects of the others."""
    while len(seen) > before:
        seen.popitem()
