"""Plain data and JSON with the names of OBJECT IDENTIFIERs: `names=True`. Every value is read back."""

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

import certifi
import pytest

from derlib import (
    Choice,
    ConstraintError,
    DefinedBy,
    Explicit,
    Implicit,
    ObjectIdentifier,
    OpenTypes,
    Sequence,
    SequenceOf,
    SetOf,
    UTF8String,
    oids,
    pem,
)
from derlib.schemas.algorithms import AlgorithmIdentifier
from derlib.schemas.attributes import Name
from derlib.schemas.cms import Attribute
from derlib.schemas.x509 import Certificate, Extension

VALUES = OpenTypes("VALUES", {"2.5.4.3": str, "2.5.4.6": ObjectIdentifier, "2.5.4.7": int}, on_mismatch="opaque")


class Pair(Sequence):
    """An attribute: an OBJECT IDENTIFIER and the value that it selects."""

    type: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type", VALUES)]


class Many(Sequence):
    """An attribute with several values in explicit tags."""

    kind: ObjectIdentifier
    values: Annotated[SetOf[Annotated[Any, DefinedBy("kind", VALUES)]], Explicit(0)]


class Optional(Sequence):
    """A value that can be absent, so `{name: value}` would not distinguish it from NULL."""

    type: ObjectIdentifier
    value: Annotated[Any, DefinedBy("type", VALUES)] | None = None


class Either(Sequence):
    """A union in which a text can be a name or a character string."""

    value: ObjectIdentifier | UTF8String


class Selector(Choice):
    global_id: Annotated[ObjectIdentifier, Implicit(0)]
    local_id: Annotated[int, Implicit(1)]


class Chosen(Sequence):
    """An open type whose selector is inside a CHOICE."""

    selector: Selector
    value: Annotated[
        Any, DefinedBy("selector", OpenTypes("CHOSEN", {Selector(global_id="2.5.4.3"): str, Selector(local_id=1): int}))
    ]


@pytest.mark.parametrize(
    ("value", "native"),
    [
        (Pair(type="2.5.4.3", value="x"), {"commonName": "x"}),
        (Pair(type="2.5.4.6", value="2.5.4.3"), {"countryName": "commonName"}),
        (Pair(type="2.5.4.3", value={"$opaque": b"\5\0"}), {"commonName": {"$opaque": b"\5\0"}}),
        (Pair(type="2.999.1", value=b"\5\0"), {"2.999.1": b"\5\0"}),
        (Many(kind="2.5.4.7", values=[1, 2]), {"localityName": [1, 2]}),
        (Many(kind="2.5.4.7", values=[]), {"localityName": []}),
        (Optional(type="2.5.4.3", value="x"), {"type": "commonName", "value": "x"}),
        (Optional(type="2.5.4.3"), {"type": "commonName"}),
        (Either(value="2.5.4.3"), {"value": "2.5.4.3"}),
        (
            Either(value=ObjectIdentifier("2.5.4.3")),
            {"value": {"OBJECT IDENTIFIER": "commonName"}},
        ),
        (Either(value="commonName"), {"value": "commonName"}),
        (
            Chosen(selector={"global_id": "2.5.4.3"}, value="x"),
            {"selector": {"global_id": "commonName"}, "value": "x"},
        ),
        (Chosen(selector={"local_id": 1}, value=5), {"selector": {"local_id": 1}, "value": 5}),
        (
            AlgorithmIdentifier(algorithm="1.2.840.113549.1.1.11", parameters=None),
            {"algorithm": "sha256WithRSAEncryption"},
        ),
        (
            Name.of({"C": "GB", "CN": "Example"}),
            {"rdn_sequence": [[{"countryName": "GB"}], [{"commonName": "Example"}]]},
        ),
        (SequenceOf[ObjectIdentifier](["2.5.4.3", "2.999.2"]), ["commonName", "2.999.2"]),
    ],
)
def test_names_in_plain_data_and_json_are_read_back(value: Any, native: Any) -> None:
    cls = type(value)
    assert value.to_native(names=True) == native
    assert cls.from_native(native) == value
    text = value.to_json(names=True)
    assert cls.from_json(text) == value
    assert cls.from_json(value.to_json(names=True, indent=2)) == value
    # The identifiers of the standards are read, too.
    assert cls.from_json(re.sub('"(common|country|locality)Name"', r'"id-at-\1Name"', text)) == value or cls is Either
    # Without names, everything is as before.
    assert cls.from_native(value.to_native()) == value
    assert "commonName" not in value.to_json() or isinstance(value, Either)


