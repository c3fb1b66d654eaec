# decode: the check pass, which validates bytes against a node without the GIL, and the errors for its faults.
#
# Called by later layers:
#   any.pxi: universal_value_check
#   check_state.pxi: check_begin, fail, set_scope
#   errors.pxi: fault_in_input, fault_of
#   open_type.pxi: check_pending, check_selected, is_valid_opaque, selected
#   options.pxi: deviation_of, read_limits, read_options
#   record.pxi: first_entry, sort_record
#   set.pxi: canonical_key
#   validate.pxi: check, check_element
#
# Exceptions, which refer to later layers:
