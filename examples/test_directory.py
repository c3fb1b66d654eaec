"""What hypothesis asks the server of `directory.py`: run it with pytest.

`values` draws requests, also those that nobody would write; `malformed` breaks one rule in each, and says which. What
nobody would draw by chance, such as the name of somebody who is there, is given to it by hand.
"""

from __future__ import annotations

import directory
from hypothesis import given
from hypothesis import strategies as st

from derlib.strategies import Malformed, malformed, values

# What is drawn by the schema alone hardly ever means anybody.
KNOWN = [
    directory.Filter(present="cn"),
    directory.Filter(present="mail"),
    directory.Filter(present="room"),
    directory.Filter(equal={"type": "cn", "value": b"Bob"}),
]
FILTERS = values(directory.Filter) | st.sampled_from(KNOWN)
# A limit counts for nothing where nobody is found, so two filters of three may mean somebody.
SEARCHES = st.builds(
    directory.Search,
    base=st.sampled_from(["", "o=Example", "cn=Bob,o=Example", "o=Elsewhere"]),
    size_limit=st.integers(0, 3),
    filter=FILTERS | st.sampled_from(KNOWN),
    attributes=st.lists(st.sampled_from(["cn", "mail", "room"]), max_size=2),
)
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


@given(FILTERS, FILTERS)
def test_filters_are_joined_as_their_names_say(one: directory.Filter, other: directory.Filter) -> None:
    for attributes in PEOPLE.values():
        parts = [directory.matches(one, attributes), directory.matches(other, attributes)]
        assert directory.matches(directory.Filter(any=[one, other]), attributes) == any(parts)
        assert directory.matches(directory.Filter(all=[one, other]), attributes) == all(parts)


@given(SEARCHES)
def test_a_search_gives_what_it_asks_for_and_no_more(search: directory.Search) -> None:
    request = directory.Message(id=7, operation=directory.Operation(search=search))
    *entries, done = [each.operation for each in directory.messages(directory.answer(request.encode(), PEOPLE))]
    meant = [
        name
        for name, attributes in PEOPLE.items()
        if name.endswith(search.base) and directory.matches(search.filter, attributes)
    ]
    limit = search.size_limit or len(meant)
    assert [each.entry.name for each in entries] == meant[:limit]
    assert done.done.code.name == ("success" if len(meant) <= limit else "size_limit_exceeded")
    for each in entries:
        there = PEOPLE[each.entry.name]
        assert {attribute.type for attribute in each.entry.attributes} == set(search.attributes or there) & set(there)


@given(malformed(directory.Message))
def test_what_is_malformed_is_refused_with_the_rule_that_it_breaks(bad: Malformed) -> None:
    [refusal] = directory.messages(directory.answer(bad.octets, PEOPLE))
    assert refusal.id == 0
    assert refusal.operation.done.code is directory.Code.protocol_error
    assert bad.rule in refusal.operation.done.message


@given(st.binary(max_size=200))
def test_no_octets_stop_the_server(octets: bytes) -> None:
    directory.answer(octets, PEOPLE)
