"""The parser of modules (X.680 13) and assignments (X.680 16, X.681 9, 11, 12)."""

from __future__ import annotations

from derlib.asn1.diagnostics import Diagnostics, Problem
from derlib.asn1.source import Place, Source
from derlib.asn1.syntax.classes import ClassParser
from derlib.asn1.syntax.lexer import Kind, Token, tokenize
from derlib.asn1.syntax.tree import (
    Assignment,
    Braced,
    ChoiceValue,
    Imports,
    MacroDefinition,
    MacroType,
    Module,
    ObjectClassAssignment,
    Parameter,
    SetAssignment,
    TagDefault,
    Type,
    TypeAssignment,
    TypeReference,
    Value,
    ValueAssignment,
    ValueReference,
    XMLValueAssignment,
)
from derlib.asn1.syntax.types import NO_NAMES, RESERVED

# The tokens of an assignment up to "::=" that are looked at to find an assignment.
_LONGEST_HEAD = 200
# Words that cannot follow an assignment.
_NO_NAMES = NO_NAMES - {"END"}
_STRINGS_AND_NUMBERS = frozenset({Kind.NUMBER, Kind.CSTRING, Kind.BSTRING, Kind.HSTRING})


def parse_modules(source: Source, diagnostics: Diagnostics) -> list[Module]:
    """Return the modules of a source. After a syntax error, the parser continues at the next assignment."""
    try:
        parser = ModuleParser(source, tokenize(source, diagnostics), diagnostics)
    except Problem as problem:
        diagnostics.error(problem)
        return []
    modules: list[Module] = []
    while parser.kind is not Kind.END:
        module = parser.parse_module()
        if module is None:
            break
        modules.append(module)
    if not modules and not diagnostics.errors:
        diagnostics.error(Problem("expected a module, found the end of the text", parser.at))
    return modules


