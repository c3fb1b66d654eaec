"""One table of good and bad octets for each rule of X.690; `rows.py` says what a row proves."""

import pytest

pytest.register_assert_rewrite(f"{__name__}.rows")
