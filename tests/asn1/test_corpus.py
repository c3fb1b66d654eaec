"""The corpus of certificates and CRLs is the same for the compiled modules of RFC 5912 and for `derlib.schemas`.

Both give the same verdict, the same fault at the same path, and the same values; `VERDICTS` and `OPAQUE` have the
exceptions and their reasons.
"""

import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from asn1.standards import STANDARDS
from corpus.files import Item, corpus, schema_of

import derlib
from derlib import TLV, BitString, Choice

# Items with another verdict, or with another fault.
VERDICTS = {
    "vectors/x509/PKITS_data/certs/InvalidDSASignatureTest6EE.crt": "RFC 5912 defines the contents of signatures",
    "vectors/x509/PKITS_data/certs/UserNoticeQualifierTest19EE.crt": "longer texts are allowed (RFC 5280 4.2.1.4)",
    "vectors/x509/custom/bad_country.pem": "an attribute value of another type is opaque in derlib.schemas",
    "vectors/x509/custom/name_attribute_unsupported_tag.pem": "as above, so that the fault in it is found instead",
    "vectors/x509/custom/crl_unsupported_reason.pem": "CRLReason is extensible in X.509",
    "shared/crl/webpki/crl.entry.invalid.reason.der": "CRLReason is extensible in X.509",
    "vectors/x509/custom/ec_no_named_curve.pem": "RFC 5480 2.1.1 only forbids specifiedCurve",
}

# Fields whose value has a type in one of them, and is opaque in the other.
OPAQUE = {
    "extn_value": "RFC 5912 does not have the extensions of other standards",
    "parameters": "RFC 5912 does not have other algorithms, and no table where its object set is empty",
    "value": "RFC 5912 has fewer attribute types, and no forms of otherName",
    "signature": "RFC 5912 defines the contents of signatures",
    "subject_public_key": "the contents of keys have types in derlib.schemas",
}
# The names of alternatives that derlib.schemas writes as unions, which have no names.
UNIONS = re.compile("(utc|general)_time|(teletex|printable|universal|utf8|bmp|ia5|visible)_string")
# The names of RFC 5912 at the start of a path, which are those of its type SIGNED.
SIGNED = {"to_be_signed": "tbs_", "algorithm_identifier": "signature_algorithm", "signature": "signature_value"}

LISTS = (derlib.SequenceOf, derlib.SetOf)
PARTS = (*LISTS, derlib.Sequence, derlib.Set)


@cache
def compiled() -> ModuleType:
    [standard] = [standard for standard in STANDARDS if standard.name == "rfc5912"]
    return standard.load()


def items() -> list[Item]:
    """Return the corpus without the large CRL, whose structures occur in the small ones."""
    found = [item for item in corpus() if len(item.der) <= 2**20]
    if not found:
        pytest.skip("no corpus is here")
    return found


def decoded(schema: Any, data: bytes) -> tuple[Any, derlib.ASN1Error | None]:
    """Return the value or the error."""
    try:
        return schema.decode(data), None
    except derlib.ASN1Error as error:
        return None, error


def fault(error: derlib.ASN1Error | None) -> tuple[object, ...] | None:
    """Return the fault of an error, with the names of the components of RFC 5280 at the start of its path."""
    if error is None or not isinstance(error, derlib.DecodeError):
        return None if error is None else (type(error),)
    path = [re.sub("^tbs_.*", "tbs_", str(step)) for step in error.path if not UNIONS.fullmatch(str(step))]
    return error.kind, error.rule, error.offset, [SIGNED.get(step, step) for step in path[:1]] + path[1:]


def test_the_verdicts_and_faults_are_equal() -> None:
    different: set[str] = set()
    known = set(VERDICTS)
    for item in items():
        own, compiled_one = (
            fault(decoded(schema, item.der)[1])
            for schema in (schema_of(item), getattr(compiled(), schema_of(item).__name__))
        )
        if own != compiled_one:
            different.add(item.name)
    present = {item.name for item in items()}
    assert sorted(different - known) == []
    assert sorted((known & present) - different) == []


def test_the_values_are_equal() -> None:
    opaque: set[str] = set()
    leaves = 0
    for item in items():
        own, _ = decoded(schema_of(item), item.der)
        other, _ = decoded(getattr(compiled(), schema_of(item).__name__), item.der)
        if own is None or other is None:
            continue
        for name, left, right in leaves_of(own, other, ""):
            if left == right:
                leaves += 1
            else:
                assert name in OPAQUE, f"{item.name}: {name}"
                assert is_opaque(left) or is_opaque(right), f"{item.name}: {name}"
                opaque.add(name)
    assert leaves > 20_000
    assert opaque == OPAQUE.keys()


def leaves_of(left: Any, right: Any, name: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the pairs of values without parts, with the name of their field."""
    left, right = unwrapped(left), unwrapped(right)
    if not (isinstance(left, PARTS) and isinstance(right, PARTS)):
        yield name, left, right
    elif isinstance(left, LISTS):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            yield from leaves_of(one, other, f"{name}[]")
    else:
        for one, other in zip(derlib.fields(type(left)), derlib.fields(type(right)), strict=True):
            assert length(left, one.name) == length(right, other.name)
            yield from leaves_of(getattr(left, one.name), getattr(right, other.name), other.name)


def length(value: Any, name: str) -> int | None:
    """Return the length of the element of a field, or None if it is absent."""
    span = value.span(name)
    return None if span is None else span.length


def unwrapped(value: Any) -> Any:
    """Return the value of a CHOICE."""
    while isinstance(value, Choice):
        value = value.value
    return value


def is_opaque(value: object) -> bool:
    """Return whether a value can be that of an open type without a known type."""
    return isinstance(value, (TLV, bytes, BitString))
