# values: the buffers that were decoded, views of them, and plain Python values.
#
# Called by later layers:
#   classes.pxi: class_plan
#   native.pxi: is_named_pair, union_family
#   paths.pxi: field_named
#   sequence_view.pxi: sequence_instance
#   source.pxi: empty_source, source_new
#   value.pxi: make_value
#
# Exceptions, which refer to later layers:
#   classes.pxi -> call_with_keywords: the class statement installs the constructor of a schema class.
#   lookup.pxi -> encode_plan: a Lookup compares keys by their encodings.
#   native.pxi -> opaque_of, write_union: a transparent CHOICE needs no name if the writer would choose the same
#     alternative.
#   view.pxi -> build_plan, built_value: the constructors of views are class methods of View.
