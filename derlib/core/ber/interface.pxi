# ber: conversion of BER to DER. The strict check then validates the output, by the same rules as any DER.
#
# Called by later layers:
#   editing.pxi: edits_of
#   header.pxi: end_of_contents_fault, is_end_of_contents, read_ber_header
#   moves.pxi: output_order, resolve_moves
#   state.pxi: begin_steps, conversion_begin, conversion_end, read_element, set_step
#   tree.pxi: ber_end, check_ber_tree
#   walk.pxi: convert, convert_typed
#   write.pxi: write_edits
#
# Exceptions, which refer to later layers:
