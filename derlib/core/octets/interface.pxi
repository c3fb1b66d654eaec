# octets: reading bytes safely, the table of faults, and what error messages and argument checks share.
#
# Called by later layers:
#   arguments.pxi: contents_given, exact_int, exact_text
#   cursor.pxi: TAG_NUMBER_LIMIT, is_shortest_length, length_octets, make_tag, octet_at, read_header, reread_header,
#     set_short_header, short_length, unlikely
#   describe.pxi: describe_tag, fault_error, format_integer, hex_octets, longest_arc
#
# Exceptions, which refer to later layers:
