"""What the writer decides, as mutants: what is plain, what a copy is trusted for, what is proved again.

The check pass has its faults to take away (`sites.py`). The writer has none: it is wrong where it leaves out a proof,
or takes a way that does not fit. So in the functions that are named here each condition is forced one way, each of its
parts is left out, and each statement that notes or proves something is passed over. The choice of the fast path
(`has_fast_types`, `try_fast_path`) is not here: `write_fast_value` looks at each type again, so it is about speed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

BOTH = (False, True)
# Which way the conditions of each function are forced. The other way would only make the writer do more than it must:
# leave a usual value to the general writer, or check again what is valid.
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
    "recheck_untrusted_copy": (True,),
    "recheck_copied": (False,),
    "depends_on_selector": (False,),
    "depends_on_selector_within": (False,),
    "is_fast_type": (True,),
    "write_fast": (False,),
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
}
# Conditions of these functions whose other way is the one that leaves out a proof.
OTHERWISE = {
    "node.constraints != NULL in needs_no_recheck": (False,),
    "depends_on_selector(node) in recheck_untrusted_copy": (False,),
}
# Which types are plain is a matter of speed: the general writer takes them all.
DISPATCH = re.compile(r"(?:kind [=!]= KIND_\w+(?: or )?)+")
NOTES = re.compile(
    r"(?:w\.(?:needs_recheck|selector_changed|copied|max_depth|level)|source\.(?:registrations|max_depth))"
    r" (?:=|\|=|\+=|-=) "
    r"|(?:note_depth|recheck_element|recheck_untrusted_copy|recheck_all|recheck_constraints|recheck_copied"
    r"|check_given_octets|write_any)\("
)
PROOFS = re.compile(r"return (?:recheck_element|recheck_copied|check_given_octets)\(.*\)")

Number = Callable[[str], int]  # of a mutant with this text


def decision(code: str, function: str, ways: tuple[bool, ...], gives_bool: bool, number: Number) -> str:
    """A line of one of these functions with its mutants; `number` makes one of a text."""
    code = code.replace("( ", "(")
    ways = OTHERWISE.get(f"{code.removeprefix('if ').rstrip(':')} in {function}", ways)
    if match := re.fullmatch(r"(if|elif|while) (.+):", code):
        if DISPATCH.fullmatch(match[2]):
            return code
        return f"{match[1]} {condition(match[2], ways, number)}:"
    if match := re.fullmatch(r"return (\w+), (not .+)", code):
        return f"return {match[1]}, {condition(match[2], ways, number)}"
    if match := re.fullmatch(r"return (.+) if (.+) else (.+)", code):
        return f"return {match[1]} if {condition(match[2], ways, number)} else {match[3]}"
    if PROOFS.fullmatch(code):
        return f"return 0 if not live({number(code)}) else {code.removeprefix('return ')}"
    if gives_bool and code.startswith("return ") and code not in ("return True", "return False"):
        return f"return {condition(code.removeprefix('return '), ways, number)}"
    if NOTES.match(code):
        return f"if live({number(code)}): {code}"
    return code


def condition(text: str, ways: tuple[bool, ...], number: Number) -> str:
    """A condition that may be forced, and may lack a part."""
    if text == "True":
        return text
    made = parts(text, text, ways, number)
    for way in ways:
        made = forced(made, way, number(f"{text} is always {way}"))
    return made


def parts(text: str, whole: str, ways: tuple[bool, ...], number: Number) -> str:
    """An expression whose parts may be left out: one of `or` is False then, one of `and` True."""
    for word, way in ((" or ", False), (" and ", True)):
        found = list(split(text, word))
        if len(found) > 1:
            made = []
            for part in found:
                inner = parts(part, whole, ways, number)
                if way in ways and not DISPATCH.fullmatch(part):
                    inner = forced(inner, way, number(f"without {part} in {whole}"))
                made.append(inner)
            return word.join(made)
    if match := re.fullmatch(r"(not )?\((.+)\)", text):
        inner = match[2]
        if balanced(inner):
            return f"{match[1] or ''}({parts(inner, whole, ways, number)})"
    return text


def forced(text: str, way: bool, number: int) -> str:
    return f"(not live({number}) or ({text}))" if way else f"(live({number}) and ({text}))"


def split(text: str, word: str) -> Iterator[str]:
    """The parts of an expression between the operators `word` that stand in no bracket."""
    depth = begin = 0
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and text.startswith(word, place):
            yield text[begin:place]
            begin = place + len(word)
    yield text[begin:]


def balanced(text: str) -> bool:
    """Whether no bracket closes one that opens outside."""
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if depth < 0:
            return False
    return depth == 0
