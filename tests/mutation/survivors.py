"""Mutants that no test can kill, by the function of the core that they are in: one reason for each.

`make mutate` fails if a function has more survivors than reasons, or fewer.
"""

GENERAL_PATH = "the general path of the function, or of its caller, gives the same result (speed only)"
GENERAL_WRITER = "the general writer encodes values that the fast path refuses to the same bytes (speed only)"
END = "`reread_header` refuses to read at the end"
OUT_OF_BOUNDS = "it reads or writes after the end of an array, which only a sanitizer can detect"
RECHECKED = "the whole is only validated once more"
REVALIDATED = "plain data of a shared buffer come from a copy that was validated again"
THREAD = "the octets were validated a moment ago; only another thread can change a shared buffer since then"
WRITTEN = "derlib has just written the octets into bytes"

SURVIVORS: dict[str, list[str]] = {
    "accepts_view": ["a union cannot contain itself without a tag between, so the search ends"],
    "alphabet_holds": [
        "a character can end outside only if a shared buffer changes after `utf8_check`",
        GENERAL_PATH,
    ],
    "alternative_of": ["a view cannot start after its tags"],
    "bounds_check": ["`string_size` counts no characters in no octets (speed only)"],
    "builds_from_keywords": [
        "only derived plans have constraints; the plan of a class does not",
        OUT_OF_BOUNDS,
    ],
    "check_additions": ["the memory for the tags of a few additions is always available in tests"],
    "check_any_shallow": ["tag 31 is not among those that may be empty", GENERAL_PATH],
    "check_contained": ["`bits_check` has refused a BIT STRING without its initial octet"],
    "check_leniently": ["no value is deferred, so the call does nothing (speed only)"],
    "check_list": [GENERAL_PATH, "the loop ends at once, too (speed only)"],
    "check_quickly": ["`check_primitive` accepts empty contents of these kinds, too (speed only)"],
    "check_sequence": [OUT_OF_BOUNDS, GENERAL_PATH, GENERAL_PATH],
    "check_set": [GENERAL_PATH],
    "check_tagged_quickly": [GENERAL_PATH],
    "collect_keywords": [OUT_OF_BOUNDS, OUT_OF_BOUNDS, "Python refuses a name that is given twice before the call"],
    "contents_of_value": [WRITTEN],
    "depends_on_selector_within": ["every recursion passes a list or an explicit tag, which also counts a step"],
    "elements": ["an element that could not be read has no tag that `element_value` accepts: the same error"],
    "enter": ["the lowest depth is set to the value that it has"],
    "fail_component_constraint": [THREAD],
    "failing_component": [END],
    "fast_elements": ["`write_fast_value` writes elements of primitive types, too (speed only)"],
    "fast_fields": [GENERAL_WRITER],
    "fast_view": ["a view without octets has no plan to compare, which only a sanitizer can detect", RECHECKED],
    "find": ["an element that could not be read has no tag that `element_value` accepts: the same error"],
    "find_component": [END, END],
    "has_one_of": ["`read_header` refuses to read at the end"],
    "has_tags_of": ["`accepts` has found the alternative, and a union knows all of its alternatives"],
    "in_alphabet": ["for no octets, `common` is all ones, and the first half is true"],
    "in_label": ["U+0080 is in neither of the two sets"],
    "in_order": ["the two octets are not equal here", GENERAL_PATH],
    "integer_compare": [GENERAL_PATH, "the two lengths are not equal here"],
    "is_fast_type": [OUT_OF_BOUNDS],
    "iso_date": ["a sign that is not part of the date is not followed by a year, with or without this test"],
    "lenient_time_read": [
        "a time that ends without Z or an offset is refused, with a fraction or without",
        "a time that ends without Z or an offset is refused, however long its fraction is",
        "before the fraction is its point or comma, which is not a zero",
    ],
    "match_template": [
        GENERAL_PATH,
        "for 32 octets, the second half of the mask is zero, and so are the octets that it is compared with",
        GENERAL_PATH,
    ],
    "native_elements": [REVALIDATED],
    "native_list": [REVALIDATED],
    "native_open": [REVALIDATED],
    "native_value": [REVALIDATED],
    "open_value": [THREAD],
    "part_of": ["`find_component` finds nothing in no octets (speed only)"],
    "read_header": [GENERAL_PATH, GENERAL_PATH],
    "read_long_header": [
        "the loop refuses the same headers; the octet after them decides nothing that is used",
        "the loop refuses the same headers; the octet after them decides nothing that is used",
    ],
    "real_binary_check": ["two octets are an exponent without a mantissa, which is also refused"],
    "recheck_all": ["depths are recorded while writing, too, and the highest is kept", RECHECKED],
    "recheck_untrusted_copy": ["a copy is validated at once, and a changed selector is recorded", RECHECKED],
    "selected": [
        "an open type within a SEQUENCE always has a selector",
        "`find_component` finds the first component, too (speed only)",
        "`find_component` finds the first component, too (speed only)",
    ],
    "short_length": [GENERAL_PATH, GENERAL_PATH],
    "store_template": ["an element of the full size takes the general path (speed only)"],
    "tolerates": ["no deviation is in an empty set (speed only)"],
    "unfinished_validate": ["`Plan.ready` and `OpenTypes.register` refuse a plan that is not complete"],
    "utf8_check": ["eight octets at the end are read one by one (speed only)"],
    "valid_by_construction": [RECHECKED, RECHECKED, RECHECKED],
    "value_size": [END],
    "verbatim_field": [THREAD],
    "view_from_keywords": ["the writer is at its end, and its depth is not used again"],
    "without_padding": ["one octet is never padded, so `integer_check` ends the loop"],
    "write_addition": [THREAD],
    "write_fast": [
        GENERAL_WRITER,
        "the general path records the same depths",
        "`write_fast_value` tests each type again (speed only)",
        "each level that was entered was left again",
        "a copy that is counted twice only skips the check of the whole, and each part was checked",
    ],
    "write_fast_value": [
        GENERAL_WRITER,
        GENERAL_WRITER,
        "`has_fast_types` has tested every type within the type",
        GENERAL_WRITER,
        RECHECKED,
        GENERAL_WRITER,
    ],
    "write_primitive_fast": [GENERAL_WRITER, GENERAL_WRITER, GENERAL_WRITER, GENERAL_WRITER],
    "write_verbatim": ["a changed selector is recorded, and the SEQUENCE around it is validated"],
    "written_value": [WRITTEN],
}
