"""Values of OBJECT IDENTIFIER and RELATIVE-OID: their arcs, which can be numbers, names and other values (X.680 32)."""

from __future__ import annotations

from derlib.asn1.diagnostics import Problem
from derlib.asn1.semantics.forms import check_first_arcs, is_relative
from derlib.asn1.semantics.model import ItemValue, Numbered, OIDValue
from derlib.asn1.semantics.names import Scope
from derlib.asn1.semantics.values import ValueResolver
from derlib.asn1.source import Place
from derlib.asn1.syntax import tree
from derlib.asn1.syntax.lexer import Kind
from derlib.asn1.syntax.modules import ModuleParser
from derlib.asn1.syntax.tree import Braced, Value

# The names of the first arcs, and of the second ones, which can be written without a number (X.660 A).
_FIRST_ARCS = {"itu-t": 0, "ccitt": 0, "iso": 1, "joint-iso-itu-t": 2, "joint-iso-ccitt": 2}
_SECOND_ARCS = {
    0: {"recommendation": 0, "question": 1, "administration": 2, "network-operator": 3, "identified-organization": 4},
    1: {"standard": 0, "registration-authority": 1, "member-body": 2, "identified-organization": 3},
    2: {"ds": 5},
}


class ObjectIdentifierResolver(ValueResolver):
    """Resolves OBJECT IDENTIFIERs."""

    def identifier(self, node: Value, scope: Scope) -> OIDValue:
        """Return an OBJECT IDENTIFIER.

        Raises:
            Problem: it is not one, or a name in it is not known.
        """
        arcs = self.arcs(node, scope)
        check_first_arcs(arcs, node.at)
        return OIDValue(arcs)

    def arcs(self, node: Value, scope: Scope, *, relative: bool = False) -> tuple[int, ...]:
        """Return the arcs of an OBJECT IDENTIFIER.

        Raises:
            Problem: it is not one, or a name in it is not known.
        """
        if not isinstance(node, Braced):
            found = self.any_value(node, Numbered("INTEGER", {}), scope)
            if isinstance(found, OIDValue):
                return found.arcs
            raise Problem("expected an OBJECT IDENTIFIER", node.at)
        parser = self.parser(node)
        arcs: list[int] = []
        while not parser.at_end():
            arcs.extend(self._next_arcs(parser, () if relative else tuple(arcs[:3]), scope, relative))
        if not arcs:
            raise Problem("expected the arcs of an OBJECT IDENTIFIER", node.at)
        return tuple(arcs)

    def _next_arcs(
        self, parser: ModuleParser, before: tuple[int, ...], scope: Scope, relative: bool
    ) -> tuple[int, ...]:
        at = parser.at
        if parser.kind in (Kind.NUMBER, Kind.REAL):
            # {1.2} is not valid: the text of a REAL fails here.
            return (int(parser.expect_kind(Kind.NUMBER)),)
        if parser.kind is not Kind.IDENTIFIER and not parser.begins_value():
            parser.fail("an arc: a number, name(number) or a name")
        if parser.kind is Kind.IDENTIFIER and parser.ahead().text == "(":
            parser.take()
            parser.expect("(")
            number = self.integer(parser.parse_value(), scope)
            parser.expect(")")
            return (number,)
        known = None if relative else _known_arc(parser.token.text, before)
        if known is not None:
            parser.take()
            return (known,)
        return self._referenced_arcs(parser.parse_value(), before, scope, at)

    def _referenced_arcs(self, node: Value, before: tuple[int, ...], scope: Scope, at: Place) -> tuple[int, ...]:
        found = self.any_value(node, Numbered("INTEGER", {}), scope)
        if isinstance(found, ItemValue):
            found = found.number
        if type(found) is int:
            if found < 0:
                raise Problem(f"the arc {found} is negative", at)
            return (found,)
        if isinstance(found, OIDValue):
            if before and not self._is_relative_reference(node, scope):
                raise Problem("an OBJECT IDENTIFIER can only come first (X.680 32.3)", at)
            return found.arcs
        raise Problem("expected an OBJECT IDENTIFIER or an INTEGER", at)

    def _is_relative_reference(self, node: Value, scope: Scope) -> bool:
        """Return whether a value is the name of a RELATIVE-OID."""
        if not isinstance(node, tree.ValueReference):
            return False
        governor = self.governor_of(node, scope)
        return is_relative(self.base(governor))


def _known_arc(name: str, before: tuple[int, ...]) -> int | None:
    """Return the number of an arc that X.660 names, which can be written without its number."""
    if not before:
        return _FIRST_ARCS.get(name)
    if len(before) == 1:
        return _SECOND_ARCS[before[0]].get(name) if before[0] in _SECOND_ARCS else None
    if before == (0, 0) and len(name) == 1:
        # The series of Recommendations: a(1) to z(26).
        return ord(name) - ord("a") + 1
    return None
