"""The back end of the ASN.1 compiler: from resolved types to the text of a Python module.

`names` makes Python names, `expressions` writes types, constraints and values, `order` puts the definitions after what
they need, and `writer` writes the module.
"""
