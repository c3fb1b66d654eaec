# The limits and deviations of one decoding, and their defaults. core/decode/options.pxi reads them from arguments, and
# has the table of deviations.

cdef struct Options:
    uint64_t tolerated              # a bit for each member of `Deviation`
    int depth                       # nesting of constructed elements
    Py_ssize_t size                 # bytes of input
    Py_ssize_t elements             # elements of lists and of ANY
    Py_ssize_t arc_octets
    Py_ssize_t tag_octets
    uint64_t tag_numbers            # the first tag number that does not fit into `tag_octets`
    bint names_no_deviation         # the call has no argument `tolerate`, so its errors suggest no deviation
    bint reads_ber                  # BER is converted, so errors about what is invalid in BER, too, have its clauses

cdef enum:
    DEPTH_LIMIT = 100               # the default of `Limits.depth`, also the limit of the writer
    DEPTH_MOST = 200                # the largest `Limits.depth`: the C stack of a thread has room for this many levels
    # 20 octets are 140 bits: room for 2.25.UUID (128 bits), and a bound on the cost of printing an arc.
    ARC_OCTETS_LIMIT = 20
    # The largest `Limits.arc_octets`.
    ARC_OCTETS_MOST = 500
    TAG_OCTETS_LIMIT = 10           # the default of `Limits.tag_octets`, also its maximum

cdef Options STRICT
STRICT.tolerated = 0
STRICT.depth = DEPTH_LIMIT
STRICT.size = STRICT.elements = PY_SSIZE_T_MAX
STRICT.arc_octets = ARC_OCTETS_LIMIT
STRICT.tag_octets = TAG_OCTETS_LIMIT
STRICT.tag_numbers = TAG_NUMBER_LIMIT
STRICT.names_no_deviation = False
