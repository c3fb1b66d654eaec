"""Test the server of `directory.py` with hypothesis: pytest test_directory.py

`values` generates valid requests, and `malformed` invalid ones with the expected error. Random filters rarely match an
entry, so the tests add filters that do.
"""

from __future__ import annotations

import directory
from hypothesis import given
from hypothesis import strategies as st

from derlib.strategies import Malformed, malformed, values

# Filters that match an entry.
KNOWN = [
    directory.Filter(present="cn"),
    directory.Filter(present="mail"),
    directory.Filter(present="room"),
    directory.Filter(equal={"type": "cn", "value": b"Bob"}),
]
FILTERS = values(directory.Filter) | st.sampled_from(KNOWN)
# Most searches use a filter that can match, because a size limit matters only if there are matches.
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
def test_every_response_has_the_number_of_the_request_and_the_result_is_last(message: directory.Message) -> None:
    answers = list(directory.messages(directory.answer(message.encode(), PEOPLE)))
    assert all(each.id == message.id for each in answers)
    kinds = [each.operation.alternative for each in answers]
    assert kinds == ([] if message.operation.alternative == "unbind" else ["entry"] * (len(kinds) - 1) + ["done"])


@given(FILTERS, FILTERS)
def test_any_and_all_combine_filters(one: directory.Filter, other: directory.Filter) -> None:
    for attributes in PEOPLE.values():
        parts = [directory.matches(one, attributes), directory.matches(other, attributes)]
        assert directory.matches(directory.Filter(any=[one, other]), attributes) == any(parts)
        assert directory.matches(directory.Filter(all=[one, other]), attributes) == all(parts)


@given(SEARCHES)
def test_a_search_returns_matching_entries_with_the_requested_attributes_only(search: directory.Search) -> None:
    request = directory.Message(id=7, operation=directory.Operation(search=search))
    *entries, done = [each.operation for each in directory.messages(directory.answer(request.encode(), PEOPLE))]
    matching = [
        name
        for name, attributes in PEOPLE.items()
        if name.endswith(search.base) and directory.matches(search.filter, attributes)
    ]
    limit = search.size_limit or len(matching)
    assert [each.entry.name for each in entries] == matching[:limit]
    assert done.done.code.name == ("success" if len(matching) <= limit else "size_limit_exceeded")
    for each in entries:
        present = set(PEOPLE[each.entry.name])
        assert {attribute.type for attribute in each.entry.attributes} == set(search.attributes or present) & present


@given(malformed(directory.Message))
def test_an_invalid_request_is_rejected_with_the_violated_rule(bad: Malformed) -> None:
    [refusal] = directory.messages(directory.answer(bad.encoding, PEOPLE))
    assert refusal.id == 0
    assert refusal.operation.done.code is directory.Code.protocol_error
    assert bad.rule in refusal.operation.done.message


@given(st.binary(max_size=200))
def test_random_bytes_do_not_crash_the_server(data: bytes) -> None:
    directory.answer(data, PEOPLE)
