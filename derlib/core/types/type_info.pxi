# The table of ASN.1 types: one row for each primitive `Kind`, assigned at the end of the file of the type.
#
# CONTRIBUTING.md lists the steps to add a type. The general code calls through the table. Three places inline the
# common types: `passes_fast_check` (validation; `update_fast_flags` chooses the types), `fast_value` (decoding) and
# `write_short` (encoding). `fill_checks` gives some types a check of their own.
#
# Naming in these files: `x_check` or `x_validate` returns the fault of contents octets, `x_decode` returns the Python
# value of validated contents octets, `x_encode` writes the contents octets of a Python value. In a shared buffer that
# changes after validation `x_decode` may return a wrong value, but it reads only the octets that it is given.

from cpython.object cimport PyObject

# Returns the fault of contents octets, or FAULT_NONE. `node` is NULL for an element without a schema. `arc_octets` is
# `Limits.arc_octets`, for the types made of object identifier arcs.
ctypedef int (*validate_t)(const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets) noexcept nogil
# Returns the Python value of validated contents octets.
ctypedef object (*decode_t)(const Node *node, const uint8_t *p, Py_ssize_t n)
# Writes the contents octets of `value`, backwards; the caller writes the header and rechecks the element.
ctypedef int (*encode_t)(Writer w, const Node *node, object value) except -1
# Writes a whole element if `value` has exactly the built-in type expected and is valid; else returns False, with
# nothing written. Runs no code of the value and raises no error about it: `encode_t` does both.
ctypedef bint (*encode_fast_t)(Writer w, const Node *node, PyObject *value) except -1
# Returns the value as plain Python data (`to_native`), or as data that JSON has.
ctypedef object (*to_native_t)(const Node *node, const uint8_t *p, Py_ssize_t n, bint json)

cdef enum TypeFlag:
    TYPE_IS_STRING = 1          # X.690 10.2: only the primitive form, though BER has a constructed one
    TYPE_HAS_SIZE = 2           # X.680 51.5: a SIZE constraint applies
    TYPE_MAY_BE_EMPTY = 4       # no contents octets are a value
    TYPE_ENCODES_VALID = 8      # `encode` writes only valid contents, apart from constraints
    TYPE_IS_CHARACTER_STRING = 16

cdef struct TypeInfo:
    unsigned int flags
    validate_t validate         # NULL where CHECKS has a function that always does it (decode/primitive.pxi)
    decode_t decode
    encode_t encode
    to_native_t to_native
    encode_fast_t encode_fast   # NULL where the type has none

# By `Kind`. Constructed kinds and open types have flags only.
cdef TypeInfo[KIND_OPEN_BITS + 1] TYPES
memset(TYPES, 0, sizeof(TYPES))


cdef int unfinished_validate(
    const Node *node, const uint8_t *p, Py_ssize_t n, Py_ssize_t arc_octets
) noexcept nogil:
    """Return a fault: KIND_EMPTY is an unfinished plan, which `Plan.ready` and `OpenTypes.register` do not use."""
    return FAULT_UNEXPECTED_TAG


cdef object unfinished_error(const Node *node):
    return _errors.SchemaError(f"{plan_of(node).name} was used before it was complete")


cdef object unfinished_decode(const Node *node, const uint8_t *p, Py_ssize_t n):
    raise unfinished_error(node)


cdef int unfinished_encode(Writer w, const Node *node, object value) except -1:
    raise unfinished_error(node)


cdef object unfinished_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    raise unfinished_error(node)


TYPES[<int>KIND_EMPTY] = TypeInfo(0, unfinished_validate, unfinished_decode, unfinished_encode, unfinished_native, NULL)
TYPES[<int>KIND_SEQUENCE_OF].flags = TYPES[<int>KIND_SET_OF].flags = TYPE_HAS_SIZE
TYPES[<int>KIND_OPEN_OCTETS].flags = TYPES[<int>KIND_OPEN_BITS].flags = TYPE_IS_STRING | TYPE_HAS_SIZE