class ModuleParser(ClassParser):
    """Parses modules."""

    def parse_module(self) -> Module | None:
        """Parse a module; return None if its header is not valid."""
        try:
            module = self._parse_header()
        except Problem as problem:
            self.diagnostics.error(problem)
            return None
        for word, parse in (("EXPORTS", self._parse_exports), ("IMPORTS", self._parse_imports)):
            if self.skip(word):
                try:
                    parse(module)
                except Problem as problem:
                    self.diagnostics.error(problem)
                    self._skip_to_assignment(self.index, "IMPORTS")
        while not self.sees("END"):
            if self.kind is Kind.END:
                self.diagnostics.error(Problem(f"expected 'END' of module {module.name}", self.at))
                return module
            if self.sees("ENCODING-CONTROL"):
                self.diagnostics.warn("the encoding control section is skipped, because DER has none", self.at)
                self._skip_to_end()
            else:
                self._add_assignment(module)
        self.take()
        return module

    def _parse_header(self) -> Module:
        at = self.at
        name = self.expect_kind(Kind.REFERENCE)
        identifier = Braced(self.at, self.take_braced()) if self.sees("{") else None
        if self.kind is Kind.CSTRING:
            self.take()
        self.expect("DEFINITIONS")
        tag_default: TagDefault = "EXPLICIT"
        for word in ("EXPLICIT", "IMPLICIT", "AUTOMATIC"):
            if self.skip(word):
                self.expect("TAGS")
                tag_default = word
        implied = self.skip("EXTENSIBILITY")
        if implied:
            self.expect("IMPLIED")
        self.expect("::=", "BEGIN")
        return Module(at, name, identifier, tag_default, implied, None, [], [])

    def _parse_symbols(self) -> dict[str, Place]:
        """Parse names that are exported or imported; braces after a name say that it has parameters."""
        names: dict[str, Place] = {}
        while True:
            if self.kind not in (Kind.REFERENCE, Kind.IDENTIFIER) or self.token.text in RESERVED:
                self.fail("a name")
            at = self.at
            names.setdefault(self.take().text, at)
            if self.sees("{"):
                self.skip_bracketed()
            if not self.skip(","):
                return names

    def _parse_exports(self, module: Module) -> None:
        if self.skip("ALL"):
            self.expect(";")
            return
        module.exports = {} if self.sees(";") else self._parse_symbols()
        if not self.skip(";"):
            self.fail("',' or ';'")

    def _parse_imports(self, module: Module) -> None:
        while not self.skip(";"):
            at = self.at
            if module.imports and self._begins_assignment(self.index):
                self.fail("';' after the imports")
            names = self._parse_symbols()
            if not self.skip("FROM"):
                self.fail("',' or 'FROM'")
            module_at = self.at
            name = self.expect_kind(Kind.REFERENCE)
            module.imports.append(Imports(at, names, name, module_at, self._parse_assigned_identifier()))
            if self.skip("WITH") and not (self.skip("SUCCESSORS") or self.skip("DESCENDANTS")):
                self.fail("'SUCCESSORS' or 'DESCENDANTS'")

    def _parse_assigned_identifier(self) -> Value | None:
        """Parse the OBJECT IDENTIFIER after the name of a module; a name before a comma or FROM is the next symbol."""
        at = self.at
        if self.sees("{"):
            return Braced(at, self.take_braced())
        begins = self._begins_assignment(self.index)
        if self.kind is Kind.IDENTIFIER and self.ahead().text not in (",", "FROM", "{") and not begins:
            return ValueReference(at, None, self.take().text)
        return None

    def _add_assignment(self, module: Module) -> None:
        start = self.index
        # An error leaves notations open.
        self.depth = 0
        try:
            assignment = self._parse_assignment()
            if not self._at_boundary():
                self.fail_after_type("an assignment or 'END'")
        except Problem as problem:
            self.diagnostics.error(problem)
            self._skip_to_assignment(max(start + 1, self.index))
            return
        assignment.end = self.previous_end
        module.assignments.append(assignment)

    def _at_boundary(self) -> bool:
        """Return whether the next token can follow an assignment."""
        kind = self.kind
        return kind in (Kind.IDENTIFIER, Kind.END) or (kind is Kind.REFERENCE and self.token.text not in _NO_NAMES)

    def _parse_assignment(self) -> Assignment:
        at = self.at
        if self.kind is Kind.IDENTIFIER:
            return self._parse_value_assignment()
        if self.kind is Kind.REFERENCE and self.token.text in NO_NAMES and self.ahead().text == "::=":
            raise Problem(f"{self.token.text} is a reserved word and cannot be a name (X.680 12.38)", at)
        if self.kind is not Kind.REFERENCE or self.token.text in NO_NAMES:
            self.fail("an assignment or 'END'")
        name = self.take().text
        if self.sees("MACRO"):
            return self._skip_macro(name)
        parameters = self._parse_parameters()
        if not self.sees("::="):
            first = self.token
            governor = self.parse_type()
            if not self.skip("::="):
                # The type can have many lines: the missing "::=" is rather before it.
                raise Problem(f"expected '::=', found {first}", governor.at)
            if not self.sees("{") and not isinstance(governor, TypeReference):
                expected = name[0].lower() + name[1:]
                raise Problem(f"the name of a value begins with a small letter: expected {expected!r}", at)
            if not self.sees("{") and _can_be_macro(governor):
                self.fail("'{'")
            if not self.sees("{"):
                # What follows the name is an assignment of its own.
                raise Problem(f"expected an assignment or 'END', found {name!r}", at)
            return SetAssignment(at, name, parameters, governor, self.parse_value())
        self.take()
        if self.sees("CLASS"):
            if not name.isupper():
                raise Problem(f"the name of a class is in capitals: expected {name.upper()!r} (X.681 7.1)", at)
            return ObjectClassAssignment(at, name, parameters, self.parse_object_class())
        parsed = self._skip_invocation(self.parse_type())
        return TypeAssignment(at, name, parameters, parsed)

    def _parse_value_assignment(self) -> Assignment:
        at = self.at
        name = self.take().text
        if self.sees("::=") and self.ahead().kind is Kind.XML:
            self.move(self.index + 2)
            self.diagnostics.warn(f"the value {name} is skipped: XML notation is not supported", at)
            return XMLValueAssignment(at, name, [])
        if self.sees("::=") and self.ahead().kind is Kind.REFERENCE and self.ahead().text not in ("TRUE", "FALSE"):
            expected = name[0].upper() + name[1:]
            raise Problem(f"the name of a type begins with a capital letter: expected {expected!r}", at)
        parameters = self._parse_parameters()
        governor = self._parse_governor()
        if not self._chooses_without_colon():
            return ValueAssignment(at, name, parameters, governor, self.parse_value())
        value = ChoiceValue(self.at, self.take().text, self.parse_value())
        return ValueAssignment(at, name, parameters, governor, value)

    def _chooses_without_colon(self) -> bool:
        """Return whether a value of a CHOICE follows as X.208 writes it: ``localValue 5``, ``globalValue {oid 1}``."""
        if self.kind is not Kind.IDENTIFIER:
            return False
        if self.ahead().kind in _STRINGS_AND_NUMBERS:
            return True
        arcs = self.ahead(3).text == "(" or self.ahead(3).kind in (Kind.IDENTIFIER, Kind.NUMBER)
        return self.ahead().text == "{" and self.ahead(2).kind is Kind.IDENTIFIER and arcs

    def _parse_parameters(self) -> list[Parameter]:
        """Parse the parameter list of a parametrised assignment (X.683 8)."""
        parameters: list[Parameter] = []
        if self.skip("{"):
            parameters.append(self._parse_parameter())
            while self.skip(","):
                parameters.append(self._parse_parameter())
            self.expect("}")
            names: set[str] = set()
            for parameter in parameters:
                if parameter.name in names:
                    raise Problem(f"the parameter {parameter.name} is defined twice", parameter.at)
                names.add(parameter.name)
        return parameters

    def _parse_parameter(self) -> Parameter:
        at = self.at
        governor: Type | None = None
        if self.ahead().text not in (",", "}"):
            governor = self.parse_type()
            self.expect(":")
        if self.kind not in (Kind.REFERENCE, Kind.IDENTIFIER):
            self.fail("a parameter")
        return Parameter(at, governor, self.take().text)

    def _parse_governor(self) -> Type:
        """Parse the governor of a value and ``::=``; skip the arguments of a macro."""
        governor = self.parse_type()
        if not self.sees("::=") and _can_be_macro(governor):
            governor = self._macro_type(governor)
            while not self.sees("::=") and not self.sees("END") and self.kind is not Kind.END:
                self.take()
        self.expect("::=")
        return governor

    def _macro_type(self, invocation: Type) -> MacroType:
        assert isinstance(invocation, TypeReference)
        self.diagnostics.warn(f"the invocation of the macro {invocation.name} is skipped", invocation.at)
        return MacroType(invocation.at, invocation.name)

    def _skip_invocation(self, parsed: Type) -> Type:
        """Skip the arguments if a type is the invocation of a macro."""
        ends = self.token.text in ("END", "") or self._begins_assignment(self.index)
        if ends or not _can_be_macro(parsed):
            return parsed
        parsed = self._macro_type(parsed)
        self._skip_to_assignment(self.index)
        return parsed

    def _skip_macro(self, name: str) -> MacroDefinition:
        at = self.source.place(self.tokens[self.index - 1].offset)
        self.expect("MACRO", "::=", "BEGIN")
        while not self.sees("END"):
            if self.kind is Kind.END:
                self.fail(f"'END' of the macro {name}")
            self.take()
        self.take()
        self.diagnostics.warn(f"the macro {name} is skipped", at)
        return MacroDefinition(at, name, [])

    def _skip_to_assignment(self, start: int, *words: str) -> None:
        """Move to the first token from `start` on that begins an assignment, or to END or another word."""
        index = start
        while self.tokens[index].text not in ("END", "", *words) and not self._begins_assignment(index):
            index += 1
        self.move(index)

    def _begins_assignment(self, index: int) -> bool:
        """Return whether the token at an index is the name in an assignment.

        Other heads, such as ``name Type ::=``, must begin a line, because the value before can end with an identifier.
        """
        token = self.tokens[index]
        if token.kind not in (Kind.REFERENCE, Kind.IDENTIFIER) or token.text in NO_NAMES:
            return False
        following = self.tokens[index + 1]
        if following.text == "::=":
            return token.kind is Kind.REFERENCE or self.tokens[index + 2].kind is Kind.XML
        if following.kind not in (Kind.REFERENCE, Kind.IDENTIFIER) and following.text not in ("{", "["):
            return False
        begins_line = index == 0 or "\n" in self.source.text[self.tokens[index - 1].end : token.offset]
        return begins_line and self._is_head(index)

    def _is_head(self, index: int) -> bool:
        """Return whether a name with parameters or a governor, and ``::=``, begin at an index."""
        tokens = self.tokens[index : index + _LONGEST_HEAD]
        parser = ModuleParser(self.source, [*tokens, Token(Kind.END, "", tokens[-1].end)], Diagnostics())
        try:
            name = parser.take()
            parser._parse_parameters()
            if name.kind is Kind.IDENTIFIER:
                governor = parser.parse_type()
                # A component in the arguments of another macro has no words after its type but these two.
                words = parser.kind is Kind.REFERENCE and parser.token.text not in ("OPTIONAL", "DEFAULT")
                return parser.sees("::=") or (words and _can_be_macro(governor))
            if parser.sees("::="):
                return True
            parser.parse_type()
        except Problem:
            return False
        # Braces and a name can be the end of a value, and an assignment, which has no brace after "::=".
        return parser.sees("::=", "{")

    def _skip_to_end(self) -> None:
        while not self.sees("END") and self.kind is not Kind.END:
            self.take()


def _can_be_macro(parsed: Type) -> bool:
    """Return whether a type is a reference in capitals, as the names of macros are."""
    return isinstance(parsed, TypeReference) and parsed.name.isupper() and parsed.arguments is None
