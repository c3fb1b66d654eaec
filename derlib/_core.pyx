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

# octets: the cursor, and the table of faults
include "core/octets/cursor.pxi"
include "core/octets/faults.pxi"

# schema: the C structs of a compiled type, which the functions of each type are given
include "core/schema/constraint.pxi"
include "core/schema/node.pxi"

# types: the table of ASN.1 types, then one type each: validation, decoding, encoding
include "core/types/type_info.pxi"
include "core/types/boolean.pxi"
include "core/types/integer.pxi"
include "core/types/enumerated.pxi"
include "core/types/null.pxi"
include "core/types/octet_string.pxi"
include "core/types/bit_string.pxi"
include "core/types/oid.pxi"
include "core/types/relative_oid.pxi"
include "core/types/real.pxi"
include "core/types/strings.pxi"
include "core/types/iri.pxi"
include "core/types/moment.pxi"
include "core/types/utc_time.pxi"
include "core/types/generalized_time.pxi"
include "core/types/iso8601.pxi"

# schema: what a schema class is compiled to
include "core/schema/plan.pxi"
include "core/schema/open_type_table.pxi"

# decode: validation, without the GIL
include "core/decode/options.pxi"
include "core/decode/list_templates.pxi"
include "core/decode/additions.pxi"
include "core/decode/validate.pxi"
include "core/decode/constraints.pxi"
include "core/decode/default.pxi"
include "core/decode/constructed.pxi"
include "core/decode/list.pxi"
include "core/decode/open_type.pxi"
include "core/decode/any.pxi"

# values: views and plain Python values
include "core/values/source.pxi"
include "core/values/value.pxi"
include "core/values/span.pxi"
include "core/values/classes.pxi"
include "core/values/view.pxi"
include "core/values/sequence_view.pxi"
include "core/values/choice_view.pxi"
include "core/values/deviations.pxi"
include "core/values/list_view.pxi"
include "core/values/tlv.pxi"
include "core/values/native.pxi"
include "core/values/lookup.pxi"

# encode: the writer, backwards
include "core/encode/stack.pxi"
include "core/encode/writer.pxi"
include "core/encode/verbatim.pxi"
include "core/encode/sequence.pxi"
include "core/encode/lists.pxi"
include "core/encode/fast_path.pxi"
include "core/encode/streaming.pxi"
include "core/encode/choice.pxi"
include "core/encode/open_type.pxi"
include "core/encode/whole.pxi"
include "core/encode/from_keywords.pxi"
