# decode: the check pass, which validates bytes against a node without the GIL, and the errors for its faults.
#
# Called by later layers:
#   any.pxi: check_limits, universal_value_check
#   check_state.pxi: check_begin, enter, fail, fail_before, fail_header, fail_in, fail_tag, set_scope
#   errors.pxi: ber_hint, fault_in_der, fault_in_input, fault_of, input_hint, is_in_kept_class, rest_hint
#   list.pxi: check_part, in_order
#   list_templates.pxi: allow_any, gives_up
#   open_type.pxi: check_pending, check_selected, clear_fault, entry_of_integer, entry_of_value, is_limit,
#     is_valid_opaque, remains_opaque, selected
#   options.pxi: deviation_of, read_limits, read_options
#   record.pxi: first_entry, sort_record
#   sequence.pxi: fail_form, fail_match
#   set.pxi: add_member, canonical_key, has_member
#   validate.pxi: check, check_element
#
# Exceptions, which refer to later layers:
#   errors.pxi -> is_form_of_ber: an error suggests to read BER only if the conversion changes what is wrong.
