"""Decisions of the writer that no test can kill as mutants, each with its reason: a part of `equivalent.py`."""

DECIDED_ALIKE: dict[tuple[str, str, str, str], str] = {
    (
        "decision",
        "writer_copy.pxi",
        "prove_copy",
        "w.unsure = True",
    ): "what is copied is proved on the spot, and what a field selects is noted as unproved",
    (
        "decision",
        "writer_copy.pxi",
        "prove_copy",
        "w.copied += w.written() - before",
    ): "a copy that is not counted only makes the whole be proved once more",
    (
        "decision",
        "writer_copy.pxi",
        "relative_within",
        "without steps[0] < 0 in steps[0] < 0 or relative_within(node.fields[i].node, steps)",
    ): "each call of itself that goes on passes a list or an explicit tag, which counts as well",
    (
        "decision",
        "writer_plain.pxi",
        "alphabet_of",
        "kind == KIND_NUMERIC_STRING is always True",
    ): "a VisibleString that is no NumericString goes to the general writer, which judges it: speed alone",
    (
        "decision",
        "writer_plain.pxi",
        "write_plain",
        "p == NULL is always False",
    ): "what is not written as plain goes to the general writer, which writes the same: speed alone",
    (
        "decision",
        "writer_plain.pxi",
        "write_plain",
        "write_text(w, node, value) is always False",
    ): "what is not written as plain goes to the general writer, which writes the same: speed alone",
    (
        "decision",
        "writer_plain.pxi",
        "write_plain",
        "is_whole(value) and write_long(w, node, value) is always False",
    ): "what is not written as plain goes to the general writer, which writes the same: speed alone",
    (
        "decision",
        "writer_plain.pxi",
        "write_plain",
        "write_plain_time(w, node, value) is always False",
    ): "what is not written as plain goes to the general writer, which writes the same: speed alone",
    (
        "decision",
        "construct.pxi",
        "constructed",
        "w.level = 0",
    ): "the writer is at its end, and nothing asks how deep it is",
    (
        "decision",
        "construct.pxi",
        "gather_arguments",
        "without i == node.count in i == node.count or <PyObject *>PyTuple_GET_ITEM(own, i) != name",
    ): "it reads a name behind the last, which only a sanitizer can tell",
    (
        "decision",
        "construct.pxi",
        "gather_arguments",
        "without i == node.count in i == node.count or found[i] != NULL",
    ): "it reads and writes behind the array of values, which only a sanitizer can tell",
    (
        "decision",
        "construct.pxi",
        "gather_arguments",
        "without found[i] != NULL in i == node.count or found[i] != NULL",
    ): "Python refuses a name that is given twice before the call",
    (
        "decision",
        "construct.pxi",
        "is_direct",
        "without node.rules != NULL in node.kind != KIND_SEQUENCE or not gathers(node) or node.rules != "
        "NULL or node.one_of",
    ): "constraints are of derived plans: that of a class has none",
    (
        "decision",
        "construct.pxi",
        "is_direct",
        "without not gathers(node) in node.kind != KIND_SEQUENCE or not gathers(node) or node.rules != "
        "NULL or node.one_of",
    ): "it writes behind the array of values, which only a sanitizer can tell",
    (
        "decision",
        "writer.pxi",
        "surely_right",
        "without node.one_of == 0 in not node.extensible and node.one_of == 0",
    ): "unknown additions and references are proved as they are written: the whole is only proved once more",
    (
        "decision",
        "writer.pxi",
        "surely_right",
        "without not node.extensible in not node.extensible and node.one_of == 0",
    ): "unknown additions and references are proved as they are written: the whole is only proved once more",
    (
        "decision",
        "writer.pxi",
        "surely_right",
        "not node.extensible and node.one_of == 0 is always True",
    ): "unknown additions and references are proved as they are written: the whole is only proved once more",
    (
        "decision",
        "writer_choice.pxi",
        "alternative_of",
        "without p <= view.start in p <= view.start and walk_header(p, view.end, &h) == FAULT_NONE",
    ): "no place behind the tags of a view is where it starts",
    (
        "decision",
        "writer_choice.pxi",
        "holds",
        "without levels in node.kind == KIND_UNION and levels",
    ): "no union holds itself without a tag between, so that the search ends",
    (
        "decision",
        "writer_choice.pxi",
        "stands_as",
        "i < 0 is always False",
    ): "`accepts` has found the alternative, and a union knows all that it has",
    (
        "decision",
        "writer_copy.pxi",
        "write_kept",
        "without not depends in not depends and node == kept.node and not kept.source.loose() and "
        "kept.source.registrations == registrations",
    ): "what a field selects is noted as unproved, and the SEQUENCE around is proved",
    (
        "decision",
        "writer_straight.pxi",
        "is_straight",
        "without (node.kind != KIND_SEQUENCE or gathers(node)) in node.rules == NULL and "
        "surely_right(node) and (node.kind != KIND_SEQUENCE or gathers(node))",
    ): "it writes behind the array of values, which only a sanitizer can tell",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "straight_view(w, node, <View>value) is always False",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "write_plain(w, node, value) is always False",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "without not is_straight(node) in w.level >= DEPTH_LIMIT or not is_straight(node)",
    ): "`goes_straight` has asked it of every type in the type",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "node.kind != KIND_EXPLICIT and not is_dict(value) and not is_plain_list(value) and "
        "isinstance(<object>value, View) is always False",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "w.level -= 1",
    ): "levels that are counted too high only have the whole be proved",
    (
        "decision",
        "writer_straight.pxi",
        "straight",
        "done is always False #2",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight_elements",
        "node.element.kind < KIND_SEQUENCE is always False",
    ): "`straight` writes elements of primitive types as well: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight_fields",
        "without found[i] == <PyObject *>None in found[i] == NULL or found[i] == <PyObject *>None",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "straight_view",
        "without view.start == NULL in view.start == NULL or not same_type(&view.plan.node, node) or not "
        "copies_unproved(node, view)",
    ): "a view without octets has no plan to compare, which only a sanitizer can tell",
    (
        "decision",
        "writer_straight.pxi",
        "straight_view",
        "w.copied += count",
    ): "a copy that is not counted only makes the whole be proved once more",
    (
        "decision",
        "writer_straight.pxi",
        "write_straight",
        "straight(w, node, <PyObject *>value) is always False",
    ): "what does not go the straight way goes the general one, which writes the same: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "write_straight",
        "w.height = height",
    ): "the general way notes the same heights",
    (
        "decision",
        "writer_straight.pxi",
        "write_straight",
        "(plan.straight or way_of(plan)) != WAY_STRAIGHT is always False",
    ): "`straight` looks at each type again: speed alone",
    (
        "decision",
        "writer_straight.pxi",
        "write_straight",
        "w.level = level",
    ): "each level that was entered was left again",
    (
        "decision",
        "writer_straight.pxi",
        "write_straight",
        "w.copied = copied",
    ): "a copy that is counted twice leaves out the proof of the whole alone, and each part was proved",
    (
        "decision",
        "writer_whole.pxi",
        "prove_whole",
        "w.height = DEPTH_LIMIT - c.lowest",
    ): "heights are noted while writing as well, and the highest stays",
    (
        "decision",
        "writer_whole.pxi",
        "prove_whole",
        "without (w.unsure and w.copied < COPY_TRUST) in not w.elsewhere and ((w.unsure and w.copied < "
        "COPY_TRUST) or w.unproved or w.height > DEPTH_LIMIT)",
    ): "what is not right by construction was proved part by part, as beside a large copy",
}
