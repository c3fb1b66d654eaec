"""The parser of type notations (X.680 17 to 48)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NoReturn

from derlib._suggestions import nearest
from derlib.asn1.diagnostics import Problem
from derlib.asn1.source import Place
from derlib.asn1.syntax.constraints import ConstraintParser
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.tree import (
    Addition,
    AdditionGroup,
    AnyType,
    Argument,
    BitStringType,
    BuiltinType,
    ChoiceType,
    Component,
    Components,
    ComponentsOf,
    ComponentType,
    ConstrainedType,
    Constraint,
    EnumeratedType,
    FieldType,
    InstanceOfType,
    IntegerType,
    ListType,
    NamedNumber,
    NumberValue,
    SelectionType,
    SequenceType,
    SizeConstraint,
    TaggedType,
    Type,
    TypeReference,
    ValueReference,
)

STRING_TYPES = frozenset(
    {
        "BMPString",
        "GeneralString",
        "GraphicString",
        "IA5String",
        "ISO646String",
        "NumericString",
        "ObjectDescriptor",
        "PrintableString",
        "T61String",
        "TeletexString",
        "UTF8String",
        "UniversalString",
        "VideotexString",
        "VisibleString",
    }
)
SIMPLE_TYPES = STRING_TYPES | {
    "BOOLEAN",
    "DATE",
    "DATE-TIME",
    "DURATION",
    "EXTERNAL",
    "GeneralizedTime",
    "NULL",
    "OID-IRI",
    "REAL",
    "RELATIVE-OID",
    "RELATIVE-OID-IRI",
    "TIME",
    "TIME-OF-DAY",
    "UTCTime",
}
# Types of two words, by the first one.
_SECOND_WORDS = {
    "CHARACTER": "STRING",
    "EMBEDDED": "PDV",
    "OBJECT": "IDENTIFIER",
    "OCTET": "STRING",
}
_STRUCTURED_TYPES = frozenset({"ANY", "BIT", "CHOICE", "ENUMERATED", "INSTANCE", "INTEGER", "SEQUENCE", "SET"})
# Words that cannot be a type reference (X.680 12.38), besides the names of types.
RESERVED = frozenset(
    """
    ABSENT ALL BEGIN BY CLASS COMPONENT COMPONENTS CONSTRAINED CONTAINING DEFAULT DEFINED DEFINITIONS ENCODED END EXCEPT
    EXPLICIT EXPORTS EXTENSIBILITY FALSE FROM IMPLICIT IMPLIED IMPORTS INCLUDES INTERSECTION MAX MIN MINUS-INFINITY OF
    OPTIONAL PATTERN PDV PLUS-INFINITY PRESENT SIZE STRING SYNTAX TAGS TRUE UNION UNIQUE WITH
    """.split()  # noqa: SIM905 - one word a line would fill a page
)
# Words that cannot be the name of an assignment.
NO_NAMES = RESERVED | SIMPLE_TYPES | _SECOND_WORDS.keys() | _STRUCTURED_TYPES
# The names of all types, for people.
TYPE_NAMES = (
    *sorted(SIMPLE_TYPES),
    *(f"{first} {second}" for first, second in _SECOND_WORDS.items()),
    "BIT STRING",
    "CHOICE",
    "ENUMERATED",
    "INTEGER",
    "SEQUENCE",
    "SET",
)
_TAG_CLASSES: dict[str, Literal["application", "private", "universal"]] = {
    "APPLICATION": "application",
    "PRIVATE": "private",
    "UNIVERSAL": "universal",
}


_NUMBERS_AND_NAMES = frozenset({Kind.NUMBER, Kind.IDENTIFIER})
# Words that can be before braces.
_WORDS_BEFORE_BRACES = ("BIT STRING", "CHOICE", "ENUMERATED", "INTEGER", "SEQUENCE", "SET")


class TypeParser(ConstraintParser):
    """Parses types."""

    def parse_type(self) -> Type:
        """Parse a type with its tags and constraints."""
        self.enter()
        parsed = self._parse_any_type()
        self.leave()
        return parsed

    def _parse_any_type(self) -> Type:
        at = self.at
        kind = self.kind
        if kind is Kind.REFERENCE:
            parsed = self._parse_named_type()
        elif self.sees("["):
            return self._parse_tagged()
        elif kind is Kind.IDENTIFIER:
            parsed = self._parse_by_identifier()
        else:
            self.fail("a type")
        while self.sees("("):
            parsed = ConstrainedType(at, parsed, self.parse_constraint(of_field=_is_field(parsed)))
        return parsed

    def _parse_tagged(self) -> Type:
        at = self.at
        self.expect("[")
        if self.kind is Kind.REFERENCE and self.ahead().text == ":":
            # An encoding instruction, such as [XER:BASE64], has no effect on DER.
            self.move(self.index - 1)
            self.skip_bracketed()
            return self.parse_type()
        known = _TAG_CLASSES.get(self.token.text)
        if known:
            self.take()
        elif self.kind in (Kind.REFERENCE, Kind.IDENTIFIER) and self.ahead().kind in _NUMBERS_AND_NAMES:
            following = self.ahead().text
            self.fail(f"a tag such as [{following}] or [{_meant_class(self.token.text)} {following}]")
        number = self.parse_value()
        self.expect("]")
        mode: Literal["IMPLICIT", "EXPLICIT"] | None = None
        if self.skip("IMPLICIT"):
            mode = "IMPLICIT"
        elif self.skip("EXPLICIT"):
            mode = "EXPLICIT"
        return TaggedType(at, known or "context", number, mode, self.parse_type())

    def _parse_by_identifier(self) -> Type:
        """Parse ``alternative < Type``, or ``object.&Type``."""
        at = self.at
        name = self.take().text
        if self.skip("<"):
            return SelectionType(at, name, self.parse_type())
        reference = ValueReference(at, None, name)
        start = self.index
        path: list[str] = []
        try:
            if self.sees("{"):
                reference.arguments = self.parse_arguments()
            path = self.parse_path()
        except Problem:
            pass  # The name is wrong, rather than what is in the braces.
        if not path:
            self.move(start - 1)
            self.fail("a type")
        return FieldType(at, reference, path)

    def _parse_named_type(self) -> Type:
        at = self.at
        word = self.token.text
        if word in SIMPLE_TYPES:
            self.take()
            return BuiltinType(at, word)
        if word in _SECOND_WORDS:
            self.take()
            self.expect(_SECOND_WORDS[word])
            return BuiltinType(at, f"{word} {_SECOND_WORDS[word]}")
        if word in RESERVED:
            self.fail("a type")
        if word in _STRUCTURED_TYPES:
            self.take()
            return self._parse_structured(at, word)
        return self.parse_type_reference()

    def _parse_structured(self, at: Place, word: str) -> Type:
        """Parse the rest of a type after its first word."""
        match word:
            case "INTEGER":
                return IntegerType(at, self._parse_named_numbers() if self.sees("{") else [])
            case "BIT":
                self.expect("STRING")
                return BitStringType(at, self._parse_named_bits() if self.sees("{") else [])
            case "ENUMERATED":
                return self._parse_enumerated(at)
            case "CHOICE":
                return ChoiceType(at, self.parse_components("CHOICE"))
            case "ANY":
                if not self.skip("DEFINED"):
                    return AnyType(at, None)
                self.expect("BY")
                return AnyType(at, self.expect_kind(Kind.IDENTIFIER))
            case "INSTANCE":
                self.expect("OF")
                return InstanceOfType(at, self.parse_class_reference())
            case _:
                return self._parse_sequence(at, "SEQUENCE" if word == "SEQUENCE" else "SET")

    def _parse_sequence(self, at: Place, kind: Literal["SEQUENCE", "SET"]) -> Type:
        """Parse the rest of a SEQUENCE, SET, SEQUENCE OF or SET OF; a size can precede OF."""
        if self.sees("{"):
            return SequenceType(at, kind, self.parse_components(kind))
        constraint: Constraint | None = None
        if self.sees("SIZE"):
            size_at = self.at
            self.take()
            constraint = SizeConstraint(size_at, self.parse_after("SIZE"))
        elif self.sees("("):
            constraint = self.parse_constraint()
        if not self.skip("OF"):
            self.fail("'{' or 'OF'" if constraint is None else "'OF'")
        if self.kind is Kind.IDENTIFIER and self.ahead().text not in ("<", ".", "{"):
            self.take()
        parsed = ListType(at, kind, self.parse_type())
        return ConstrainedType(at, parsed, constraint) if constraint else parsed

    def _parse_named_numbers(self) -> list[NamedNumber]:
        self.expect("{")
        named = [self._parse_named_number()]
        while self.skip(","):
            named.append(self._parse_named_number())
        self.expect("}")
        return named

    def _parse_named_bits(self) -> list[NamedNumber]:
        named = self._parse_named_numbers()
        for item in named:
            if isinstance(item.number, NumberValue) and item.number.number < 0:
                raise Problem("the position of a bit cannot be negative (X.680 22.3)", item.number.at)
        return named

    def _parse_named_number(self) -> NamedNumber:
        at = self.at
        name = self.expect_kind(Kind.IDENTIFIER)
        number = None
        if self.skip("("):
            number = self.parse_value()
            self.expect(")")
        return NamedNumber(at, name, number)

    def _parse_enumerated(self, at: Place) -> EnumeratedType:
        self.expect("{")
        parsed = EnumeratedType(at, [], [], False)
        items = parsed.root
        while True:
            if not parsed.extensible and parsed.root and self.skip("..."):
                self.skip_exception()
                parsed.extensible = True
                items = parsed.additions
            else:
                items.append(self._parse_named_number())
            if not self.skip(","):
                break
        if not self.skip("}"):
            self.fail("',' or '}'")
        _check_names([*parsed.root, *parsed.additions])
        return parsed

    def parse_class_reference(self) -> TypeReference:
        """Parse a reference to an object class."""
        parsed = self.parse_type_reference()
        if not isinstance(parsed, TypeReference):
            raise Problem("expected an object class", parsed.at)
        return parsed

    def parse_type_reference(self) -> Type:
        """Parse ``Name``, ``Module.Name``, ``Name{arguments}`` or ``CLASS.&field``."""
        at = self.at
        name = self.expect_kind(Kind.REFERENCE)
        reference = TypeReference(at, None, name)
        if self.sees(".") and self.ahead().kind is Kind.REFERENCE:
            self.take()
            reference = TypeReference(at, name, self.take().text)
        if self.sees("{"):
            reference.arguments = self._parse_arguments_of(reference)
        path = self.parse_path()
        return FieldType(at, reference, path) if path else reference

    def _parse_arguments_of(self, reference: TypeReference) -> list[Argument]:
        """Parse the actual parameters of a type; if they are not valid, its name can be a misspelt word."""
        try:
            return self.parse_arguments()
        except Problem:
            meant = nearest(reference.name, _WORDS_BEFORE_BRACES)
            if meant is None or reference.module is not None:
                raise
            raise Problem(f"expected a type, found {reference.name!r}: did you mean {meant}?", reference.at) from None

    def fail_after_type(self, expected: str) -> NoReturn:
        """Raise Problem: something else was expected here. After a type, it can be a constraint without parentheses."""
        if self.sees("SIZE") or self.sees("FROM"):
            start = self.index
            constraint = f"{self.take().text} {self.parenthesized()}"
            self.move(start)
            self.fail(f"a constraint in parentheses: write ({constraint})")
        self.fail(expected)

    def parse_components(self, kind: Literal["SEQUENCE", "SET", "CHOICE"]) -> Components:
        """Parse the components of a SEQUENCE or SET, or the alternatives of a CHOICE, in braces."""
        parsed = Components(self.at, [], [], [], False)
        self.expect("{")
        target: list[Component] | list[Addition] = parsed.root
        while not self.sees("}"):
            if self.sees("..."):
                if target is parsed.second_root:
                    raise Problem("expected at most two '...', found a third one (X.680 25.1)", self.at)
                self.take()
                self.skip_exception()
                target = parsed.second_root if parsed.extensible else parsed.additions
                parsed.extensible = True
                if target is parsed.second_root and kind == "CHOICE" and not self.sees("}"):
                    self.fail("'}' after the second '...' of a CHOICE (X.680 29.1)")
            elif target is parsed.additions and self.sees("[", "["):
                parsed.additions.append(self._parse_group(kind))
            else:
                target.append(self._parse_component(kind))
            if not self.skip(","):
                break
        if kind == "CHOICE" and not parsed.root and not parsed.extensible:
            self.fail("an alternative")
        self._expect_end_of_components()
        _check_names([*parsed.root, *parsed.additions, *parsed.second_root])
        return parsed

    def _expect_end_of_components(self) -> None:
        if not self.skip("}"):
            self.fail_after_type("',' or '}'")
        previous = self.tokens[self.index - 2]
        if previous.text == ",":
            raise Problem("expected a component, found '}'", self.source.place(self.tokens[self.index - 1].offset))

    def _parse_group(self, kind: str) -> AdditionGroup:
        at = self.at
        self.expect("[", "[")
        version = None
        if self.kind is Kind.NUMBER:
            version = int(self.take().text)
            self.expect(":")
        components = [self._parse_component(kind)]
        while self.skip(","):
            components.append(self._parse_component(kind))
        self.expect("]", "]")
        return AdditionGroup(at, version, components)

    def _parse_component(self, kind: str) -> Component:
        at = self.at
        if kind == "CHOICE" and self.sees("COMPONENTS"):
            self.fail("an alternative")
        if self.skip("COMPONENTS"):
            self.expect("OF")
            return ComponentsOf(at, self.parse_type())
        if self.kind is not Kind.IDENTIFIER:
            self.fail("a component name, which begins with a small letter")
        component = ComponentType(at, self.take().text, self.parse_type())
        if kind == "CHOICE" and (self.sees("OPTIONAL") or self.sees("DEFAULT")):
            raise Problem("an alternative is neither OPTIONAL nor has a DEFAULT (X.680 29.1)", self.at)
        if self.skip("OPTIONAL"):
            component.optional = True
        elif self.skip("DEFAULT"):
            component.default = self.parse_value()
        return component


def _check_names(items: Sequence[Addition | NamedNumber]) -> None:
    """Raise Problem if a name occurs twice among components, alternatives or items (X.680 20.3, 25.7, 29.4)."""
    names: set[str] = set()
    for item in items:
        for named in item.components if isinstance(item, AdditionGroup) else [item]:
            if isinstance(named, ComponentsOf):
                continue
            if named.name in names:
                raise Problem(f"{named.name} is defined twice", named.at)
            names.add(named.name)


def _meant_class(word: str) -> str:
    """Return the class that a word before a tag number means."""
    meant = (known for known in _TAG_CLASSES if known.startswith(word.upper()))
    return next(meant, None) or nearest(word, _TAG_CLASSES) or "APPLICATION"


def _is_field(parsed: Type) -> bool:
    """Return whether the constraint of a type can be a table."""
    while isinstance(parsed, ConstrainedType):
        parsed = parsed.type
    return isinstance(parsed, (FieldType, InstanceOfType))
