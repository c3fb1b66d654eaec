# octets: reading bytes safely, the table of faults, and what error messages and argument checks share.
#
# Called by later layers:
#   arguments.pxi: contents_given, exact_int, exact_text
#   cursor.pxi: is_shortest_length, length_octets, make_tag, read_header, reread_header, set_short_header,
#     short_length
#   describe.pxi: describe_tag, fault_error, hex_octets, longest_arc, short_repr, short_reprs
#
# Exceptions, which refer to later layers:
#   describe.pxi -> UNIVERSAL_TYPES: the table of types has their names.
