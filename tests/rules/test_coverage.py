"""Every kind of fault has a row that causes it, and docs/rules.md describes all of them correctly."""

import sys
from pathlib import Path

import pytest

from derlib import ASN1Error, DecodeError, LimitError
from derlib._core import fault_kinds

make_rules = pytest.importorskip("docs.make_rules", reason="docs/ is not beside the tests")

PACKAGE = sys.modules[__package__]
KINDS = [kind for kind, _, _ in fault_kinds()]


@pytest.fixture(scope="module")
def tests_by_kind():
    return make_rules.tests_by_kind(PACKAGE)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_fault_has_a_row_that_causes_it(kind, tests_by_kind):
    if kind in make_rules.NAMED_TESTS:
        source = Path(__file__).with_name(make_rules.NAMED_TESTS[kind]).read_text(encoding="utf-8")
        assert f'"{kind}"' in source
        assert not tests_by_kind[kind], "octets cause it, so it needs no named test"
    else:
        assert tests_by_kind[kind].total() > 0, f"no refusing row in tests/rules causes {kind!r}"


def test_every_invalid_row_has_a_kind_that_the_core_lists(tests_by_kind):
    assert set(tests_by_kind) - {kind for kind in KINDS if not tests_by_kind[kind]} <= set(KINDS)


def test_kinds_are_unique_and_have_an_exception_and_all_but_those_of_derlib_itself_a_clause():
    assert len(set(KINDS)) == len(KINDS)
    for kind, exception, clause in fault_kinds():
        assert issubclass(exception, ASN1Error)
        assert issubclass(exception, (DecodeError, LimitError))
        if kind.endswith("-limit") or kind == "buffer-changed":
            assert clause == "", kind
        else:
            assert clause.startswith(("X.690 ", "X.680 ", "X.682 ", "RFC ")), kind


def test_the_page_has_the_rule_of_each_kind():
    assert [kind for rules in make_rules.RULES.values() for kind in rules] == KINDS


def test_the_page_is_up_to_date():
    written = make_rules.PAGE.read_text(encoding="utf-8")
    assert written == make_rules.render(PACKAGE), f"docs/rules.md is stale; run {make_rules.COMMAND}"
