"""derlib and other decoders agree on single elements, or the class of their disagreement has a row."""

from __future__ import annotations

import functools
import subprocess

import pytest

import derlib
from derlib._core import fault_kinds

from .files import SHARED
from .peer_classes import CLASSES
from .peers import PEERS, available, verdict
from .tables import free_samples, go_samples

make_rules = pytest.importorskip("docs.make_rules", reason="docs/ is not beside the tests")
rules = pytest.importorskip("tests.rules")


def refusal(octets: bytes) -> str:
    """Return the kind of derlib's error, "" if the input is DER."""
    try:
        derlib.parse(octets)
    except (derlib.DecodeError, derlib.LimitError) as error:
        return error.kind
    return ""


@functools.cache
def elements() -> dict[bytes, str]:
    """Return every element that is tested, with the verdict of derlib."""
    octets = [
        parameters.values[0].octets
        for module in make_rules.row_modules(rules)
        for function in vars(module).values()
        for mark in getattr(function, "pytestmark", ())
        if mark.name == "parametrize" and mark.args[0] == ("row", "place")
        for parameters in mark.args[1]
        if parameters.values[1] == "parsed"
    ]
    if SHARED.is_dir():
        octets += [sample.octets for sample in (*go_samples(SHARED), *free_samples(SHARED)) if not sample.header]
    return {one: refusal(one) for one in octets}


def tried(peer: str) -> dict[bytes, str]:
    """Return the elements for a peer: all; for openssl, a process each, the first of each kind and type."""
    if peer != "openssl":
        return elements()
    first: dict[tuple[str, bytes], bytes] = {}
    for octets, kind in elements().items():
        first.setdefault((kind, octets[:1]), octets)
    return {octets: kind for (kind, _), octets in first.items()}


@functools.cache
def classes(peer: str) -> dict[str, list[str]]:
    """Return the classes of disagreement with a peer that occur, with their elements in hexadecimal."""
    found: dict[str, list[str]] = {}
    for octets, kind in tried(peer).items():
        theirs = verdict(peer, octets)
        if theirs is not None and theirs != (kind == ""):
            found.setdefault(kind or f"accepted {octets[:1].hex()}", []).append(octets.hex())
    return found


def rows(peer: str) -> dict[str, str]:
    """Return the rows of a peer: kind and reason."""
    return {kind: one.reason for one in CLASSES if one.peer == peer for kind in one.kinds}


def need(peer: str) -> None:
    if not available(peer):
        pytest.skip(f"{peer} is not installed")
    if peer == "openssl":
        version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True).stdout
        if not version.startswith("OpenSSL 3."):
            pytest.skip(f"the rows were written for OpenSSL 3, not for {version.strip()}")


@pytest.mark.parametrize("peer", PEERS)
def test_every_class_of_disagreement_has_its_row(peer):
    need(peer)
    assert len(tried(peer)) >= 100
    assert {kind: octets[:3] for kind, octets in classes(peer).items() if kind not in rows(peer)} == {}


@pytest.mark.parametrize("peer", PEERS)
def test_no_row_is_stale(peer):
    need(peer)
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared/data is absent")
    always = {kind for one in CLASSES if one.peer == peer and not one.later for kind in one.kinds}
    assert always - set(classes(peer)) == set()


def test_each_row_has_a_kind_with_a_clause_and_a_reason():
    clauses = {kind: clause for kind, _, clause in fault_kinds()}
    pairs = [(one.peer, kind) for one in CLASSES for kind in one.kinds]
    assert len(set(pairs)) == len(pairs)
    for one in CLASSES:
        assert one.peer in PEERS
        assert len(one.reason.split()) >= 4
        for kind in one.kinds:
            if kind.endswith("-limit"):
                assert clauses[kind] == ""
            elif not kind.startswith("accepted "):
                assert clauses[kind].startswith(("X.680 ", "X.690 ", "X.682 "))
