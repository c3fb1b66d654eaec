"""The deviations of real certificates and CRLs: the counts for `Deviation.COMMON_CERTIFICATE_DEFECTS`.

A file counts once for each deviation that it needs. Most were made to be wrong; `WILD` names those that a certification
authority issued, or that an RFC shows.
"""

from collections import Counter

import pytest

import derlib
from derlib import Deviation

from .files import corpus, schema_of
from .octets import touch

EVERYTHING = ~Deviation(0)

# The number of files in each source that need a deviation; docs/deviations.md shows these.
COUNTS = {
    "certifi": {},
    "vectors": {
        "STRING_ALPHABET": 4,
        "NAMED_BITS": 1,
        "EMPTY_LIST": 1,
        "STRING_ENCODING": 1,
        "DEFAULT_ENCODED": 1,
        "OPEN_TYPE": 8,
        None: 3,
    },
    "shared": {"EMPTY_LIST": 1, "DEFAULT_ENCODED": 1, "BOOLEAN_TRUE": 1, "TRAILING_DATA": 1, "OPEN_TYPE": 5},
}

# Those that were not made to be wrong.
WILD = [
    "vectors/pkcs7/non-ascii-san.pem",
    "vectors/x509/belgian-eid-invalid-visiblestring.pem",
    "vectors/x509/ed25519/ed25519-rfc8410.pem",
    "vectors/x509/utf8-dnsname.pem",
]

# Made to be wrong, like certificates in use (docs/deviations.md has their number).
LIKE_WILD = ["vectors/x509/custom/empty-eku.pem"]


def needs(item):
    """Return the deviations without which an item is rejected, or None if no deviation helps."""
    schema = schema_of(item)
    for tolerate in (EVERYTHING & ~Deviation.OPEN_TYPE, EVERYTHING):
        try:
            found = schema.decode(item.der, tolerate=tolerate)
        except derlib.ASN1Error:
            continue
        return {str(one.deviation.name) for one in found.deviations}
    return None


@pytest.mark.parametrize("source", COUNTS)
def test_the_number_of_files_that_need_each_deviation(source):
    items = [item for item in corpus() if item.name.split("/")[0].split("#")[0] == source]
    if not items and source == "shared":
        pytest.skip("the shared test data is not beside the project")
    counts = Counter()
    for item in items:
        counts.update([None] if (names := needs(item)) is None else names)
    assert counts == COUNTS[source]


def test_common_certificate_defects_suffices_for_certificates_in_use():
    by_name = {item.name: item for item in corpus()}
    for name in WILD + LIKE_WILD:
        schema = schema_of(by_name[name])
        data = by_name[name].der
        with pytest.raises(derlib.DecodeError):
            schema.decode(data)
        found = schema.decode(data, tolerate=Deviation.COMMON_CERTIFICATE_DEFECTS)
        assert found.deviations
        assert found.encode() == data


def test_valid_items_decode_the_same_with_all_deviations():
    for item in corpus():
        schema = schema_of(item)
        try:
            strict = schema.decode(item.der)
        except derlib.ASN1Error:
            continue
        loose = schema.decode(item.der, tolerate=EVERYTHING)
        assert loose.deviations == ()
        assert loose == strict
        if len(item.der) < 10_000:
            touch(loose)
            assert loose.to_native() == strict.to_native()


def test_tolerated_items_can_be_read_completely():
    for item in corpus():
        try:
            found = schema_of(item).decode(item.der, tolerate=EVERYTHING)
        except derlib.ASN1Error:
            continue
        if found.deviations:
            touch(found)
            for one in found.deviations:
                span = found.span(*one.path) if one.path else found.span()
                assert span is None or span.offset <= one.offset <= span.end or one.kind == "trailing-data"
