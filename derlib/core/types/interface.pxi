# types: the ASN.1 types, one file each.
#
# Called by later layers:
#   bit_string.pxi: bits_check, bits_decode, bits_length, last_bit_check, named_bits_check, named_bits_decode
#   iri.pxi: iri_check
#   iso8601.pxi: date_check, date_time_check, duration_check, time_check, time_of_day_check
#   numbers.pxi: boolean_check, boolean_decode, integer_check, integer_compare, integer_decode, null_check
#   oid.pxi: oid_check, oid_decode
#   rare.pxi: rare_check, rare_contents, rare_decode, rare_native
#   real.pxi: real_check
#   strings.pxi: ascii_decode, bmp_check, bmp_decode, ia5_check, in_alphabet, is_ascii, latin1_decode, numeric_check,
#     printable_check, universal_check, universal_decode, utf8_check, utf8_decode, utf8_length, visible_check
#   times.pxi: generalized_time_check, generalized_time_decode, is_moment, lenient_time_read, load8, utc_time_check,
#     utc_time_decode
#
# Exceptions, which refer to later layers:
