"""Settings for all tests of the project: tests/, examples/, and the examples in docs/ and docstrings."""

import contextlib
import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from derlib import oids

# The code of the site has no examples, and imports Sphinx, which the suite does not need.
collect_ignore = ["docs/conf.py", "docs/search_pages.py"]

# No deadline: the time of an example means nothing on a busy machine, or under a sanitizer or coverage.
settings.register_profile("derlib", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The number of tests/support/examples.py.
if os.environ.get("DERLIB_FEW_EXAMPLES", "") not in ("", "0"):
    settings.register_profile("derlib", settings.get_profile("derlib"), max_examples=25)
# In continuous integration and in `.ci/run`, each run has the same examples. Otherwise they would also depend on the
# modules that were imported before, because Hypothesis uses constants in their source.
if os.environ.get("CI"):
    settings.register_profile("derlib", settings.get_profile("derlib"), derandomize=True, database=None)
    with contextlib.suppress(ImportError):  # in an old version, which does not use any
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
settings.load_profile("derlib")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without garbage collections, which took a quarter of the time: nearly every object is kept."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture
def registered_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discard the OID names that a test registers."""
    oids.registered()  # adds the names of the table
    monkeypatch.setattr(oids, "_name_by_oid", dict(oids._name_by_oid))
    monkeypatch.setattr(oids, "_oid_by_name", dict(oids._oid_by_name))
    monkeypatch.setattr(oids, "_usual_names", {})


@pytest.fixture(autouse=True)
def _names_of_examples(request: pytest.FixtureRequest) -> None:
    """Discard the OID names that an example in the documentation registers."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("registered_names")
