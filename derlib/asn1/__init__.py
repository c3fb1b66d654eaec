"""The ASN.1 compiler: from the text of modules (X.680 to X.683) to typed Python.

>>> from derlib import asn1
>>> shop = asn1.load('''
... Shop DEFINITIONS AUTOMATIC TAGS ::= BEGIN
... Item ::= SEQUENCE { code INTEGER (0..999), amount INTEGER DEFAULT 1, remark UTF8String OPTIONAL }
... END
... ''')
>>> shop.Item(code=7, remark="blue")
Item(code=7, amount=1, remark='blue')

`load` is for trying things out. `compile_package`, or the command ``derlib compile``, writes a Python module for each
ASN.1 module, which is kept with the code that uses it; type checkers know its types. `compile_sources` writes one
Python module for all. The text goes through three layers:

- `derlib.asn1.syntax`: tokens and a syntax tree,
- `derlib.asn1.semantics`: names, values, tags, constraints, parameters and object sets are resolved,
- `derlib.asn1.backend`: the text of a Python module.

`to_asn1` goes the other way: from types to the text of a module (`derlib.asn1.text`).
"""

from derlib.asn1.compiler import compile_package, compile_sources, load
from derlib.asn1.diagnostics import CompileError, Diagnostic
from derlib.asn1.source import Place, Source, modules_of_rfc
from derlib.asn1.text.module import to_asn1

__all__ = [
    "CompileError",
    "Diagnostic",
    "Place",
    "Source",
    "compile_package",
    "compile_sources",
    "load",
    "modules_of_rfc",
    "to_asn1",
]
