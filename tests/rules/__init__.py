"""One table of valid and invalid octets for each rule of X.690; `rows.py` says how each row is tested."""

import pytest

pytest.register_assert_rewrite(f"{__name__}.rows")
