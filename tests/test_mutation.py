"""`make mutate` covers the core as it is: every place that names a fault has a mutant, and no reason is left over.

The run itself takes minutes; this only reads the sources.
"""

from pathlib import Path

import pytest

mutation = pytest.importorskip("tests.mutation.sites", reason="the tests stand alone")
CORE = Path(__file__).resolve().parent.parent / "derlib" / "core"
if not CORE.is_dir():
    pytest.skip("the sources of the core are not beside the tests", allow_module_level=True)

SOURCES = mutation.Sources(CORE)


def test_every_kind_of_fault_has_a_mutant():
    raised = {site.fault for site in SOURCES.sites if site.form == "raise"}
    # These are passed on, or chosen, by a call that may find a better name.
    assert set(SOURCES.faults) - raised - {"FAULT_COUNT"} <= {
        "FAULT_ALTERNATIVE",
        "FAULT_COMPONENT_EXTRA",
        "FAULT_UNEXPECTED_TAG",
    }


def test_every_deviation_has_two_mutants():
    texts = [site.text for site in SOURCES.sites if site.form == "deviation"]
    assert len(SOURCES.deviations) > 20
    for fault in SOURCES.deviations:
        assert {f"{fault} is no deviation", f"{fault} is always tolerated"} <= set(texts)


def test_mutants_have_names_of_their_own():
    keys = [site.key for site in SOURCES.sites]
    assert len(set(keys)) == len(keys)


def test_each_reason_is_of_a_mutant_that_there_is():
    from tests.mutation.equivalent import EQUIVALENT

    keys = {site.key for site in SOURCES.sites}
    assert [key for key in EQUIVALENT if key not in keys] == []
    assert all(len(reason.split()) >= 4 for reason in EQUIVALENT.values())
