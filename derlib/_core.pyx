# cython: language_level=3, freethreading_compatible=False
"""The native core: proves octets to be DER for a plan, and hands out views of what it proved.

This file is the table of contents; each part is one idea, in reading order. The core knows octets
and plans. It never sees an annotation: the schema language (`derlib._compile`) makes the plans.

Theory of operation. `check` runs a plan over the octets once, without the GIL, without allocating and
without touching a Python object. It either proves all of the input or leaves a fault code and a place.
After that a view holds (source, plan, place) and makes Python objects only for what is looked at, by
walking the proved octets again: reading headers is nearly free.

Two rules keep memory safe even when a zero-copy buffer changes under a view: octets are reached only through
`read_header`, which never goes past the end that it is given; and whoever reads contents uses the length
from that header, never one that was read earlier.
"""

include "core/octets.pxi"               # the cursor: identifier and length octets
include "core/faults.pxi"               # what can be wrong, by clause
include "core/numbers.pxi"              # BOOLEAN, INTEGER, ENUMERATED, NULL
include "core/oid.pxi"                  # OBJECT IDENTIFIER
include "core/relative_oid.pxi"         # RELATIVE-OID
include "core/bits.pxi"                 # BIT STRING and named bits
include "core/strings.pxi"              # character strings
include "core/times.pxi"                # UTCTime, GeneralizedTime
include "core/iri.pxi"                  # OID-IRI, RELATIVE-OID-IRI
include "core/real.pxi"                 # REAL
include "core/rule.pxi"                 # what further constraints are compiled to
include "core/node.pxi"                 # nodes: the C structs that a schema is compiled to
include "core/plan.pxi"                 # plans: their Python handles
include "core/iso_times.pxi"            # TIME, DATE, TIME-OF-DAY, DATE-TIME, DURATION
include "core/rare.pxi"                 # the rare types, dispatched
include "core/open_table.pxi"           # tables of open types
include "core/tolerance.pxi"            # what a caller tolerates, limits, and the record of it
include "core/repeat.pxi"               # the fast path for elements that repeat one another
include "core/extension.pxi"            # unknown additions behind an extension marker
include "core/check.pxi"                # the check pass: its state, faults, and the rule of each kind
include "core/constraint.pxi"           # ... of constraints
include "core/same_value.pxi"           # ... of DEFAULT, where other forms are tolerated
include "core/check_constructed.pxi"    # ... of constructed types
include "core/check_list.pxi"           # ... of lists
include "core/check_open.pxi"           # ... of open types
include "core/check_any.pxi"            # ... of elements without a schema
include "core/source.pxi"               # buffers, and errors with a path
include "core/values.pxi"               # contents octets to Python values
include "core/span.pxi"                 # places
include "core/classes.pxi"              # what CPython is told of the classes of views
include "core/views.pxi"                # what all views share
include "core/sequence.pxi"             # views of SEQUENCE and SET
include "core/choice.pxi"               # views of CHOICE
include "core/deviations.pxi"           # what was tolerated, with its paths
include "core/lists.pxi"                # views of SEQUENCE OF and SET OF
include "core/tlv.pxi"                  # the schema-free tree
include "core/native.pxi"               # values as plain Python data, and as JSON
include "core/stack.pxi"                # how much of the C stack is left
include "core/writer.pxi"               # values to octets, backwards: the buffer, and one element
include "core/writer_copy.pxi"          # ... what is DER already
include "core/writer_text.pxi"          # ... text that is not ASCII
include "core/writer_plain.pxi"         # ... the usual values of primitive types
include "core/writer_primitive.pxi"     # ... primitive types
include "core/writer_constructed.pxi"   # ... SEQUENCE, SET, lists
include "core/writer_straight.pxi"      # ... usual values of all these, in one go
include "core/writer_stream.pxi"        # ... lists too long for memory
include "core/writer_choice.pxi"        # ... CHOICE and unions
include "core/writer_open.pxi"          # ... open types
include "core/writer_whole.pxi"         # ... whole values
include "core/construct.pxi"            # ... SEQUENCEs from keyword arguments
include "core/lookup.pxi"               # lists indexed by a field
