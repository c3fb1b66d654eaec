# values: the buffers that were decoded, views of them, and plain Python values.
#
# Called by later layers:
#   classes.pxi: class_plan
#   paths.pxi: field_named
#   sequence_view.pxi: sequence_instance
#   source.pxi: source_new
#   value.pxi: make_value
#
# Exceptions, which refer to later layers:
#   classes.pxi -> call_with_keywords: the class statement installs the constructor of a schema class.
#   lookup.pxi -> encode_plan: a key of an index is compared by its encoding.
#   native.pxi -> opaque_of, write_union: plain data of a union is given only if the writer would read it back.
#   view.pxi -> build_plan, built_value: the constructors of views are class methods of View.
