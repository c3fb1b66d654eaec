# cython: language_level=3, freethreading_compatible=True
"""The native core: validates DER against compiled schemas (plans), reads validated bytes, and writes values as DER.

This file is the table of contents. Each folder under core/ is a layer, and each file is one idea. The core never sees
an annotation: the schema language (`derlib._schema`) makes the plans.

Layers, in this order: octets, schema, types, decode, ber, values, encode, columns. A file refers only to its own layer
and to layers before it. The interface.pxi of each layer lists the functions that later layers call, and the few
exceptions from this rule with their reasons. `make lint` compares these lists with the code.

How it works: `check` validates the input against a plan in one pass, without the GIL, without allocating memory and
without touching a Python object. It either accepts all of the input or stores a fault code and an address. After that,
a view has a source, a plan and an address. It makes Python objects only for what is read, by reading the headers of
the validated bytes again, which costs almost nothing.

Two rules keep memory safe even if a zero-copy buffer changes under a view. First, bytes are reached only through
`read_header`, which never reads past the end that it is given. Second, code that reads contents uses the length from
that header, never a length that was read earlier.
"""

# C code: plain C, and code that works on Python objects
include "core/machine.pxi"
include "core/cpython.pxi"

# octets: bytes, headers and faults
include "core/octets/interface.pxi"
include "core/octets/cursor.pxi"
include "core/octets/faults.pxi"
include "core/octets/options.pxi"
include "core/octets/arguments.pxi"
include "core/octets/describe.pxi"

# schema: the compiled form of schema classes
include "core/schema/interface.pxi"
include "core/schema/constraint.pxi"
include "core/schema/node.pxi"
include "core/schema/components.pxi"
include "core/schema/plan.pxi"
include "core/schema/plan_fill.pxi"
include "core/schema/plan_seal.pxi"
include "core/schema/compiled_constraint.pxi"
include "core/schema/open_type_table.pxi"
include "core/schema/describe.pxi"

# types: the table of ASN.1 types, then one type each: validation, decoding, encoding
include "core/types/interface.pxi"
include "core/types/writer.pxi"
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
include "core/types/time_types.pxi"

# decode: validation, without the GIL
include "core/decode/interface.pxi"
include "core/decode/options.pxi"
include "core/decode/record.pxi"
include "core/decode/list_templates.pxi"
include "core/decode/check_state.pxi"
include "core/decode/validate.pxi"
include "core/decode/primitive.pxi"
include "core/decode/constraints.pxi"
include "core/decode/default.pxi"
include "core/decode/sequence.pxi"
include "core/decode/set.pxi"
include "core/decode/choice.pxi"
include "core/decode/list.pxi"
include "core/decode/open_type.pxi"
include "core/decode/any.pxi"
include "core/decode/errors.pxi"

# ber: BER in, DER out, without the GIL
include "core/ber/interface.pxi"
include "core/ber/header.pxi"
include "core/ber/tree.pxi"
include "core/ber/edits.pxi"
include "core/ber/state.pxi"
include "core/ber/editing.pxi"
include "core/ber/run_templates.pxi"
include "core/ber/list_runs.pxi"
include "core/ber/write.pxi"
include "core/ber/walk.pxi"
include "core/ber/records.pxi"
include "core/ber/sets.pxi"
include "core/ber/moves.pxi"
include "core/ber/open_types.pxi"
include "core/ber/kept.pxi"
include "core/ber/strings.pxi"
include "core/ber/contents.pxi"
include "core/ber/times.pxi"
include "core/ber/iso_times.pxi"
include "core/ber/real.pxi"

# values: views and plain Python values
include "core/values/interface.pxi"
include "core/values/source.pxi"
include "core/values/value.pxi"
include "core/values/span.pxi"
include "core/values/classes.pxi"
include "core/values/view.pxi"
include "core/values/sequence_view.pxi"
include "core/values/attributes.pxi"
include "core/values/verbatim_field.pxi"
include "core/values/choice_view.pxi"
include "core/values/additions.pxi"
include "core/values/paths.pxi"
include "core/values/keep_request.pxi"
include "core/values/conversion_log.pxi"
include "core/values/deviations.pxi"
include "core/values/converted.pxi"
include "core/values/conversion.pxi"
include "core/values/change.pxi"
include "core/values/pickle.pxi"
include "core/values/list_view.pxi"
include "core/values/tlv.pxi"
include "core/values/ber_element.pxi"
include "core/values/element_size.pxi"
include "core/values/native.pxi"
include "core/values/json_text.pxi"
include "core/values/lookup_table.pxi"
include "core/values/lookup.pxi"
include "core/values/find.pxi"
include "core/values/element_header.pxi"
include "core/values/parts.pxi"
include "core/values/segments.pxi"
include "core/values/part_value.pxi"

# encode: Python values to DER, written backwards into a `Writer`
include "core/encode/interface.pxi"
include "core/encode/stack.pxi"
include "core/encode/general.pxi"
include "core/encode/verbatim.pxi"
include "core/encode/sequence.pxi"
include "core/encode/list.pxi"
include "core/encode/additions.pxi"
include "core/encode/fast_path.pxi"
include "core/encode/fast_checked.pxi"
include "core/encode/from_json.pxi"
include "core/encode/streaming.pxi"
include "core/encode/choice.pxi"
include "core/encode/open_type.pxi"
include "core/encode/encode.pxi"
include "core/encode/from_keywords.pxi"

# columns: encodings to Arrow arrays
include "core/columns/interface.pxi"
include "core/columns/memory.pxi"
include "core/columns/words.pxi"
include "core/columns/alternatives.pxi"
include "core/columns/buffers.pxi"
include "core/columns/names.pxi"
include "core/columns/cells.pxi"
include "core/columns/dictionary.pxi"
include "core/columns/structs.pxi"
include "core/columns/addresses.pxi"
include "core/columns/display.pxi"
include "core/columns/program.pxi"
include "core/columns/walk.pxi"
include "core/columns/row_templates.pxi"
include "core/columns/rows.pxi"
include "core/columns/arrow.pxi"
include "core/columns/tasks.pxi"
include "core/columns/split.pxi"
include "core/columns/workers.pxi"
include "core/columns/arrow_inputs.pxi"
include "core/columns/stream.pxi"
