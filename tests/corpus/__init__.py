"""Real certificates and CRLs: compared with cryptography, walked octet by octet, and damaged."""

import pytest

pytest.register_assert_rewrite(f"{__name__}.octets")
