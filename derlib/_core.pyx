# cython: language_level=3, freethreading_compatible=False
"""The extension module: validates DER for a plan, and returns views of the validated octets.

This file is the table of contents. Each included file is one idea, in reading order; a folder is a layer. The core
knows octets and plans. It knows nothing of annotations: the schema language compiles classes to plans.

How decoding works. `check` runs a plan over the octets once, without the GIL, without allocating and without touching a
Python object. It validates all of the input, or leaves a fault code and a position. Afterwards, a view holds (source,
plan, position) and makes a Python object for each part on access. To find the part, it reads headers of the validated
octets again, which is nearly free.

Two rules keep memory safe even if a buffer changes while a view uses it (``copy=False``). Octets are only reached
through `read_header`, which never passes the end that it is given. And the length of contents is always the one of that
header, never one that was read before.
"""

# C code: plain C, and what works on Python objects
include "core/machine.pxi"
include "core/cpython.pxi"

# octets: the cursor, and the table of faults
include "core/octets/cursor.pxi"
include "core/octets/faults.pxi"

# types: one ASN.1 type each
include "core/types/numbers.pxi"
include "core/types/oid.pxi"
include "core/types/relative_oid.pxi"
include "core/types/bit_string.pxi"
include "core/types/strings.pxi"
include "core/types/times.pxi"
include "core/types/iri.pxi"
include "core/types/real.pxi"

# schema: what a schema class is compiled to
include "core/schema/constraint.pxi"
include "core/schema/node.pxi"
include "core/schema/plan.pxi"
include "core/schema/open_type_table.pxi"
include "core/types/iso8601.pxi"
include "core/types/rare.pxi"

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
include "core/decode/errors.pxi"

# values: views and plain Python values
include "core/values/source.pxi"
include "core/values/value.pxi"
include "core/values/span.pxi"
include "core/values/classes.pxi"
include "core/values/view.pxi"
include "core/values/sequence_view.pxi"
include "core/values/attributes.pxi"
include "core/values/verbatim_field.pxi"
include "core/values/choice_view.pxi"
include "core/values/deviations.pxi"
include "core/values/paths.pxi"
include "core/values/pickle.pxi"
include "core/values/list_view.pxi"
include "core/values/tlv.pxi"
include "core/values/native.pxi"
include "core/values/lookup.pxi"

# encode: the writer, backwards
include "core/encode/stack.pxi"
include "core/encode/writer.pxi"
include "core/encode/verbatim.pxi"
include "core/encode/text.pxi"
include "core/encode/plain.pxi"
include "core/encode/primitive.pxi"
include "core/encode/constructed.pxi"
include "core/encode/fast_path.pxi"
include "core/encode/streaming.pxi"
include "core/encode/choice.pxi"
include "core/encode/open_type.pxi"
include "core/encode/whole.pxi"
include "core/encode/from_keywords.pxi"
