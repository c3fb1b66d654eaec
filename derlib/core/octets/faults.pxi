# The table of faults: everything that can be wrong with the input.
#
# The check pass stores only the number of a fault. When the decode has failed, core/decode/errors.pxi looks up its
# exception class, stable name, clause and message in `FAULTS`. The enumeration and the table have the same order.

from derlib import _options
from derlib import errors as _errors

set_data_error(_errors.ASN1Error, globals())

cdef enum Fault:
    FAULT_NONE = 0
    FAULT_IDENTIFIER_TRUNCATED
    FAULT_TAG_NOT_MINIMAL
    FAULT_TAG_LIMIT
    FAULT_TAG_RESERVED
    FAULT_LENGTH_TRUNCATED
    FAULT_LENGTH_INDEFINITE
    FAULT_LENGTH_RESERVED
    FAULT_LENGTH_NOT_MINIMAL
    FAULT_CONTENT_TRUNCATED
    FAULT_TRAILING_DATA
    FAULT_DEPTH_LIMIT
    FAULT_UNEXPECTED_TAG
    FAULT_STRING_CONSTRUCTED
    FAULT_NOT_PRIMITIVE
    FAULT_NOT_CONSTRUCTED
    FAULT_COMPONENT_MISSING
    FAULT_COMPONENT_EXTRA
    FAULT_REFERENCE_MISSING
    FAULT_MEMBER_MISSING
    FAULT_MEMBER_EXTRA
    FAULT_SET_ORDER
    FAULT_SET_OF_ORDER
    FAULT_ANY_SET_ORDER
    FAULT_ALTERNATIVE
    FAULT_EXPLICIT_EMPTY
    FAULT_EXPLICIT_EXTRA
    FAULT_CONTAINED_EXTRA
    FAULT_CONTAINED_BITS
    FAULT_DEFAULT_ENCODED
    FAULT_BOOLEAN_LENGTH
    FAULT_BOOLEAN_TRUE
    FAULT_INTEGER_EMPTY
    FAULT_INTEGER_NOT_MINIMAL
    FAULT_ENUMERATED_UNKNOWN
    FAULT_NULL_CONTENTS
    FAULT_OID_EMPTY
    FAULT_OID_NOT_MINIMAL
    FAULT_OID_UNFINISHED
    FAULT_OID_ARC_LIMIT
    FAULT_BITS_EMPTY
    FAULT_BITS_UNUSED
    FAULT_BITS_UNUSED_EMPTY
    FAULT_BITS_PADDING
    FAULT_BITS_NAMED
    FAULT_UTF8
    FAULT_NUMERIC
    FAULT_PRINTABLE
    FAULT_IA5
    FAULT_VISIBLE
    FAULT_BMP
    FAULT_UNIVERSAL
    FAULT_UTC_FORM
    FAULT_UTC_RANGE
    FAULT_GENERALIZED_FORM
    FAULT_GENERALIZED_FRACTION
    FAULT_GENERALIZED_RANGE
    FAULT_REAL_SPECIAL
    FAULT_REAL_UNFINISHED
    FAULT_REAL_BINARY
    FAULT_REAL_EXPONENT
    FAULT_REAL_MANTISSA
    FAULT_REAL_DECIMAL
    FAULT_REAL_LIMIT
    FAULT_IRI_UTF8
    FAULT_IRI_FORM
    FAULT_IRI_LABEL
    FAULT_TIME_FORM
    FAULT_DATE_FORM
    FAULT_TIME_OF_DAY_FORM
    FAULT_DATE_TIME_FORM
    FAULT_DURATION_FORM
    FAULT_ISO_RANGE
    FAULT_SIZE
    FAULT_RANGE
    FAULT_ALPHABET
    FAULT_SINGLE_VALUE
    FAULT_CONSTRAINT
    FAULT_COMPONENT_REQUIRED
    FAULT_COMPONENT_FORBIDDEN
    FAULT_END_MISSING
    FAULT_END_STRAY
    FAULT_INDEFINITE_PRIMITIVE
    FAULT_SEGMENT_TYPE
    FAULT_SEGMENT_BITS
    FAULT_TIME_LOCAL
    FAULT_SIGNED_NOT_DER
    FAULT_INPUT_LIMIT
    FAULT_ELEMENT_LIMIT
    FAULT_BUFFER_CHANGED
    FAULT_COUNT

