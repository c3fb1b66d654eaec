"""What hypothesis asks the server of `directory.py`: run it with pytest.

`values` draws requests, also those that nobody would write; `malformed` breaks one rule in each, and says which.
"""

from __future__ import annotations

import directory
from hypothesis import given
from hypothesis import strategies as st

from derlib.strategies import Malformed, malformed, values

PEOPLE = {
    "cn=Ann,o=Example": {"cn": [b"Ann"], "mail": [b"ann@example.org", b"a@example.org"]},
    "cn=Bob,o=Example": {"cn": [b"Bob"]},
}


@given(values(directory.Message))
def test_every_message_is_answered_under_its_number_and_the_result_comes_last(message: directory.Message) -> None:
    answers = list(directory.messages(directory.answer(message.encode(), PEOPLE)))
    assert all(each.id == message.id for each in answers)
    arms = [each.operation.arm for each in answers]
    assert arms == ([] if message.operation.arm == "unbind" else ["entry"] * (len(arms) - 1) + ["done"])


@given(values(directory.Filter), values(directory.Filter))
def test_any_means_what_one_of_its_parts_means(one: directory.Filter, other: directory.Filter) -> None:
    either = directory.Filter(any=[one, other])
    for attributes in PEOPLE.values():
        assert directory.matches(either, attributes) == (
            directory.matches(one, attributes) or directory.matches(other, attributes)
        )


@given(malformed(directory.Message))
def test_what_is_malformed_is_refused_with_the_rule_that_it_breaks(bad: Malformed) -> None:
    [refusal] = directory.messages(directory.answer(bad.octets, PEOPLE))
    assert refusal.id == 0
    assert refusal.operation.done.code is directory.Code.protocol_error
    assert bad.rule in refusal.operation.done.message


@given(st.binary(max_size=200))
def test_no_octets_stop_the_server(octets: bytes) -> None:
    directory.answer(octets, PEOPLE)
