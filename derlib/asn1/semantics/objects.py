"""Information objects (X.681 11)."""

from __future__ import annotations

from dataclasses import dataclass

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.model import ResolvedType, ResolvedValue
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.object_identifiers import ObjectIdentifierResolver
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.modules import ModuleParser
from derlib.asn1.syntax.tree import Argument, Braced, FieldSpec, ObjectClass, SyntaxGroup, Value


@dataclass(eq=False)
class Object:
    """An information object: the setting of each field, and the scope of the names in it.

    `places` are those of its notation and of its actual parameters: an object that two sets have is the same one.
    """

    places: tuple[Place, ...]
    object_class: ObjectClass
    class_scope: Scope
    settings: dict[str, tuple[Argument, Scope]]
    # The name of the object, if it has one without parameters.
    name: str = ""


def field_of(object_class: ObjectClass, name: str) -> FieldSpec | None:
    """Return the field of a class that has this name."""
    return next((spec for spec in object_class.fields if spec.name == name), None)


class ObjectResolver(ObjectIdentifierResolver):
    """Resolves objects."""

    def object(self, node: Value, object_class: ObjectClass, class_scope: Scope, scope: Scope) -> Object:
        """Return an object of a class.

        Raises:
            Problem: it is not an object of the class, or a name is not known.
        """
        with self.descent(node.at):
            return self._object(node, object_class, class_scope, scope)

    def _object(self, node: Value, object_class: ObjectClass, class_scope: Scope, scope: Scope) -> Object:
        if isinstance(node, Braced):
            return self._parse_object(node, object_class, class_scope, scope)
        if isinstance(node, tree.ValueFromObject):
            setting, inner, spec, owner = self._setting(node.reference, node.path, scope)
            found = self.class_of_field(spec, owner)
            if found and isinstance(setting, Value):
                return self.object(setting, *found, inner)
        if not isinstance(node, tree.ValueReference):
            raise Problem("expected an object", node.at)
        bound = self.bound(node, scope)
        if bound is not None and isinstance(bound.argument, Value):
            return self.object(bound.argument, object_class, class_scope, bound.scope)
        return self._referenced_object(node, scope)

    def _referenced_object(self, node: tree.ValueReference, scope: Scope) -> Object:
        found = self.find(node.name, node.module, scope, node.at)
        inner = self.bind(found, node.arguments, scope, node.at)
        assignment = found.assignment
        if isinstance(assignment, tree.ValueAssignment):
            governor = self.find_class(assignment.governor, inner)
            if governor is not None:
                made = self.object(assignment.value, *governor, inner)
                made.name = made.name if node.arguments else node.name
                return made
        raise Problem(f"{node.name} is not an object", node.at)

    def check_object(
        self, assignment: tree.ValueAssignment, object_class: ObjectClass, class_scope: Scope, scope: Scope
    ) -> None:
        """Warn of an object that does not fit its class. To use one is an error: RFC 9286 has one that is not used."""
        try:
            self.object(assignment.value, object_class, class_scope, scope)
        except Problem as problem:
            self.diagnostics.warn(f"{assignment.name} does not fit its class: {problem.message}", problem.place)

    def value_from_object(self, node: tree.ValueFromObject, scope: Scope) -> tuple[ResolvedValue, ResolvedType]:
        """Return the value of a field of an object, and its type."""
        setting, inner, spec, owner = self._setting(node.reference, node.path, scope)
        if not isinstance(setting, Value) or not isinstance(spec.governor, tree.Type):
            raise Problem(f"the field &{node.path[-1]} is not a value", node.at)
        governor = self.governor_type(spec.governor, owner.class_scope)
        return self.value(setting, governor, inner), governor

    def type_from_object(self, node: tree.FieldType, scope: Scope) -> tuple[tree.Type, Scope]:
        """Return the type that a field of an object has, and the scope of its names."""
        setting, inner, _, _ = self._setting(node.reference, node.path, scope)
        if not isinstance(setting, tree.Type):
            raise Problem(f"the field &{node.path[-1]} is not a type", node.at)
        return setting, inner

    def _setting(
        self, reference: tree.ValueReference | tree.TypeReference, path: list[str], scope: Scope
    ) -> tuple[Argument, Scope, FieldSpec, Object]:
        """Return the setting at a path of fields, its scope, its field, and the object that it belongs to."""
        if not isinstance(reference, tree.ValueReference):
            raise Problem("a value of an object set is not supported", reference.at)
        owner = self.named_object(reference, scope)
        for name in path[:-1]:
            setting, inner, spec = self._own_setting(owner, name, reference)
            governor = self.class_of_field(spec, owner)
            if governor is None or not isinstance(setting, Value):
                raise Problem(f"the field &{name} is not an object", reference.at)
            owner = self.object(setting, *governor, inner)
        return (*self._own_setting(owner, path[-1], reference), owner)

    def named_object(self, reference: tree.ValueReference, scope: Scope) -> Object:
        """Return the object that a name refers to; it can be a parameter, which has the class."""
        bound = self.bound(reference, scope)
        if bound is None or not isinstance(bound.parameter.governor, tree.Type):
            return self._referenced_object(reference, scope)
        governor = self.find_class(bound.parameter.governor, bound.parameter_scope)
        if governor is None or not isinstance(bound.argument, Value):
            raise Problem(f"{reference.name} is not an object", reference.at)
        return self.object(bound.argument, *governor, bound.scope)

    def class_of_field(self, spec: FieldSpec, owner: Object) -> tuple[ObjectClass, Scope] | None:
        """Return the class of an object field, or None for another field."""
        return self.find_class(spec.governor, owner.class_scope) if isinstance(spec.governor, tree.Type) else None

    def _own_setting(
        self, owner: Object, name: str, reference: tree.ValueReference
    ) -> tuple[Argument, Scope, FieldSpec]:
        spec = field_of(owner.object_class, name)
        if spec is None:
            raise Problem(f"the class of {reference.name} has no field &{name}", reference.at)
        setting = owner.settings.get(name)
        if setting is None and spec.default is not None:
            setting = spec.default, owner.class_scope
        if setting is None:
            raise Problem(f"{reference.name} has no field &{name}", reference.at)
        return (*setting, spec)

    # The notation of an object (X.681 11.4 to 11.6)

    def _parse_object(self, node: Braced, object_class: ObjectClass, class_scope: Scope, scope: Scope) -> Object:
        parser = self.parser(node)
        places = node.at, *(bound.argument.at for bound in scope.parameters.values())
        made = Object(places, object_class, class_scope, {})
        if object_class.syntax is None:
            while not parser.at_end():
                self._parse_setting(parser, parser.expect_kind(Kind.FIELD), made, scope)
                if not parser.skip(",") and not parser.at_end():
                    parser.fail("',' or '}'")
        else:
            self._parse_group(parser, object_class.syntax, made, scope)
            if not parser.at_end():
                parser.fail("'}', or a word of the syntax of the class")
        return made

    def _parse_group(self, parser: ModuleParser, group: SyntaxGroup, made: Object, scope: Scope) -> None:
        for item in group.items:
            if isinstance(item, SyntaxGroup):
                self._parse_optional(parser, item, made, scope)
            elif item[0] == "&":
                self._parse_setting(parser, item, made, scope)
            else:
                parser.expect(item)

    def _parse_optional(self, parser: ModuleParser, group: SyntaxGroup, made: Object, scope: Scope) -> None:
        """Parse an optional group, or nothing if it does not fit."""
        start, before = parser.index, dict(made.settings)
        first = group.items[0]
        if isinstance(first, str) and first[0] != "&" and not parser.sees(first):
            return
        try:
            self._parse_group(parser, group, made, scope)
        except Problem:
            # Two groups can begin with the same word, so the other one can fit.
            parser.move(start)
            made.settings = before

    def _parse_setting(self, parser: ModuleParser, name: str, made: Object, scope: Scope) -> None:
        spec = field_of(made.object_class, name[1:])
        if spec is None:
            raise Problem(f"the class has no field {name}", parser.at)
        if spec.name[0].isupper():
            made.settings[spec.name] = parser.parse_argument(), scope
        else:
            made.settings[spec.name] = parser.parse_value(), scope
