"""Schemas of certificates and certificate revocation lists.

Import `derlib.schemas.x509` for certificates and `derlib.schemas.crl` for certificate revocation lists. The other
modules define the parts of both: names (`attributes`, `general`, `x400`), `algorithms` and `curves`, and extensions
(`extensions`, `crl_extensions`, `policies`, `vendor`, `sct`).

Classes have the names of the RFC, fields have the names of the RFC in snake_case, and the docstring of each class has
its ASN.1. derlib enforces the ASN.1 syntax, including constraints such as SIZE (1..MAX). It does not enforce the upper
bounds ub-* and the certificate profile of RFC 5280, which a linter checks.
"""
