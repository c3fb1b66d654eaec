# types: the ASN.1 types, one file each.
#
# Called by later layers:
#   bit_string.pxi: bit_string_encode, bit_string_native, bit_string_value, bits_check, bits_length, last_bit_check,
#     named_bits_check, unused_bits
#   boolean.pxi: boolean_validate
#   enumerated.pxi: enumerated_check
#   generalized_time.pxi: generalized_time_read
#   integer.pxi: int64_value, integer_check, integer_value, range_check, without_padding
#   iso8601.pxi: is_digit, is_duration
#   moment.pxi: exact_datetime, in_utc_time, is_leap_second, is_leap_year, is_moment, is_two_digits,
#     lenient_time_read, put_two_digits, put_utc_time, read_utc_datetime, read_utc_offset, two_digits, write_moment
#   octet_string.pxi: native_octets
#   oid.pxi: dotted_form, dotted_or_name, octets_of_oid, oid_arcs, oid_check, short_contents, write_dotted
#   real.pxi: digits_end, real_validate
#   strings.pxi: bmp_validate, universal_string_validate, utf8_check, utf8_length
#   time_types.pxi: is_iso_time
#   type_info.pxi: universal_kind
#   utc_time.pxi: utc_time_check, utc_time_read
#   writer.pxi: enter_recursive_call, leave_recursive_call
#
# Exceptions, which refer to later layers:
