"""The contents octets of OID-IRI and RELATIVE-OID-IRI: how good ones are drawn, and how they are broken.

For the table in `derlib.strategies._contents`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from derlib._core import Plan
from derlib.strategies._elements import Fault

ASCII = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~"
# The ends of the rows that X.660 7.5 lets in.
CORNERS = "\xa0\ud7ff\uf900\ufdcf\ufdf0\uffef\U00010000\U0001fffd\U000e1000\U000efffd"
CHARACTERS = st.one_of(
    st.sampled_from(ASCII), st.characters(min_codepoint=0xA0, max_codepoint=0xD7FF), st.sampled_from(CORNERS)
)


def no_number(text: str) -> str:
    """A label that is an integer has no leading zeros; this one is none."""
    return "a" + text if text.isdigit() else text


INTEGERS = st.one_of(st.integers(0, 300), st.sampled_from([19785, 2**64])).map(str)
LABELS = st.one_of(
    INTEGERS,
    st.text(CHARACTERS, min_size=1, max_size=8).map(no_number),
    # Hyphens stand neither first nor last, nor third and fourth together.
    st.sampled_from(["ISO", "Registration-Authority", "a-b", "a--b", "abc--d", 130 * "a"]),
)


def iris(plan: Plan, beyond: bool) -> SearchStrategy[bytes]:
    return relative_iris(plan, beyond).map(lambda arcs: b"/" + arcs)


def relative_iris(_: Plan, __: bool) -> SearchStrategy[bytes]:
    return st.lists(LABELS, min_size=1, max_size=4).map(lambda labels: "/".join(labels).encode())


def faults_of(name: str) -> Callable[[Plan, bytes], Iterator[Fault]]:
    def faults(_: Plan, contents: bytes) -> Iterator[Fault]:
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
        for label, what in (
            ("01", "with a leading zero"), ("-a", "with a hyphen first"), ("a-", "with a hyphen last"),
            ("xn--a", "with hyphens third and fourth"), ("a b", "with a blank"), ("%20", "with a percent sign"),
            ("\x7f", "with a control character"), ("\ue000", "with a private character"),
            ("\ufffd", "with a special character"), ("\U000e0001", "with a tag of plane 14"),
        ):
            yield Fault("iri-label", contents + b"/" + label.encode(), f"{name} has an arc {what}")

    return faults
