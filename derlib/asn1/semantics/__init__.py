"""Resolution: from syntax trees to types whose names, values, tags, parameters and object sets are known.

`names` finds definitions, `values`, `objects`, `constraints` and `types` resolve them, and build on each other in this
order. `model` has the result.
"""
