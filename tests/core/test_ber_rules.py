"""The column "in BER" of docs/rules.md agrees with the conversion: each invalid row of tests/rules is read as BER."""

from __future__ import annotations

import importlib
from collections import defaultdict
from functools import cache

import pytest

import derlib
from derlib import ber
from derlib._ber_rules import IN_BER
from derlib._core import fault_kinds

make_rules = pytest.importorskip("docs.make_rules", reason="docs/ is not beside the tests")
PACKAGE = importlib.import_module("rules")

KINDS = [kind for kind, _, _ in fault_kinds()]
#: Only reading BER can cause these kinds; tests/rules/test_ber.py has their rows.
ONLY_IN_BER = {kind for kind, module in make_rules.NAMED_TESTS.items() if module == "test_ber.py"}


@cache
def errors_by_kind() -> dict[str, list[str | None]]:
    """Return for each kind of fault the kinds of the errors of its rows as BER; None for a row that was converted."""
    found: dict[str, list[str | None]] = defaultdict(list)
    for module in make_rules.row_modules(PACKAGE):
        for row, place in make_rules.invalid_rows(module):
            kind, _ = make_rules.error_of(row, place)
            try:
                converted = ber.convert(row.octets, None if place == "parsed" else row.type)
            except (derlib.DecodeError, derlib.LimitError) as error:
                found[kind].append(error.kind)
            else:
                assert converted.changes
                found[kind].append(None)
    return found


def test_the_table_names_kinds():
    assert set(IN_BER) <= set(KINDS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "converted" in IN_BER.get(kind, "")])
def test_a_rule_that_is_converted_has_a_row_that_is(kind):
    assert None in errors_by_kind()[kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in IN_BER and kind not in ONLY_IN_BER])
def test_a_rule_that_is_an_error_has_no_row_that_is_converted(kind):
    assert None not in errors_by_kind()[kind]
