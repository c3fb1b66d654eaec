"""The values of the attributes and extensions of attribute certificates."""

from typing import Any

import pytest

import derlib
from derlib.schemas.attribute_cert_values import (
    AAControls,
    ClassList,
    Clearance,
    IetfAttrSyntax,
    ProxyInfo,
    RoleSyntax,
    SvceAuthInfo,
    Target,
    TargetInformation,
    Targets,
)
from derlib.schemas.attributes import Attribute
from derlib.schemas.cms import ContentInfo, id_data
from derlib.schemas.x509 import Extension, GeneralName

NAME = GeneralName(dns_name="a.b")

VALUES = [
    # The name of the attribute, a value, its encoding
    ("1.3.6.1.5.5.7.10.1", SvceAuthInfo(service=NAME, ident=NAME, auth_info=b"x"), "300d 8203612e62 8203612e62 040178"),
    ("1.3.6.1.5.5.7.10.2", SvceAuthInfo(service=NAME, ident=NAME), "300a 8203612e62 8203612e62"),
    (
        "1.3.6.1.5.5.7.10.3",
        IetfAttrSyntax(policy_authority=[NAME], values=[b"x", "é", derlib.ObjectIdentifier("2.5")]),
        "3013 a005 8203612e62 300a 040178 0c02c3a9 060155",
    ),
    ("1.3.6.1.5.5.7.10.4", IetfAttrSyntax(values=["staff"]), "3009 3007 0c057374616666"),
    ("2.5.4.72", RoleSyntax(role_name=NAME), "3007 a105 8203612e62"),
    ("2.5.4.55", Clearance(policy_id="2.5", class_list=ClassList.unclassified), "3003 060155"),
    (
        "2.5.4.55",
        Clearance(
            policy_id="2.5",
            class_list=ClassList.secret | ClassList.top_secret,
            security_categories=[{"type": "2.5", "value": bytes.fromhex("0500")}],
        ),
        "3012 060155 0302020c 3109 3007 800155 a1020500",
    ),
    ("1.3.6.1.5.5.7.10.6", ContentInfo(content_type=id_data, content=b"x"), "3010 06092a864886f70d010701 a003 040178"),
]


@pytest.mark.parametrize(("oid", "value", "encoding"), VALUES)
def test_attributes(oid: str, value: Any, encoding: str) -> None:
    assert value.encode() == bytes.fromhex(encoding)
    attribute = Attribute.decode(Attribute(type=oid, values=[value]).encode())
    assert attribute.values[0] == value


EXTENSIONS = [
    ("1.3.6.1.5.5.7.1.4", b"id", "0402 6964"),
    ("1.3.6.1.5.5.7.1.6", AAControls(), "3000"),
    (
        "1.3.6.1.5.5.7.1.6",
        AAControls(path_len_constraint=1, permitted_attrs=["2.5"], excluded_attrs=[], permit_un_specified=False),
        "300d 020101 a003060155 a100 010100",
    ),
    ("1.3.6.1.5.5.7.1.10", ProxyInfo([Targets([Target(target_group=NAME)])]), "3009 3007 a105 8203612e62"),
    (
        "2.5.29.55",
        TargetInformation([Targets([Target(target_name=NAME), Target(target_group=NAME)])]),
        "3010 300e a005 8203612e62 a105 8203612e62",
    ),
]


@pytest.mark.parametrize(("oid", "value", "encoding"), EXTENSIONS)
def test_extensions(oid: str, value: Any, encoding: str) -> None:
    made = Extension(extn_id=oid, extn_value=value)
    assert made.raw("extn_value") == bytes.fromhex(encoding)
    assert Extension.decode(made.encode()).extn_value == value


INVALID = [
    ("a default", "1.3.6.1.5.5.7.1.6", "3003 0101ff", "X.690 11.5"),
    ("a negative length", "1.3.6.1.5.5.7.1.6", "3003 0201ff", "X.680 51.4"),
    ("an unknown target", "1.3.6.1.5.5.7.1.10", "3004 3002 a300", "X.690 8.13"),
    ("no list of targets", "1.3.6.1.5.5.7.1.10", "3007 a005 8203612e62", "X.690 8.1.2"),
]


@pytest.mark.parametrize(("oid", "octets", "rule"), [row[1:] for row in INVALID], ids=[row[0] for row in INVALID])
def test_invalid_extensions(oid: str, octets: str, rule: str) -> None:
    identifier = derlib.encode(derlib.ObjectIdentifier(oid), derlib.ObjectIdentifier)
    parts = identifier + derlib.encode(bytes.fromhex(octets), derlib.OctetString)
    with pytest.raises(derlib.DecodeError) as caught:
        Extension.decode(b"\x30" + bytes([len(parts)]) + parts)
    assert caught.value.rule == rule


def test_one_list_of_targets_as_in_rfc_5912_is_opaque() -> None:
    octets = bytes.fromhex("300e a005 8203612e62 a105 8203612e62")
    extension = Extension.decode(bytes.fromhex("3017 0603551d37") + derlib.encode(octets, derlib.OctetString))
    assert extension.extn_value == octets
    assert [target.alternative for target in Targets.decode(octets)] == ["target_name", "target_group"]
