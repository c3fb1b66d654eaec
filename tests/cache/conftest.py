"""The fixture that several tests of the cache have."""

from __future__ import annotations

import pytest
from support.cache_data import SECRET


@pytest.fixture(params=[None, SECRET], ids=["unsigned", "signed"])
def secret(request: pytest.FixtureRequest) -> str | None:
    """A cache without and with signatures."""
    return request.param
