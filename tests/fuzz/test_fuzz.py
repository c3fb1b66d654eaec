"""Each target for a moment: that its seeds pass, and that the targets themselves do not rot."""

from __future__ import annotations

import pytest

from . import replay as plain
from .mutate import mutate
from .targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_of_a_target_and_changes_to_them_pass(name):
    assert plain.replay(name, 0.5) > 0


def test_changes_keep_to_the_size():
    data = bytes.fromhex("3009 0203010001 0402 0500")
    made = {mutate(data, 40, seed) for seed in range(500)}
    assert max(map(len, made)) <= 40
    assert len(made) > 100