cdef object decoded_native(const Node *node, const uint8_t *p, Py_ssize_t n, bint json):
    """Return the decoded value: for types whose values are plain data that JSON has, too."""
    return TYPES[node.kind].decode(node, p, n)


# Universal tag numbers (X.680 8.4): the name of the type, and the kind that reads its elements without a schema. The
# types that are constructed have no such kind.
cdef dict UNIVERSAL_TYPES = {
    1: ("BOOLEAN", KIND_BOOLEAN),
    2: ("INTEGER", KIND_INTEGER),
    3: ("BIT STRING", KIND_BIT_STRING),
    4: ("OCTET STRING", KIND_OCTET_STRING),
    5: ("NULL", KIND_NULL),
    6: ("OBJECT IDENTIFIER", KIND_OBJECT_IDENTIFIER),
    7: ("ObjectDescriptor", KIND_LATIN1_STRING),
    8: ("EXTERNAL", KIND_EMPTY),
    9: ("REAL", KIND_REAL),
    10: ("ENUMERATED", KIND_INTEGER),
    11: ("EMBEDDED PDV", KIND_EMPTY),
    12: ("UTF8String", KIND_UTF8_STRING),
    13: ("RELATIVE-OID", KIND_RELATIVE_OID),
    14: ("TIME", KIND_TIME),
    16: ("SEQUENCE", KIND_EMPTY),
    17: ("SET", KIND_EMPTY),
    18: ("NumericString", KIND_NUMERIC_STRING),
    19: ("PrintableString", KIND_PRINTABLE_STRING),
    20: ("TeletexString", KIND_LATIN1_STRING),
    21: ("VideotexString", KIND_LATIN1_STRING),
    22: ("IA5String", KIND_IA5_STRING),
    23: ("UTCTime", KIND_UTC_TIME),
    24: ("GeneralizedTime", KIND_GENERALIZED_TIME),
    25: ("GraphicString", KIND_LATIN1_STRING),
    26: ("VisibleString", KIND_VISIBLE_STRING),
    27: ("GeneralString", KIND_LATIN1_STRING),
    28: ("UniversalString", KIND_UNIVERSAL_STRING),
    29: ("CHARACTER STRING", KIND_EMPTY),
    30: ("BMPString", KIND_BMP_STRING),
    31: ("DATE", KIND_DATE),
    32: ("TIME-OF-DAY", KIND_TIME_OF_DAY),
    33: ("DATE-TIME", KIND_DATE_TIME),
    34: ("DURATION", KIND_DURATION),
    35: ("OID-IRI", KIND_OID_IRI),
    36: ("RELATIVE-OID-IRI", KIND_RELATIVE_OID_IRI),
}

cdef enum:
    UNIVERSAL_NUMBERS = 37      # the highest number of `UNIVERSAL_TYPES`, plus one

# The kinds of `UNIVERSAL_TYPES`; KIND_EMPTY for a number that it does not list.
cdef uint8_t[UNIVERSAL_NUMBERS] UNIVERSAL_KINDS


cdef int fill_universal_kinds() except -1:
    cdef int number
    for number in range(UNIVERSAL_NUMBERS):
        UNIVERSAL_KINDS[number] = <uint8_t>(UNIVERSAL_TYPES[number][1] if number in UNIVERSAL_TYPES else KIND_EMPTY)
    return 0

fill_universal_kinds()


cdef inline int universal_kind(tag_t tag) noexcept nogil:
    """Return the kind that reads a primitive element with a universal tag, KIND_EMPTY for other tags."""
    return UNIVERSAL_KINDS[tag >> 3] if tag & 7 == 0 and tag >> 3 < UNIVERSAL_NUMBERS else <int>KIND_EMPTY


def universal_types():
    """Return the types of `UNIVERSAL_TYPES` as (tag number, name, kind), for other modules of derlib."""
    cdef list types = []
    for number, (name, kind) in UNIVERSAL_TYPES.items():
        types.append((number, name, kind))
    return types
