"""Mutants that no test can kill, by the function of the core that they are in: one reason for each.

`make mutate` fails where a function has more survivors than reasons, or fewer. Most reasons are one of two kinds:
"speed only", where another path of the same function gives the same result, and a second check that another thread
alone could make fail.
"""

SURVIVORS: dict[str, list[str]] = {
    "alphabet_holds": [
        "a character ends inside unless a shared buffer changes between `utf8_check` and this",
        "the loop below it judges single octets the same (speed only)",
    ],
    "alternative_of": [
        "no place after the tags of a view is where it starts",
    ],
    "bounds_check": [
        "`string_size` counts none in no octets (speed only)",
    ],
    "check_additions": [
        "memory for the tags of a few additions cannot be had, which no test causes",
    ],
    "check_any_shallow": [
        "tag 31 is not among those that may be empty",
        "empty elements go the general path (speed only)",
    ],
    "check_contained": [
        "bits_check has refused a BIT STRING without its initial octet",
    ],
    "check_leniently": [
        "only saves the call: nothing waits",
    ],
    "check_list": [
        "what does not go the short path goes the general one, which judges the same (speed only)",
        "the loop ends at once as well (speed only)",
    ],
    "check_quickly": [
        "`check_primitive` accepts empty contents of these kinds as well (speed only)",
    ],
    "check_sequence": [
        "it reads a field after the last, which only a sanitizer can tell",
        "the general path finds nothing missing either (speed only)",
        "what does not go the short path goes the general one, which judges the same (speed only)",
    ],
    "check_set": [
        "the general path finds nothing missing either (speed only)",
    ],
    "check_tagged_quickly": [
        "the general path judges the same (speed only)",
    ],
    "view_from_keywords": [
        "the writer is at its end, and nothing asks how deep it is",
    ],
    "contents_of_value": [
        "the octets were written by derlib a moment ago, into bytes",
    ],
    "elements": [
        "the element read as none has no tag that `element_value` accepts, which says the same",
    ],
    "enter": [
        "the lowest depth is set to what it is already",
    ],
    "failing_component": [
        "reread_header refuses to read at the end",
    ],
    "find": [
        "the element read as none has no tag that `element_value` accepts, which says the same",
    ],
    "find_component": [
        "reread_header refuses to read at the end",
        "reread_header refuses to read at the end",
    ],
    "collect_keywords": [
        "it reads a name after the last, which only a sanitizer can tell",
        "it reads and writes after the array of values, which only a sanitizer can tell",
        "Python refuses a name that is given twice before the call",
    ],
    "has_one_of": [
        "read_header refuses to read at the end",
    ],
    "accepts_view": [
        "no union holds itself without a tag between, so that the search ends",
    ],
    "in_alphabet": [
        "of no octets `common` is all ones, and the first half holds",
    ],
    "in_label": [
        "U+0080 is in neither of the two sets",
    ],
    "in_order": [
        "the two octets are not equal here",
        "two octets are compared in the general path (speed only)",
    ],
    "integer_compare": [
        "one octet is compared in the general path (speed only)",
        "the two lengths are not equal here",
    ],
    "builds_from_keywords": [
        "constraints are of derived plans: that of a class has none",
        "it writes after the array of values, which only a sanitizer can tell",
    ],
    "is_fast_type": [
        "it writes after the array of values, which only a sanitizer can tell",
    ],
    "iso_date": [
        "after a sign that is not part of it there is no year, as there is none without it",
    ],
    "store_template": [
        "an element of the full size takes the general path (speed only)",
    ],
    "verbatim_field": [
        "the field was found in proved octets; only another thread can change it between",
    ],
    "lenient_time_read": [
        "a time that ends without Z or an offset is refused, with a fraction as without",
        "a time that ends without Z or an offset is refused, however long its fraction is",
        "before the fraction stands its point or comma, which is no zero",
    ],
    "native_elements": [
        "plain data of a shared buffer are made from a copy that was proved anew",
    ],
    "native_list": [
        "plain data of a shared buffer are made from a copy that was proved anew",
    ],
    "native_open": [
        "plain data of a shared buffer are made from a copy that was proved anew",
    ],
    "native_value": [
        "plain data of a shared buffer are made from a copy that was proved anew",
    ],
    "open_value": [
        "`matched_type` has proved a shared buffer again; only another thread can change it between",
    ],
    "fail_component_constraint": [
        "a rule has refused a part or an element; only another thread can change a shared buffer between",
    ],
    "part_of": [
        "`find_component` finds nothing in no octets (speed only)",
    ],
    "unfinished_validate": [
        "a plan that is not complete; `Plan.ready` and `OpenTypes.register` let none get here",
    ],
    "recheck_untrusted_copy": [
        "what is copied is proved on the spot, and what a field selects is noted as unproved",
        "a copy that is not counted only makes the whole be proved once more",
    ],
    "recheck_all": [
        "heights are noted while writing as well, and the highest stays",
        "what is not right by construction was proved part by part, as beside a large copy",
    ],
    "read_header": [
        "the general path reads these headers as well (speed only)",
        "the general path reads these headers as well (speed only)",
    ],
    "read_long_header": [
        "the loop refuses the same; the octet after decides nothing that is used",
        "the loop refuses the same; the octet after decides nothing that is used",
    ],
    "real_binary_check": [
        "two octets are an exponent without a mantissa, which is refused alike",
    ],
    "depends_on_selector_within": [
        "each call of itself that goes on passes a list or an explicit tag, which counts as well",
    ],
    "match_template": [
        "one element more takes the general path (speed only)",
        "of 32 octets the second half of the mask is zero, and so is what it is compared with",
        "an element that takes all that is left of the limit takes the general path (speed only)",
    ],
    "selected": [
        "an open type within a SEQUENCE always has a selector",
        "`find_component` finds the first component as well (speed only)",
        "`find_component` finds the first component as well (speed only)",
    ],
    "short_length": [
        "what does not go the short path goes the general one, which judges the same (speed only)",
        "what does not go the short path goes the general one, which judges the same (speed only)",
    ],
    "sort_record": [
        "breaches at one place are in order either way, as `by_address` has it (speed only)",
    ],
    "has_tags_of": [
        "`accepts` has found the alternative, and a union knows all that it has",
    ],
    "write_fast_value": [
        "what does not go the fast path goes the general one, which writes the same (speed only)",
        "what does not go the fast path goes the general one, which writes the same (speed only)",
        "`has_fast_types` has asked it of every type in the type",
        "what does not go the fast path goes the general one, which writes the same (speed only)",
        "levels that are counted too high only have the whole be proved",
        "what does not go the fast path goes the general one, which writes the same (speed only)",
    ],
    "fast_elements": [
        "`write_fast_value` writes elements of primitive types as well (speed only)",
    ],
    "fast_fields": [
        "what does not go the fast path goes the general one, which writes the same (speed only)",
    ],
    "fast_view": [
        "a view without octets has no plan to compare, which only a sanitizer can tell",
        "a copy that is not counted only makes the whole be proved once more",
    ],
    "valid_by_construction": [
        "unknown additions and references are proved as they are written: the whole is only proved once more",
        "unknown additions and references are proved as they are written: the whole is only proved once more",
        "unknown additions and references are proved as they are written: the whole is only proved once more",
    ],
    "tolerates": [
        "no deviation is among those of an empty set (speed only)",
    ],
    "utf8_check": [
        "eight octets at the end are read one by one (speed only)",
    ],
    "written_value": [
        "the octets were written by derlib a moment ago, into bytes",
    ],
    "value_size": [
        "reread_header refuses to read at the end",
    ],
    "without_padding": [
        "one octet is never padded, so that integer_check ends the loop",
    ],
    "write_addition": [
        "`write_any` has written and proved the element a moment ago",
    ],
    "write_verbatim": [
        "what a field selects is noted as unproved, and the SEQUENCE around is proved",
    ],
    "write_primitive_fast": [
        "what is not written as plain goes to the general writer, which writes the same (speed only)",
        "what is not written as plain goes to the general writer, which writes the same (speed only)",
        "what is not written as plain goes to the general writer, which writes the same (speed only)",
        "what is not written as plain goes to the general writer, which writes the same (speed only)",
    ],
    "write_fast": [
        "what does not go the fast path goes the general one, which writes the same (speed only)",
        "the general path notes the same heights",
        "`write_fast_value` looks at each type again (speed only)",
        "each level that was entered was left again",
        "a copy that is counted twice leaves out the proof of the whole alone, and each part was proved",
    ],
}