def certificates() -> Iterator[Certificate]:
    with open(certifi.where(), encoding="ascii") as file:
        for block in pem.blocks(file.read()):
            yield Certificate.decode(block.der)


def test_every_root_certificate_is_read_back_from_names() -> None:
    for certificate in certificates():
        native = certificate.to_native(names=True)
        assert Certificate.from_native(native) == certificate
        assert Certificate.from_json(certificate.to_json(names=True)) == certificate
        assert Certificate.from_native(certificate.to_native()) == certificate
    tbs = native["tbs_certificate"]
    assert tbs["signature"]["algorithm"] in ("sha256WithRSAEncryption", "ecdsa-with-SHA384", "sha384WithRSAEncryption")
    assert "basicConstraints" in [extension["extn_id"] for extension in tbs["extensions"]]


@pytest.mark.usefixtures("registered_names")
def test_an_ambiguous_name_is_written_as_an_oid() -> None:
    names = {
        "2.999.11": "same-name",
        "2.999.12": "same-name",  # the later registration has the name
        "2.999.13": "value",  # a field of Pair
        "2.999.15": "$opaque",
    }
    for dotted, name in names.items():
        oids.register(dotted, name)
    shown = {}
    for dotted in names:
        pair = Pair(type=dotted, value=b"\5\0")
        [shown[dotted]] = pair.to_native(names=True)
        assert Pair.from_native(pair.to_native(names=True)) == pair
        assert Pair.from_json(pair.to_json(names=True)) == pair
        plain = SequenceOf[ObjectIdentifier]([dotted])
        assert SequenceOf[ObjectIdentifier].from_native(plain.to_native(names=True)) == plain
    assert shown == {dotted: dotted for dotted in names} | {"2.999.12": "same-name"}
    assert SequenceOf[ObjectIdentifier](["2.999.13"]).to_native(names=True) == ["value"]


def test_long_lists_have_names_too() -> None:
    numbers = SequenceOf[ObjectIdentifier](["2.5.4.3"] * 300)
    native = numbers.to_native(names=True)
    assert type(native) is not list
    assert native[299] == "commonName" == next(iter(native))
    assert SequenceOf[ObjectIdentifier].from_native(native) == numbers
    assert set(json.loads(numbers.to_json(names=True))) == {"commonName"}


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: Pair.from_native({"id-at-comonName": "x"}), "'id-at-comonName' is not a dotted OBJECT IDENTIFIER"),
        (lambda: Pair.from_json('{"comonName": "x"}'), "'comonName' is not a dotted OBJECT IDENTIFIER"),
        (lambda: Pair.from_native({"localityName": "x"}), "value: expected int for INTEGER, got str"),
        (lambda: Pair.from_native({"type": "2.5.4.3"}), "missing field"),
        (lambda: Pair.from_json('{"value": "0500"}'), "missing field"),
        (lambda: Pair.from_native({5: "x"}), "Pair has no field 5"),
        # Constructors take dotted forms only.
        (lambda: AlgorithmIdentifier(algorithm="sha256WithRSAEncryption"), "it is the name of 1.2.840.113549.1.1.11"),
        (lambda: Extension(extn_id="id-ce-keyUsage", extn_value=[]), "it is the name of 2.5.29.15"),
    ],
)
def test_an_unknown_name_is_an_error(action: Any, message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        action()


@pytest.mark.parametrize("text", ['{"contentType": ["data"]}', '{"id-contentType": ["id-data"]}'])
def test_an_attribute_of_a_message_is_read_from_its_name(text: str) -> None:
    attribute = Attribute.from_json(text)
    assert attribute.attr_values[0] == ObjectIdentifier("1.2.840.113549.1.7.1")


def test_an_extension_has_the_names_that_people_know() -> None:
    extension = Extension.from_json('{"extn_id": "extKeyUsage", "extn_value": ["serverAuth", "id-kp-timeStamping"]}')
    assert extension.to_native(names=True) == {
        "extn_id": "extKeyUsage",
        "critical": False,
        "extn_value": ["serverAuth", "id-kp-timeStamping"],  # timeStamping could also be id-ad-timeStamping
    }
    assert Extension.from_native({"extn_id": "id-ce-extKeyUsage", "extn_value": ["id-kp-serverAuth"]}) == Extension.of(
        ["1.3.6.1.5.5.7.3.1"], "extKeyUsage"
    )
