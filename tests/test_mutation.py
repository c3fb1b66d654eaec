"""`make mutate` covers the core as it is: every place that names a fault has a mutant, and no reason is left over.

The run itself takes minutes; this only reads the sources, and what the last run proved.
"""

import json
from pathlib import Path

import pytest

from derlib._core import fault_kinds

mutation = pytest.importorskip("tests.mutation.sites", reason="the tests stand alone")
CORE = Path(__file__).resolve().parent.parent / "derlib" / "core"
if not CORE.is_dir():
    pytest.skip("the sources of the core are not beside the tests", allow_module_level=True)

SOURCES = mutation.Sources(CORE)
PROOF = json.loads((CORE.parent.parent / "docs" / "figures" / "mutants.json").read_text(encoding="utf-8"))


def test_every_kind_of_fault_has_a_mutant():
    raised = {site.fault for site in SOURCES.sites if site.form == "raise"}
    # These are passed on, or chosen, by a call that may find a better name.
    assert set(SOURCES.faults) - raised - {"FAULT_COUNT"} <= {
        "FAULT_ALTERNATIVE",
        "FAULT_COMPONENT_EXTRA",
        "FAULT_UNEXPECTED_TAG",
    }


@pytest.mark.parametrize("kind", [kind for kind, _, _ in fault_kinds()])
def test_each_rule_of_the_table_was_taken_away_and_a_test_failed(kind):
    now = {site.shown for site in SOURCES.sites if site.kind == kind}
    assert set(PROOF[kind]) == now, "the checks of this rule have changed: run `make mutate` (ARGS=--new), `make docs`"
    killers = [killer for killer in PROOF[kind].values() if not killer.startswith("equivalent: ")]
    assert killers
    for killer in killers:
        file, _, function = killer.partition("::")
        assert f"def {function.partition('[')[0]}(" in (CORE.parent.parent / file).read_text(encoding="utf-8")


def test_every_deviation_has_two_mutants():
    texts = [site.text for site in SOURCES.sites if site.form == "deviation"]
    assert len(SOURCES.deviations) > 20
    for fault in SOURCES.deviations:
        assert {f"{fault} is no deviation", f"{fault} is always tolerated"} <= set(texts)


def test_every_function_of_the_writer_that_is_named_has_mutants():
    # A function that was renamed would go unproved.
    from tests.mutation.decisions import DECISIONS, OTHERWISE

    found = {(site.file, site.function) for site in SOURCES.sites if site.form == "decision"}
    assert found == {(file, function) for file, functions in DECISIONS.items() for function in functions}
    texts = {f"{site.text.removesuffix(' is always False')} in {site.function}" for site in SOURCES.sites}
    assert set(OTHERWISE) <= texts


def test_mutants_have_names_of_their_own():
    keys = [site.key for site in SOURCES.sites]
    assert len(set(keys)) == len(keys)


def test_each_reason_is_of_a_mutant_that_there_is():
    from tests.mutation.equivalent import EQUIVALENT

    keys = {site.key for site in SOURCES.sites}
    assert [key for key in EQUIVALENT if key not in keys] == []
    assert all(len(reason.split()) >= 4 for reason in EQUIVALENT.values())
