"""Real certificates and CRLs: compared with cryptography, walked byte by byte, and damaged."""

import pytest

pytest.register_assert_rewrite(f"{__name__}.octets")
