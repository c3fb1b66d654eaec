# schema: the compiled form of schema classes. Nodes are C structs, which the hot paths read; plans are their Python
# handles, which own the memory of the nodes.
#
# Called by later layers:
#   components.pxi: begin_walk, component_of, find_component, has_other_form, is_addition, match_component,
#     match_member, next_component
#   describe.pxi: bytes_for, describe_form, describe_node, wrong_type, wrong_value
#   node.pxi: accepts, character_octets, find_alternative, identifier_octet, is_character_string, is_choice,
#     is_integer, is_list, is_open, same_type, size_fault, without_tags
#   open_type_table.pxi: are_all_registered, find_entry, oid_hash
#   plan.pxi: names_in, plan_of
#   plan_fill.pxi: pack_tag
#   plan_seal.pxi: release
#
# Exceptions, which refer to later layers:
#   node.pxi -> TYPES, TYPE_HAS_SIZE, TYPE_IS_CHARACTER_STRING: the table of types says which types are character
#     strings, and to which SIZE applies.
#   open_type_table.pxi -> entry_of_value: the check pass knows which contents octets are the key of a table.
#   plan.pxi -> integer_check, integer_value, update_fast_flags: bounds are INTEGER contents octets; the fast flags
#     depend on the constraints, which decode evaluates.
#   plan_fill.pxi -> update_fast_flags: as above.
#   plan_seal.pxi -> Check, View, check, check_begin, decode_plan, fault_of: a DEFAULT value is validated and decoded
#     when its plan is sealed.
