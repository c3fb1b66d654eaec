# types: the ASN.1 types, one file each.
#
# Called by later layers:
#   bit_string.pxi: bit_string_encode, bit_string_native, bit_string_value, bits_check, bits_length, last_bit_check,
#     named_bits_check
#   boolean.pxi: boolean_validate
#   enumerated.pxi: enumerated_check
#   integer.pxi: integer_check, integer_value, is_small, range_check, small_value, without_padding
#   moment.pxi: exact_datetime, in_utc_time, lenient_time_read
#   octet_string.pxi: count_in, is_bytes, octets_in
#   oid.pxi: oid_check
#   strings.pxi: ascii_of, bmp_validate, is_ascii, printable_check, universal_string_validate, utf8_check,
#     utf8_decode, utf8_length
#   type_info.pxi: universal_kind
#   utc_time.pxi: load8, utc_time_check
#
# Exceptions, which refer to later layers:
