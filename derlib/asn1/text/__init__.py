"""From types to ASN.1: `to_asn1` writes the text of a module for any schema.

- `names`: ASN.1 names for Python names,
- `values`: the value notation of defaults and constraints,
- `constraints`: the notation of constraints,
- `module`: types and the module around them.
"""
