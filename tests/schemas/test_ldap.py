"""Messages of LDAP: a conversation of the client ldap3 2.9.1 with the server ldaptor 21.2.0, and other forms of BER.

The client bound as uid=ann, searched, added, changed, compared, moved and deleted entries, and called extended
operations, over a connection whose bytes were recorded. Long answers are left out.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from derlib import NULL, DecodeError, encode, parse
from derlib.schemas import ldap
from derlib.schemas.ldap import LDAPMessage
from derlib.strategies import BEREncoding, ber_encodings, encodings

# Each message with the name of its operation, and whether it is DER.
CONVERSATION = [
    (
        "bind_request",
        "3035020101603002010304237569643d616e6e2c6f753d70656f706c652c64633d6578616d706c652c64633d6f72678006736563"
        "726574",
        True,
    ),
    (
        "bind_response",
        "302f020101612a0a010004237569643d616e6e2c6f753d70656f706c652c64633d6578616d706c652c64633d6f72670400",
        True,
    ),
    (
        "search_request",
        "304d0201026348041164633d6578616d706c652c64633d6f72670a01020a0103020164020105010100870b6f626a656374436c61"
        "737330170402636e04046d61696c040b6f626a656374436c617373",
        True,
    ),
    (
        "search_res_entry",
        "30819902010264819304237569643d616e6e2c6f753d70656f706c652c64633d6578616d706c652c64633d6f7267306c30130402"
        "636e310d040b416e6e204578616d706c65302804046d61696c3120040d61406578616d706c652e6f7267040f616e6e406578616d"
        "706c652e6f7267302b040b6f626a656374436c617373311c0406706572736f6e0403746f70040d696e65744f7267506572736f6e",
        False,
    ),
    (
        "search_request",
        "30818e020103638188041164633d6578616d706c652c64633d6f72670a01020a0103020164020105010100a04ba315040b6f626a"
        "656374436c6173730406706572736f6ea127a40b0402636e30058003416e6ea41804046d61696c30108109406578616d706c652e"
        "82036f7267a209a5070402736e04014630170402636e04046d61696c040b6f626a656374436c617373",
        False,
    ),
    (
        "search_res_entry",
        "30819902010364819304237569643d616e6e2c6f753d70656f706c652c64633d6578616d706c652c64633d6f7267306c30130402"
        "636e310d040b416e6e204578616d706c65302804046d61696c3120040d61406578616d706c652e6f7267040f616e6e406578616d"
        "706c652e6f7267302b040b6f626a656374436c617373311c0406706572736f6e0403746f70040d696e65744f7267506572736f6e",
        False,
    ),
    (
        "search_request",
        "3063020104635e041164633d6578616d706c652c64633d6f72670a01020a0103020164020105010100a921810e63617365457861"
        "63744d617463688202636e830b416e6e204578616d706c6530170402636e04046d61696c040b6f626a656374436c617373",
        True,
    ),
    (
        "search_request",
        "30590201056354041164633d6578616d706c652c64633d6f72670a01020a0103020164020105010100a9178108322e352e31332e"
        "3282037569648303616e6e8401ff30170402636e04046d61696c040b6f626a656374436c617373",
        True,
    ),
    (
        "search_request",
        "3055020106632b041164633d6578616d706c652c64633d6f72670a01020a01030201000201000101008702636e300304012aa023"
        "30210416312e322e3834302e3131333535362e312e342e333139040730050201020400",
        True,
    ),
    (
        "add_request",
        "3073020107686e04237569643d626f622c6f753d70656f706c652c64633d6578616d706c652c64633d6f72673047300c04037569"
        "6431050403626f62300b0402636e31050403426f62300c0402736e3106040142040141301c040b6f626a656374436c617373310d"
        "0406706572736f6e0403746f70",
        False,
    ),
    ("add_response", "300c02010769070a010004000400", True),
    (
        "modify_request",
        "3070020108666b04237569643d626f622c6f753d70656f706c652c64633d6578616d706c652c64633d6f72673044300e0a010130"
        "090402736e3103040141301e0a0100301904046d61696c3111040f626f62406578616d706c652e6f726730120a0102300d040263"
        "6e31070405426f622042",
        True,
    ),
    ("modify_response", "300c02010867070a010004000400", True),
    (
        "compare_request",
        "30370201096e3204237569643d626f622c6f753d70656f706c652c64633d6578616d706c652c64633d6f7267300b0402636e0405"
        "426f622042",
        True,
    ),
    ("compare_response", "300c0201096f070a010604000400", True),
    (
        "mod_dn_request",
        "304b02010a6c4604237569643d626f622c6f753d70656f706c652c64633d6578616d706c652c64633d6f726704097569643d626f"
        "6262790101ff801164633d6578616d706c652c64633d6f7267",
        True,
    ),
    ("mod_dn_response", "300c02010a6d070a010004000400", True),
    ("del_request", "302002010b4a1b7569643d626f6262792c64633d6578616d706c652c64633d6f7267", True),
    ("del_response", "301502010b6b100a0120040004097569643d626f626279", True),
    ("del_request", "302102010c4a1c7569643d6e6f626f64792c64633d6578616d706c652c64633d6f7267", True),
    (
        "del_response",
        "302802010c6b230a01200400041c7569643d6e6f626f64792c64633d6578616d706c652c64633d6f7267",
        True,
    ),
    ("extended_req", "301e02010d77198017312e332e362e312e342e312e343230332e312e31312e33", True),
    (
        "extended_resp",
        "303d02010d78380a010204000431556e6b6e6f776e20657874656e64656420726571756573743a20312e332e362e312e342e312e"
        "343230332e312e31312e33",
        True,
    ),
    (
        "extended_req",
        "305402010e774f8017312e332e362e312e342e312e343230332e312e31312e318134303280237569643d616e6e2c6f753d70656f"
        "706c652c64633d6578616d706c652c64633d6f7267810673656372657482036e6577",
        True,
    ),
    (
        "extended_resp",
        "304902010e78440a01010400042450617373776f726420646f6573206e6f7420737570706f7274207468697320636173652e8a17"
        "312e332e362e312e342e312e343230332e312e31312e31",
        True,
    ),
    ("unbind_request", "300502010f4200", True),
]
BY_OPERATION = {operation: octets for operation, octets, _ in CONVERSATION}


def read(octets: str) -> LDAPMessage:
    """Decode BER, after checking that rebuilding from plain data, from JSON and from DER gives an equal value."""
    found = LDAPMessage.decode(bytes.fromhex(octets), rules="ber")
    der = found.encode()
    assert LDAPMessage.decode(der) == found
    assert LDAPMessage.from_native(found.to_native()).encode() == der
    assert LDAPMessage.from_json(found.to_json()).encode() == der
    return found


def operation(octets: str) -> object:
    """Return the request or the response in a message."""
    return read(octets).protocol_op.value


@pytest.mark.parametrize(
    ("name", "octets", "is_der"), CONVERSATION, ids=[f"{n}-{c[0]}" for n, c in enumerate(CONVERSATION)]
)
def test_messages_are_read(name: str, octets: str, is_der: bool) -> None:
    message = read(octets)
    assert message.protocol_op.alternative == name
    # The only difference to DER is the order in sets.
    assert (message.encode().hex() == octets) == is_der
    assert len(message.encode()) == len(octets) // 2


def test_a_bind() -> None:
    request = operation(BY_OPERATION["bind_request"])
    assert type(request) is ldap.BindRequest
    assert (request.version, request.name) == (3, b"uid=ann,ou=people,dc=example,dc=org")
    assert (request.authentication.alternative, request.authentication.value) == ("simple", b"secret")
    response = operation(BY_OPERATION["bind_response"])
    assert type(response) is ldap.BindResponse
    assert (response.result_code, response.server_sasl_creds) == (ldap.ResultCode.success, None)


def test_a_search_with_a_filter() -> None:
    """The filter is (&(objectClass=person)(|(cn=Ann*)(mail=*@example.*org))(!(sn>=F)))."""
    [octets] = [octets for name, octets, _ in CONVERSATION if name == "search_request" and "a04b" in octets]
    request = operation(octets)
    assert type(request) is ldap.SearchRequest
    assert (request.base_object, request.scope.name) == (b"dc=example,dc=org", "whole_subtree")
    assert (request.deref_aliases.name, request.size_limit, request.time_limit) == ("deref_always", 100, 5)
    assert list(request.attributes) == [b"cn", b"mail", b"objectClass"]
    ann = {"type": b"cn", "substrings": [{"initial": b"Ann"}]}
    example = {"type": b"mail", "substrings": [{"any": b"@example."}, {"final": b"org"}]}
    expected = ldap.Filter(
        and_=[
            {"equality_match": {"attribute_desc": b"objectClass", "assertion_value": b"person"}},
            {"or_": [{"substrings": ann}, {"substrings": example}]},
            {"not_": {"greater_or_equal": {"attribute_desc": b"sn", "assertion_value": b"F"}}},
        ]
    )
    assert request.filter == expected


def test_extensible_matches() -> None:
    """The filters are (cn:caseExactMatch:=Ann Example) and (uid:dn:2.5.13.2:=ann)."""
    found = [operation(octets) for name, octets, _ in CONVERSATION if name == "search_request" and "00a9" in octets]
    rules = []
    for request in found:
        assert type(request) is ldap.SearchRequest
        rule = request.filter.value
        assert type(rule) is ldap.MatchingRuleAssertion
        rules.append((rule.matching_rule, rule.type, rule.match_value, rule.dn_attributes))
    assert rules == [(b"caseExactMatch", b"cn", b"Ann Example", False), (b"2.5.13.2", b"uid", b"ann", True)]


def test_a_control_for_pages() -> None:
    [octets] = [octets for _, octets, _ in CONVERSATION if ldap.PAGED_RESULTS.hex() in octets]
    controls = read(octets).controls
    assert controls is not None
    [control] = controls
    assert (control.control_type, control.criticality) == (ldap.PAGED_RESULTS, False)
    assert control.control_value is not None
    assert ldap.PagedResultsValue.decode(control.control_value) == ldap.PagedResultsValue(size=2, cookie=b"")


def test_an_entry() -> None:
    octets = BY_OPERATION["search_res_entry"]
    entry = operation(octets)
    assert type(entry) is ldap.SearchResultEntry
    assert entry.object_name == b"uid=ann,ou=people,dc=example,dc=org"
    assert {attribute.type: set(attribute.vals) for attribute in entry.attributes} == {
        b"cn": {b"Ann Example"},
        b"mail": {b"a@example.org", b"ann@example.org"},
        b"objectClass": {b"person", b"top", b"inetOrgPerson"},
    }
    # The server sends "person" first. DER begins with the shortest value here, "top".
    assert bytes.fromhex(octets).index(b"person") < bytes.fromhex(octets).index(b"top")
    assert list(entry.attributes[2].vals) == [b"top", b"person", b"inetOrgPerson"]


def test_changes() -> None:
    request = operation(BY_OPERATION["modify_request"])
    assert type(request) is ldap.ModifyRequest
    assert [
        (change.operation.name, change.modification.type, list(change.modification.vals)) for change in request.changes
    ] == [("delete", b"sn", [b"A"]), ("add", b"mail", [b"bob@example.org"]), ("replace", b"cn", [b"Bob B"])]
    moved = operation(BY_OPERATION["mod_dn_request"])
    assert type(moved) is ldap.ModifyDNRequest
    assert (moved.newrdn, moved.deleteoldrdn, moved.new_superior) == (b"uid=bobby", True, b"dc=example,dc=org")
    compared = operation(BY_OPERATION["compare_request"])
    assert type(compared) is ldap.CompareRequest
    assert compared.ava == ldap.AttributeValueAssertion(attribute_desc=b"cn", assertion_value=b"Bob B")
    missing = operation(BY_OPERATION["del_response"])
    assert type(missing) is ldap.LDAPResult
    assert (missing.result_code, missing.diagnostic_message) == (
        ldap.ResultCode.no_such_object,
        b"uid=nobody,dc=example,dc=org",
    )


def test_an_extended_operation() -> None:
    request = operation(BY_OPERATION["extended_req"])
    assert type(request) is ldap.ExtendedRequest
    assert request.request_name == ldap.PASSWORD_MODIFY
    assert request.request_value is not None
    assert ldap.PasswdModifyRequestValue.decode(request.request_value) == ldap.PasswdModifyRequestValue(
        user_identity=b"uid=ann,ou=people,dc=example,dc=org", old_passwd=b"secret", new_passwd=b"new"
    )
    response = operation(BY_OPERATION["extended_resp"])
    assert type(response) is ldap.ExtendedResponse
    assert (response.result_code.name, response.response_name) == ("operations_error", ldap.PASSWORD_MODIFY)


def test_active_directory_writes_long_lengths() -> None:
    """Active Directory writes each length of a SEQUENCE in five bytes, which is valid BER, but not DER."""
    octets = bytes.fromhex("3084000000100201016184000000070a010004000400")
    with pytest.raises(DecodeError, match='rules="ber"'):
        LDAPMessage.decode(octets)
    message = LDAPMessage.decode(octets, rules="ber")
    assert message.protocol_op.value.result_code is ldap.ResultCode.success
    assert message.encode() == bytes.fromhex("300c02010161070a010004000400")


def test_messages_on_a_connection() -> None:
    rest = memoryview(bytes.fromhex("".join(octets for _, octets, _ in CONVERSATION)))
    names = []
    while rest:
        message, rest = LDAPMessage.decode_prefix(rest, rules="ber")
        names.append(message.protocol_op.alternative)
    assert names == [name for name, _, _ in CONVERSATION]


def test_messages_that_derlib_makes() -> None:
    """The expected bytes were written by hand, from the text of RFC 4511."""
    anonymous = {"version": 3, "name": b"", "authentication": {"simple": b""}}
    made = [
        ({"bind_request": anonymous}, "300c020101600702010304008000"),
        ({"unbind_request": NULL}, "30050201014200"),
        ({"del_request": b"dc=org"}, "300b0201014a0664633d6f7267"),
        ({"abandon_request": 7}, "3006020101500107"),
        ({"search_res_ref": [b"ldap://b/"]}, "3010020101730b04096c6461703a2f2f622f"),
        (
            {"add_request": {"entry": b"o=b", "attributes": [{"type": b"o", "vals": [b"b", b"a"]}]}},
            "3019020101681404036f3d62300d300b04016f3106040161040162",
        ),
        (
            {
                "search_res_done": {
                    "result_code": "referral",
                    "matched_dn": b"",
                    "diagnostic_message": b"",
                    "referral": [b"ldap:"],
                }
            },
            "301502010165100a010a04000400a30704056c6461703a",
        ),
        ({"intermediate_response": {"response_name": b"1.2"}}, "300a02010179058003312e32"),
    ]
    for value, octets in made:
        message = LDAPMessage(message_id=1, protocol_op=value)
        assert message.encode().hex() == octets
        assert LDAPMessage.decode(bytes.fromhex(octets)) == message


def test_values_of_controls() -> None:
    """The request is that of the tests of Apache Directory: sort by cn in reverse order, then by sn."""
    octets = bytes.fromhex("300f30070402636e8101ff30040402736e")
    keys = ldap.SortKeyList([{"attribute_type": b"cn", "reverse_order": True}, {"attribute_type": b"sn"}])
    assert (ldap.SortKeyList.decode(octets), keys.encode()) == (keys, octets)
    result = ldap.SortResult.decode(bytes.fromhex("30070a011080026363"))
    assert (result.sort_result.name, result.attribute_type) == ("no_such_attribute", b"cc")
    assert ldap.PasswdModifyResponseValue.decode(bytes.fromhex("30058003616263")).gen_passwd == b"abc"


def test_later_versions_are_read() -> None:
    """RFC 4511 section 4: unknown components, alternatives and items of extensible types are no error."""
    increment = operation("3018020101661304036f3d62300c300a0a010330050401613100")
    assert type(increment) is ldap.ModifyRequest
    assert increment.changes[0].operation.value == 3
    # e-syncRefreshRequired of RFC 4533
    result = operation("300d02010165080a02100004000400")
    assert type(result) is ldap.LDAPResult
    assert result.result_code.value == 4096
    assert operation("30070201017c020500") == parse(bytes.fromhex("7c020500"))


def test_an_enumeration_without_a_marker_is_extensible_too() -> None:
    # X.680 13.4: the module has EXTENSIBILITY IMPLIED, so each type has a marker that can have one.
    octets = bytes.fromhex("301a020101631504000a01000a010402010002010001010087003000")
    assert LDAPMessage.decode(octets, rules="ber").protocol_op.search_request.deref_aliases == 4


@pytest.mark.parametrize(
    ("octets", "path"),
    [
        pytest.param("3009020500800000004200", ("message_id",), id="a number above maxInt"),
        pytest.param("30050201ff4200", ("message_id",), id="a negative number"),
        pytest.param("300c020101600702010004008000", ("protocol_op", "bind_request", "version"), id="version 0"),
        pytest.param("300502010142", (), id="cut"),
        pytest.param("3006020101420100", ("protocol_op", "unbind_request"), id="contents in an unbind"),
        pytest.param(
            "3012020101680d04036f3d623006300404003100",
            ("protocol_op", "add_request", "attributes", 0, "vals"),
            id="a new attribute without values",
        ),
        pytest.param("30050201017300", ("protocol_op", "search_res_ref"), id="a reference without URI"),
    ],
)
def test_malformed_messages_are_refused(octets: str, path: tuple[str, ...]) -> None:
    with pytest.raises(DecodeError) as caught:
        LDAPMessage.decode(bytes.fromhex(octets), rules="ber")
    assert caught.value.path == path


@given(encodings(LDAPMessage))
def test_round_trip(octets: bytes) -> None:
    assert encode(LDAPMessage.decode(octets).to_native(), LDAPMessage) == octets


@given(ber_encodings(LDAPMessage))
def test_round_trip_of_ber(encoding: BEREncoding) -> None:
    assert LDAPMessage.decode(encoding.ber, rules="ber").encode() == encoding.der