# (kind, exception, clause, message). The clause is empty for faults that no standard defines: limits, and a buffer
# that changed. In a message, {type} is the expected type, {octets} the first contents octets, {start} the first bytes
# of the element, {value} the value that violates a constraint, {expected} and {found} the attributes of the error,
# {actual} what exceeds a limit, and {limit} the limit.
FAULTS = (
    None,
    ("identifier-truncated", _errors.TruncatedError, "X.690 8.1.2",
     "{enclosing} ends at offset {end}, before the identifier octets of {expected} are complete"),
    ("tag-not-minimal", _errors.IdentifierError, "X.690 8.1.2.4.2",
     "identifier octets {start} are not the shortest form of the tag"),
    ("tag-limit", _errors.LimitError, "", "the tag has {actual}; the limit is {limit}"),
    ("tag-reserved", _errors.IdentifierError, "X.690 8.1.5",
     "universal tag 0 is reserved for end-of-contents octets, which DER does not use"),
    ("length-truncated", _errors.TruncatedError, "X.690 8.1.3",
     "{enclosing} ends at offset {end}, before the length octets of {expected} are complete"),
    ("length-indefinite", _errors.LengthError, "X.690 10.1", "the indefinite length form (80) is not DER"),
    ("length-reserved", _errors.LengthError, "X.690 8.1.3.5 c", "the initial length octet ff is reserved"),
    ("length-not-minimal", _errors.LengthError, "X.690 10.1",
     "the length in {start} is not in the shortest form"),
    ("content-truncated", _errors.TruncatedError, "X.690 8.1.3",
     "{expected} ({start}) declares {number}; {enclosing} ends after {left}, at offset {end}"),
    ("trailing-data", _errors.TrailingDataError, "X.690 8.1.1.1",
     "bytes follow the end of the value: {start}"),
    ("depth-limit", _errors.LimitError, "", "the value is nested {actual} or more levels deep; the limit is {limit}"),
    ("unexpected-tag", _errors.StructureError, "X.690 8.1.2", "expected {expected}, found {found}"),
    ("string-constructed", _errors.IdentifierError, "X.690 10.2",
     "{type} has the constructed form, which DER does not allow for strings"),
    ("not-primitive", _errors.IdentifierError, "X.690 8.1.2.5", "{type} must have the primitive form"),
    ("not-constructed", _errors.IdentifierError, "X.690 8.1.2.5", "{type} must have the constructed form"),
    ("component-missing", _errors.StructureError, "X.690 8.9.2", "{expected} is missing"),
    ("component-extra", _errors.StructureError, "X.690 8.9.2",
     "{found} found; no component with this tag is allowed here"),
    ("reference-missing", _errors.StructureError, "X.690 8.18",
     "{type} has neither a direct nor an indirect reference"),
    ("member-missing", _errors.StructureError, "X.690 8.11.2", "{expected} is missing"),
    ("member-extra", _errors.StructureError, "X.690 8.11.2", "{found} is not a member of the SET"),
    ("set-order", _errors.OrderError, "X.690 10.3", "members of the SET are not in the order of their tags"),
    ("set-of-order", _errors.OrderError, "X.690 11.6",
     "elements of the SET OF are not in ascending order of their encodings"),
    ("any-set-order", _errors.OrderError, "X.690 10.3, 11.6",
     "the SET is ordered neither by tags nor by encodings"),
    ("alternative", _errors.StructureError, "X.690 8.13",
     "{found} is not an alternative of {expected}; it has {alternatives}"),
    ("explicit-empty", _errors.StructureError, "X.690 8.14.2", "the explicit tag contains no element"),
    ("explicit-extra", _errors.StructureError, "X.690 8.14.2",
     "the explicit tag contains more than one element"),
    ("contained-extra", _errors.TrailingDataError, "X.682 11",
     "bytes follow the end of the contained value: {start}"),
    ("contained-bits", _errors.ContentsError, "X.682 11",
     "a BIT STRING that contains an encoding has no unused bits"),
    ("default-encoded", _errors.DefaultError, "X.690 11.5",
     "{type} {octets} is the default value and must be left out"),
    ("boolean-length", _errors.ContentsError, "X.690 8.2.1", "BOOLEAN {octets} does not have one contents octet"),
    ("boolean-true", _errors.ContentsError, "X.690 11.1", "BOOLEAN {octets} is neither 00 nor ff"),
    ("integer-empty", _errors.ContentsError, "X.690 8.3.1", "{type} has no contents octets"),
    ("integer-not-minimal", _errors.ContentsError, "X.690 8.3.2", "{type} {octets} is not minimal"),
    ("enumerated-unknown", _errors.ContentsError, "X.680 20.1", "{number} is not an item of {type}"),
    ("null-contents", _errors.ContentsError, "X.690 8.8.2", "NULL has contents octets: {octets}"),
    ("oid-empty", _errors.ContentsError, "X.690 8.19.2, 8.20.2", "{type} has no contents octets"),
    ("oid-not-minimal", _errors.ContentsError, "X.690 8.19.2, 8.20.2",
     "{type} {octets} has an arc that begins with 80"),
    ("oid-unfinished", _errors.ContentsError, "X.690 8.19.2, 8.20.2",
     "{type} {octets} ends inside an arc"),
    ("oid-arc-limit", _errors.LimitError, "", "an arc of {type} is {actual} long; the limit is {limit}"),
    ("bits-empty", _errors.ContentsError, "X.690 8.6.2.1", "BIT STRING has no initial octet"),
    ("bits-unused", _errors.ContentsError, "X.690 8.6.2.2",
     "BIT STRING {octets} declares more than 7 unused bits"),
    ("bits-unused-empty", _errors.ContentsError, "X.690 8.6.2.3",
     "the empty BIT STRING {octets} declares unused bits"),
    ("bits-padding", _errors.ContentsError, "X.690 11.2.1",
     "BIT STRING {octets} has an unused bit that is not zero"),
    ("bits-named", _errors.ContentsError, "X.690 11.2.2",
     "{type} {octets} ends in a zero bit, which named bits leave out"),
    ("utf8", _errors.ContentsError, "X.690 8.23.10", "UTF8String {octets} is not UTF-8"),
    ("numeric", _errors.ContentsError, "X.680 41.2",
     "NumericString {octets} has a character that is neither a digit nor a space"),
    ("printable", _errors.ContentsError, "X.680 41.4",
     "PrintableString {octets} has a character outside its alphabet"),
    ("ia5", _errors.ContentsError, "X.680 41.1", "IA5String {octets} has a character above 7f"),
    ("visible", _errors.ContentsError, "X.680 41.1",
     "VisibleString {octets} has a character outside 20 to 7e"),
    ("bmp", _errors.ContentsError, "X.690 8.23.8", "BMPString {octets} is not a sequence of two-byte characters"),
    ("universal", _errors.ContentsError, "X.690 8.23.7",
     "UniversalString {octets} is not a sequence of four-byte characters"),
    ("utc-form", _errors.ContentsError, "X.690 11.8", "UTCTime {text} is not YYMMDDhhmmssZ"),
    ("utc-range", _errors.ContentsError, "X.680 47.3", "UTCTime {text} is not a valid date and time"),
    ("generalized-form", _errors.ContentsError, "X.690 11.7",
     "GeneralizedTime {text} is not YYYYMMDDhhmmss[.f]Z"),
    ("generalized-fraction", _errors.ContentsError, "X.690 11.7.3",
     "GeneralizedTime {text} has a fraction that is empty or ends in 0"),
    ("generalized-range", _errors.ContentsError, "X.680 46.2", "GeneralizedTime {text} is not a valid date and time"),
    ("real-special", _errors.ContentsError, "X.690 8.5.9", "REAL {octets} is not a special value (40 to 43)"),
    ("real-unfinished", _errors.ContentsError, "X.690 8.5.7", "REAL {octets} ends before its mantissa"),
    ("real-binary", _errors.ContentsError, "X.690 11.3.1",
     "the binary REAL {octets} has a base other than 2, or a scaling factor"),
    ("real-exponent", _errors.ContentsError, "X.690 11.3.1",
     "the exponent of REAL {octets} is not in its shortest form"),
    ("real-mantissa", _errors.ContentsError, "X.690 11.3.1",
     "the mantissa of REAL {octets} is even or begins with 00"),
    ("real-decimal", _errors.ContentsError, "X.690 11.3.2",
     "the decimal REAL {octets} is not 03 and a numeral such as -15.E-1"),
    ("real-limit", _errors.LimitError, "", "REAL has {actual}; the limit is {limit}"),
    ("iri-utf8", _errors.ContentsError, "X.690 8.21, 8.22", "{type} {octets} is not UTF-8"),
    ("iri-form", _errors.ContentsError, "X.680 34.3, 35.3",
     "{type} {octets} is not a series of arcs with a slash before each"),
    ("iri-label", _errors.ContentsError, "X.680 34.3, 35.3",
     "{type} {octets} has an arc that is not a Unicode label"),
    ("time-form", _errors.ContentsError, "X.680 38, X.690 11.9",
     "TIME {text} is not the DER form of an ISO 8601 time, duration or interval"),
    ("date-form", _errors.ContentsError, "X.690 8.26.2", "DATE {text} is not YYYYMMDD"),
    ("time-of-day-form", _errors.ContentsError, "X.690 8.26.3", "TIME-OF-DAY {text} is not hhmmss"),
    ("date-time-form", _errors.ContentsError, "X.690 8.26.4", "DATE-TIME {text} is not YYYYMMDDhhmmss"),
    ("duration-form", _errors.ContentsError, "X.690 8.26.5, 11.9",
     "DURATION {text} is not the DER form of an ISO 8601 duration, without its P"),
    ("iso-range", _errors.ContentsError, "X.680 38.4",
     "{type} {text} is not a valid date since 1582, or not a valid time of day"),
    ("size", _errors.ConstraintViolation, "X.680 51.5", "{type} has size {number}, outside {bounds}"),
    ("range", _errors.ConstraintViolation, "X.680 51.4", "{type} {number} is outside ({bounds})"),
    ("alphabet", _errors.ConstraintViolation, "X.680 51.7", "{type} {value} has a character outside {bounds}"),
    ("single-value", _errors.ConstraintViolation, "X.680 51.2", "{type} {value} is not one of ({bounds})"),
    ("constraint", _errors.ConstraintViolation, "X.680 50", "{type} {value} is outside ({bounds})"),
    ("component-required", _errors.ConstraintViolation, "X.680 51.8", "{expected} is missing; {bounds} requires it"),
    ("component-forbidden", _errors.ConstraintViolation, "X.680 51.8", "{expected} is present; {bounds} forbids it"),
    ("end-of-contents-missing", _errors.TruncatedError, "X.690 8.1.3.6",
     "{enclosing} ends at offset {end}, before the end-of-contents octets of {found} ({start})"),
    ("end-of-contents-stray", _errors.StructureError, "X.690 8.1.5",
     "end-of-contents octets here do not end an element of indefinite length"),
    ("indefinite-primitive", _errors.LengthError, "X.690 8.1.3.2",
     "{expected} ({start}) is primitive, so its length cannot have the indefinite form (80)"),
    ("segment-type", _errors.StructureError, "X.690 8.6.4.1, 8.7.3.2, 8.23.6",
     "{found} found; the segments of a BIT STRING are BIT STRINGs, those of other strings are OCTET STRINGs"),
    ("segment-bits", _errors.ContentsError, "X.690 8.6.4",
     "the BIT STRING segment {octets} has unused bits, but is not the last segment"),
    ("time-local", _errors.ContentsError, "X.690 11.7.1",
     "GeneralizedTime {text} is local time, which has no DER encoding"),
    ("signed-not-der", _errors.StructureError, "RFC 5652 5.3",
     "{type} is not DER, but the signature or authentication code covers its DER encoding"),
    ("input-limit", _errors.LimitError, "", "input is {actual} bytes; the limit is {limit}"),
    ("element-limit", _errors.LimitError, "",
     "the input has {actual} or more elements in lists and ANY; the limit is {limit}"),
    ("buffer-changed", _errors.DecodeError, "", "the buffer changed after it was decoded"),
)

if len(FAULTS) != FAULT_COUNT:
    raise ImportError("derlib: the table of faults does not match their enumeration")
