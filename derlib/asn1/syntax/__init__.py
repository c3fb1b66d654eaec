"""The front end of the ASN.1 compiler: from text to a syntax tree.

`lexer` makes tokens, `cursor` walks over them, and the parsers build on each other: values, constraints, types, object
classes, modules. `tree` has the nodes. Whatever depends on the definition of a name, such as the meaning of braces in a
value, remains a list of tokens here; `derlib.asn1.semantics` parses it when the name is known.
"""
