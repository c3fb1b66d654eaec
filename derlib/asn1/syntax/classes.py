"""The parser of object classes (X.681 9, 10)."""

from __future__ import annotations

from derlib.asn1.diagnostics import Problem
from derlib.asn1.source import Place
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.tree import Argument, FieldSpec, ObjectClass, SyntaxGroup, Type
from derlib.asn1.syntax.types import TypeParser


class ClassParser(TypeParser):
    """Parses object classes."""

    def parse_object_class(self) -> ObjectClass:
        """Parse ``CLASS {...} WITH SYNTAX {...}``."""
        at = self.at
        self.expect("CLASS", "{")
        fields = [self._parse_field()]
        while self.skip(","):
            fields.append(self._parse_field())
        if not self.skip("}"):
            self.fail("',' or '}'")
        syntax = None
        if self.skip("WITH"):
            self.expect("SYNTAX")
            syntax = self._parse_syntax(self.at, "{", "}")
        return ObjectClass(at, fields, syntax)

    def _parse_field(self) -> FieldSpec:
        at = self.at
        name = self.expect_kind(Kind.FIELD)[1:]
        governor: Type | str | None = None
        if self.kind is Kind.FIELD:
            governor = self.take().text[1:]
            governor = ".".join([governor, *self.parse_path()])
        elif self.token.text not in ("OPTIONAL", "DEFAULT", ",", "}"):
            governor = self.parse_type()
        unique = self.skip("UNIQUE")
        optional = self.skip("OPTIONAL")
        default: Argument | None = self.parse_argument() if self.skip("DEFAULT") else None
        return FieldSpec(at, name, governor, unique, optional, default)

    def _parse_syntax(self, at: Place, opening: str, closing: str) -> SyntaxGroup:
        """Parse a token list, or an optional group of one (X.681 10.5)."""
        self.enter()
        self.expect(opening)
        group = SyntaxGroup(at, [])
        while not self.skip(closing):
            if self.sees("["):
                group.items.append(self._parse_syntax(self.at, "[", "]"))
            elif self.kind in (Kind.FIELD, Kind.REFERENCE) or self.sees(","):
                group.items.append(self.take().text)
            else:
                self.fail(f"a word in capitals, a field reference or {closing!r}")
        if not group.items:
            raise Problem("expected a word in capitals or a field reference in the syntax of a class", at)
        self.leave()
        return group
