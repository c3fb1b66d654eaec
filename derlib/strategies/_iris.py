"""The contents octets of OID-IRI and RELATIVE-OID-IRI: strategies of valid ones, and mutations of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib.strategies._elements import Fault
from derlib.strategies._types import Type

ASCII = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~"
# The ends of the ranges of characters that X.660 7.5 allows.
CORNERS = "\xa0\ud7ff\uf900\ufdcf\ufdf0\uffef\U00010000\U0001fffd\U000e1000\U000efffd"
CHARACTERS = st.one_of(
    st.sampled_from(ASCII), st.characters(min_codepoint=0xA0, max_codepoint=0xD7FF), st.sampled_from(CORNERS)
)


def not_a_number(text: str) -> str:
    """Return a label that is not an integer: an integer must not have leading zeros."""
    return "a" + text if text.isdigit() else text


INTEGERS = st.one_of(st.integers(0, 300), st.sampled_from([19785, 2**64])).map(str)
LABELS = st.one_of(
    INTEGERS,
    st.text(CHARACTERS, min_size=1, max_size=8).map(not_a_number),
    # A hyphen is not first or last; hyphens are not third and fourth together.
    st.sampled_from(["ISO", "Registration-Authority", "a-b", "a--b", "abc--d", 130 * "a"]),
)


def iris(type_: Type, unrepresentable: bool) -> SearchStrategy[bytes]:
    return relative_iris(type_, unrepresentable).map(lambda arcs: b"/" + arcs)


def relative_iris(_: Type, __: bool) -> SearchStrategy[bytes]:
    return st.lists(LABELS, min_size=1, max_size=4).map(lambda labels: "/".join(labels).encode())


def faults_of(name: str) -> Callable[[Type, bytes], Iterator[Fault]]:
    def faults(_: Type, contents: bytes) -> Iterator[Fault]:
        yield Fault("iri-utf8", contents + b"\xff", f"{name} has an octet ff")
        yield Fault("iri-utf8", contents + b"\xed\xa0\x80", f"{name} has a surrogate")
        yield Fault("iri-utf8", contents + b"\xc3", f"{name} ends inside a character")
        yield Fault("iri-form", b"", f"{name} is empty")
        yield Fault("iri-form", contents + b"/", f"{name} ends with a slash")
        yield Fault("iri-form", contents + b"//1", f"{name} has an empty arc")
        if contents[:1] == b"/":
            yield Fault("iri-form", contents[1:], f"{name} does not begin with a slash")
        else:
            yield Fault("iri-form", b"/" + contents, f"{name} begins with a slash")
        for label, description in (
            ("01", "with a leading zero"), ("-a", "with a hyphen first"), ("a-", "with a hyphen last"),
            ("xn--a", "with hyphens third and fourth"), ("a b", "with a space"), ("%20", "with a percent positive"),
            ("\x7f", "with a control character"), ("\ue000", "with a private character"),
            ("\ufffd", "with a special character"), ("\U000e0001", "with a tag of plane 14"),
        ):
            yield Fault("iri-label", contents + b"/" + label.encode(), f"{name} has an arc {description}")

    return faults
