"""Mutants that no test can kill, each with its reason: (form, file, function, text) as `make mutate` prints them.

A mutant that survives without a reason fails the run, and so does a reason whose mutant is killed or gone.
"""

from .equivalent_decisions import DECIDED_ALIKE

EQUIVALENT: dict[tuple[str, str, str, str], str] = DECIDED_ALIKE | {
    (
        "bound",
        "constraint.pxi",
        "value_size",
        "< h.end in p < h.end and walk_header(p, h.end, &child) == FAULT_NONE",
    ): "walk_header refuses to read at the end",
    (
        "bound",
        "constraint.pxi",
        "failing_part",
        "< h.end in p < h.end and walk_header(p, h.end, child) == FAULT_NONE",
    ): "walk_header refuses to read at the end",
    (
        "raise",
        "constraint.pxi",
        "part_fails",
        "return fail(c, FAULT_CONSTRAINT, h.start, node)",
    ): "a rule has refused a part or an element; only another thread can change a shared buffer between",
    (
        "raise",
        "extension.pxi",
        "write_addition",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "`write_any` has written and proved the element a moment ago",
    (
        "bound",
        "iso_times.pxi",
        "iso_date",
        "< end in p < end and (p[0] == 0x2D or p[0] == 0x2B)",
    ): "behind a sign that is not part of it there is no year, as there is none without it",
    (
        "bound",
        "times.pxi",
        "loose_time_read",
        "< end in count == 6 and not utc and p < end and (p[0] == 0x2E or p[0] == 0x2C)",
    ): "a time that ends without Z or an offset is refused, with a fraction as without",
    (
        "bound",
        "times.pxi",
        "loose_time_read",
        "< end in p < end and 0x30 <= p[0] <= 0x39",
    ): "a time that ends without Z or an offset is refused, however long its fraction is",
    (
        "bound",
        "check.pxi",
        "enter",
        "< c.lowest in c.depth < c.lowest",
    ): "the lowest depth is set to what it is already",
    (
        "raise",
        "check.pxi",
        "primitive_check",
        "return FAULT_UNEXPECTED_TAG",
    ): "a plan that is not complete; `Plan.ready` and `OpenTypes.register` let none get here",
    (
        "bound",
        "check.pxi",
        "without_padding",
        "> 1 in n > 1 and integer_check(p, n)",
    ): "one octet is never padded, so that integer_check ends the loop",
    (
        "bound",
        "check_any.pxi",
        "check_any_itself",
        "< 31 in h.tag >> 1 & 3 == CLASS_UNIVERSAL and h.tag & ~<tag_t>8 != SEQUENCE_TAG "
        "and not ( h.content == h.end and not h.tag & 1 and h.tag >> 3 < 31 "
        "and <uint32_t>MAY_BE_EMPTY >> (h.tag >> 3) & 1)",
    ): "tag 31 is not among those that may be empty",
    (
        "bound",
        "check_any.pxi",
        "check_any_itself",
        "== h.end in h.tag >> 1 & 3 == CLASS_UNIVERSAL and h.tag & ~<tag_t>8 != SEQUENCE_TAG "
        "and not ( h.content == h.end and not h.tag & 1 and h.tag >> 3 < 31 "
        "and <uint32_t>MAY_BE_EMPTY >> (h.tag >> 3) & 1)",
    ): "empty elements go the general way: speed alone",
    (
        "bound",
        "check_list.pxi",
        "in_order",
        "< b[0] in a[0] < b[0]",
    ): "the two octets are not equal here",
    (
        "bound",
        "check_list.pxi",
        "in_order",
        "== 2 in a[1] <= b[1] if n == 2 else memcmp(a, b, n) <= 0",
    ): "two octets are compared in the general way: speed alone",
    (
        "bound",
        "check_open.pxi",
        "check_leniently",
        "== waiting in c.record.waiting_count == waiting or "
        "(c.trying and node.kind == KIND_OPEN) or settle(c, waiting)",
    ): "only saves the call: nothing waits",
    (
        "bound",
        "check_constructed.pxi",
        "has_one_of",
        "< h.end in h.content < h.end and read_header(h.content, h.end, &child) == FAULT_NONE",
    ): "read_header refuses to read at the end",
    (
        "bound",
        "check_open.pxi",
        "find_field",
        "< end in p < end and walk_header(p, end, h) == FAULT_NONE",
    ): "walk_header refuses to read at the end",
    (
        "bound",
        "check_open.pxi",
        "find_field",
        "< end in p < end and walk_header(p, end, h) == FAULT_NONE #2",
    ): "walk_header refuses to read at the end",
    (
        "bound",
        "check_open.pxi",
        "selected",
        "== 0 in scope == NULL or node.selector_length == 0",
    ): "an open type within a SEQUENCE always has a selector",
    (
        "bound",
        "constraint.pxi",
        "alphabet_holds",
        "< end in more > 0 and p < end",
    ): "a character ends inside unless a shared buffer changes between `utf8_check` and this",
    (
        "bound",
        "check.pxi",
        "constraint_check",
        "== 0 in node.sized and size_check(node, 0 if n == 0 else string_size(node, p, n))",
    ): "`string_size` counts none in no octets: speed alone",
    (
        "bound",
        "check_open.pxi",
        "check_contained",
        "< h.end in p < h.end and p[0] != 0",
    ): "bits_check has refused a BIT STRING without its initial octet",
    ("bound", "iri.pxi", "in_label", "< 0x80 in c < 0x80"): "U+0080 is in neither of the two sets",
    (
        "raise",
        "lists.pxi",
        "find",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "the element read as none has no tag that `element_value` accepts, which says the same",
    (
        "raise",
        "lists.pxi",
        "elements",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "the element read as none has no tag that `element_value` accepts, which says the same",
    (
        "raise",
        "lookup.pxi",
        "contents_of_value",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "the octets were written by derlib a moment ago, into bytes",
    (
        "raise",
        "native.pxi",
        "native_value",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "plain data of a shared buffer are made from a copy that was proved anew",
    (
        "raise",
        "native.pxi",
        "native_elements",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "plain data of a shared buffer are made from a copy that was proved anew",
    (
        "raise",
        "native.pxi",
        "native_list",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "plain data of a shared buffer are made from a copy that was proved anew",
    (
        "raise",
        "native.pxi",
        "native_open",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "plain data of a shared buffer are made from a copy that was proved anew",
    (
        "raise",
        "values.pxi",
        "open_value",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "`fitting` has proved a shared buffer again; only another thread can change it between",
    (
        "raise",
        "sequence.pxi",
        "kept_field",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "the field was found in proved octets; only another thread can change it between",
    (
        "raise",
        "writer_whole.pxi",
        "value_of_proved",
        'raise fault_error(FAULT_BUFFER_CHANGED, b"")',
    ): "the octets were written by derlib a moment ago, into bytes",
    (
        "bound",
        "numbers.pxi",
        "integer_compare",
        "== 1 in <int>a[0] - <int>b[0] if an == 1 else memcmp(a, b, an)",
    ): "one octet is compared in the general way: speed alone",
    (
        "bound",
        "numbers.pxi",
        "integer_compare",
        "> bn in 1 if (an > bn) != a_negative else -1",
    ): "the two lengths are not equal here",
    (
        "bound",
        "octets.pxi",
        "read_header",
        ">= 2 in limit - p >= 2",
    ): "the general way reads these headers as well: speed alone",
    (
        "bound",
        "octets.pxi",
        "read_header",
        "!= 0x1F in (first & 0x1F) != 0x1F and length < 0x80",
    ): "the general way reads these headers as well: speed alone",
    (
        "bound",
        "octets.pxi",
        "read_long_header",
        ">= limit in p >= limit #4",
    ): "the loop refuses the same; the octet behind decides nothing that is used",
    (
        "raise",
        "octets.pxi",
        "read_long_header",
        "return FAULT_LENGTH_TRUNCATED #2",
    ): "the loop refuses the same; the octet behind decides nothing that is used",
    (
        "bound",
        "real.pxi",
        "real_binary_check",
        "< 2 in n < 2",
    ): "two octets are an exponent without a mantissa, which is refused alike",
    (
        "bound",
        "repeat.pxi",
        "keep_shape",
        "> SHAPE_OCTETS in recorder.closed or length > SHAPE_OCTETS",
    ): "an element of the full size goes the general way: speed alone",
    (
        "bound",
        "repeat.pxi",
        "repeat",
        "< SHAPE_OCTETS in end - p < SHAPE_OCTETS",
    ): "one element more goes the general way: speed alone",
    (
        "bound",
        "repeat.pxi",
        "repeat",
        "> 32 in shape.length > 32 and four_words_differ(p + 32, shape.mask + 4, shape.octets + 4)",
    ): "of 32 octets the second half of the mask is zero, and so is what it is compared with",
    (
        "bound",
        "repeat.pxi",
        "repeat",
        "> elements[0] in unlikely(shape.elements > elements[0])",
    ): "an element that takes all that is left of the limit goes the general way: speed alone",
    (
        "bound",
        "strings.pxi",
        "in_alphabet",
        "== 0 in (common & alphabet) != 0 or n == 0",
    ): "of no octets `common` is all ones, and the first half holds",
    (
        "bound",
        "strings.pxi",
        "utf8_check",
        ">= 8 in end - p >= 8",
    ): "eight octets at the end are read one by one: speed alone",
    (
        "bound",
        "times.pxi",
        "loose_time_read",
        "> 0 in t.digits > 0 and t.fraction[t.digits - 1] == 0x30",
    ): "before the fraction stands its point or comma, which is no zero",
    (
        "bound",
        "tolerance.pxi",
        "sort_record",
        "< record.breaches[i - 1].at in record.breaches[i].at < record.breaches[i - 1].at",
    ): "breaches at one place are in order either way, as `by_place` has it: speed alone",
    (
        "bound",
        "octets.pxi",
        "short_length",
        "< 2 in limit - p < 2 or octet_at(p) != identifier or not identifier",
    ): "what does not go the short way goes the general one, which judges the same: speed alone",
    (
        "bound",
        "octets.pxi",
        "short_length",
        "<= limit - p - 2 in length if length < 0x80 and length <= limit - p - 2 else -1",
    ): "what does not go the short way goes the general one, which judges the same: speed alone",
    (
        "bound",
        "check_constructed.pxi",
        "check_sequence",
        "< last in field < last and field.default == NULL",
    ): "it reads a field behind the last, which only a sanitizer can tell",
    (
        "bound",
        "check.pxi",
        "check_quickly",
        "== h.end in (h.content == h.end and node.may_be_empty) or plainly_right(c, node, h.content, "
        "h.end - h.content) or check_value(c, node, h, scope)",
    ): "`check_primitive` accepts empty contents of these kinds as well: speed alone",
    (
        "bound",
        "check_constructed.pxi",
        "check_sequence",
        "== h.end in p == h.end and node.may_have_none",
    ): "the general way finds nothing missing either: speed alone",
    (
        "bound",
        "check_constructed.pxi",
        "check_set",
        "== h.end in p == h.end and node.may_have_none",
    ): "the general way finds nothing missing either: speed alone",
    (
        "bound",
        "check_constructed.pxi",
        "check_sequence",
        ">= 0 in length >= 0",
    ): "what does not go the short way goes the general one, which judges the same: speed alone",
    (
        "bound",
        "check_list.pxi",
        "check_list",
        ">= 0 in length >= 0",
    ): "what does not go the short way goes the general one, which judges the same: speed alone",
    (
        "bound",
        "check_list.pxi",
        "check_list",
        "== h.end in h.content == h.end",
    ): "the loop ends at once as well: speed alone",
    (
        "bound",
        "check_open.pxi",
        "selected",
        "== at.fields in length >= 0 and field == at.fields and at.kind == KIND_SEQUENCE",
    ): "`find_field` finds the first component as well: speed alone",
    (
        "bound",
        "check_open.pxi",
        "selected",
        ">= 0 in length >= 0 and field == at.fields and at.kind == KIND_SEQUENCE",
    ): "`find_field` finds the first component as well: speed alone",
    (
        "raise",
        "check_open.pxi",
        "check_entry",
        "fail_tag(c, entry.node, h, FAULT_UNEXPECTED_TAG)",
    ): "`check_contained` finds the same in the general way: speed alone",
    (
        "bound",
        "constraint.pxi",
        "alphabet_holds",
        "== 1 in width == 1",
    ): "the loop below it judges single octets the same: speed alone",
    (
        "bound",
        "constraint.pxi",
        "part_of",
        "< h.end in h.content < h.end and find_field(node, h.content, h.end, index, child)",
    ): "`find_field` finds nothing in no octets: speed alone",
}
