"""The mutants of the writer: conditions with another result, and skipped checks of its output.

The writer raises few faults. It is wrong if it skips a necessary check, or takes a path that does not fit the value. So
in the functions below each condition is forced to one result, each of its parts is removed, and each statement that
records or checks something is skipped. The writers of JSON text and of the table of a Lookup also have a fast path and
a general one, and are in the list for the same reason. `has_fast_types` and `may_use_fast_path` are not in the list:
they only choose the fast path, and `write_fast_value` tests each type again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

BOTH = (False, True)
# The results to which the conditions of a function are forced. The other result only makes the writer do more work: it
# leaves a common value to the general encoder, or checks valid output again.
DECISIONS: dict[str, tuple[bool, ...]] = {
    "same_type": (True,),
    "recheck_constraints": (True,),
    "note_depth": BOTH,
    "needs_no_recheck": (True,),
    "recheck_element": BOTH,
    "valid_by_construction": (True,),
    "write_primitive_fast": (False,),
    "integer_encode_fast": (False,),
    "long_encode_fast": (False,),
    "boolean_encode_fast": (False,),
    "octet_string_encode_fast": (False,),
    "utf8_string_encode_fast": (False,),
    "ascii_encode_fast": (False,),
    "utc_time_encode_fast": (False,),
    "write_sized": (False,),
    "write_verbatim": (True,),
    "write_view": (False,),
    "can_be_deferred": (True,),
    "recheck_untrusted_copy": (True,),
    "recheck_copied": (False,),
    "depends_on_selector": (False,),
    "depends_on_selector_within": (False,),
    "is_fast_type": (True,),
    "try_fast_path": (False,),
    "write_fast_value": (False,),
    "fast_fields": (False,),
    "fast_elements": (False,),
    "fast_view": (False,),
    "source_of_written": (False,),
    "recheck_all": (False,),
    "check_given_octets": (False,),
    "selected_by_values": BOTH,
    "write_open": BOTH,
    "write_open_string": BOTH,
    "encode_pieces": (True,),
    "write_encoded_list": BOTH,
    "alternative_of": BOTH,
    "has_tags_of": BOTH,
    "accepts_view": BOTH,
    "call_with_keywords": (True,),
    "builds_from_keywords": (False,),
    "collect_keywords": (False,),
    "view_from_keywords": (False,),
    "copy_later": (False,),
    "join": (False,),
    "rewind": BOTH,
    "set_first_field": (True,),
    "first_field": (False,),
}
# Functions of a fast path that return whether they wrote the value. If they return False, a general function writes it.
# So only conditions of `if` are forced to False, and only returned ones to True.
FAST = (
    "is_checked_type", "is_valid_output", "check_output", "write_checked_value", "fast_choice", "write_string_choice",
    "write_moment_choice", "read_utc_datetime", "fast_open", "find_given_entry", "fast_any", "write_given_octets",
    "sort_elements", "write_time_choice", "bit_string_encode_fast", "write_bits", "item_encode_fast",
    "generalized_time_encode_fast", "null_encode_fast", "int64_encode_fast", "oid_encode_fast", "octets_of_oid",
    "build_json", "write_json_primitive", "write_json_form", "write_read_value", "write_hex", "write_hex_number",
    "read_json_moment", "put_quoted", "text_open", "put_integer", "put_hex_number", "put_dotted", "put_utc_moment",
)
DECISIONS |= dict.fromkeys(FAST, (False,))
# In these conditions the other result is the one that skips a check.
OTHER_RESULTS = {
    "node.constraints != NULL in needs_no_recheck": (False,),
    "depends_on_selector(node) in recheck_untrusted_copy": (False,),
}
# Tests of the kind choose a fast function; the general encoder accepts every kind.
IS_KIND = re.compile(r"(?:kind [=!]= KIND_\w+(?: or )?)+")
STATEMENT = re.compile(
    r"(?:w\.(?:needs_recheck|selector_changed|copied|max_depth|level|unchecked)|source\.(?:registrations|max_depth))"
    r" (?:=|\|=|\+=|-=) "
    r"|(?:note_depth|recheck_element|recheck_untrusted_copy|recheck_all|recheck_constraints|recheck_copied"
    r"|check_given_octets|write_any)\("
)
RETURNED_CHECK = re.compile(r"return (?:recheck_element|recheck_copied|check_given_octets)\(.*\)")

Add = Callable[[str], int]  # returns the number of a new mutant with this description


def mutate_decision(code: str, function: str, returns_bool: bool, add: Add) -> str:
    """Rewrite one line of a function of DECISIONS with its mutants."""
    code = code.replace("( ", "(")
    results = OTHER_RESULTS.get(f"{code.removeprefix('if ').rstrip(':')} in {function}", DECISIONS[function])
    if match := re.fullmatch(r"(if|elif|while) (.+):", code):
        return code if IS_KIND.fullmatch(match[2]) else f"{match[1]} {mutate_condition(match[2], results, add)}:"
    if match := re.fullmatch(r"return (\w+), (not .+)", code):
        return f"return {match[1]}, {mutate_condition(match[2], results, add)}"
    if match := re.fullmatch(r"return (.+) if (.+) else (.+)", code):
        return f"return {match[1]} if {mutate_condition(match[2], results, add)} else {match[3]}"
    if RETURNED_CHECK.fullmatch(code):
        return f"return 0 if not original({add(code)}) else {code.removeprefix('return ')}"
    if returns_bool and code.startswith("return ") and code not in ("return True", "return False"):
        results = (True,) if function in FAST else results
        return f"return {mutate_condition(code.removeprefix('return '), results, add)}"
    return f"if original({add(code)}): {code}" if STATEMENT.match(code) else code


def mutate_condition(text: str, results: tuple[bool, ...], add: Add) -> str:
    """Rewrite a condition so that it can be forced to each of `results`, and can lack each of its parts."""
    if text == "True":
        return text
    mutated = mutate_parts(text, text, results, add)
    for result in results:
        mutated = forced(mutated, result, add(f"{text} is always {result}"))
    return mutated


def mutate_parts(text: str, whole: str, results: tuple[bool, ...], add: Add) -> str:
    """Rewrite an expression so that each part can be removed: a part of `or` becomes False, a part of `and` True."""
    for word, result in ((" or ", False), (" and ", True)):
        found = list(split(text, word))
        if len(found) > 1:
            mutated = []
            for part in found:
                inner = mutate_parts(part, whole, results, add)
                if result in results and not IS_KIND.fullmatch(part):
                    inner = forced(inner, result, add(f"without {part} in {whole}"))
                mutated.append(inner)
            return word.join(mutated)
    match = re.fullmatch(r"(not )?\((.+)\)", text)
    if match and is_balanced(match[2]):
        return f"{match[1] or ''}({mutate_parts(match[2], whole, results, add)})"
    return text


def forced(text: str, result: bool, number: int) -> str:
    """Return an expression that is always `result` if the mutant `number` is active."""
    return f"(not original({number}) or ({text}))" if result else f"(original({number}) and ({text}))"


def split(text: str, word: str) -> Iterator[str]:
    """Yield the parts of an expression between the operators `word` that are not in brackets."""
    depth = begin = 0
    for offset, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and text.startswith(word, offset):
            yield text[begin:offset]
            begin = offset + len(word)
    yield text[begin:]


def is_balanced(text: str) -> bool:
    """Return whether every closing bracket in `text` closes one that `text` opens."""
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if depth < 0:
            return False
    return depth == 0
