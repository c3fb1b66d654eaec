"""Ready-made schemas of the structures that people meet, one module per family.

Applications import the module that they need: `derlib.schemas.x509` for certificates and
`derlib.schemas.crl` for certificate revocation lists. The other modules hold the parts of
those two: names (`attributes`, `general`, `x400`), `algorithms` and `curves`, and the extensions (`extensions`,
`crl_extensions`, `policies`, `vendor`, `sct`).

Classes have the names of the RFC, fields have the names of the RFC in snake_case, and each class
shows its ASN.1. The rules of the syntax are enforced, SIZE (1..MAX) among them; the upper bounds
ub-* of RFC 5280 and the rules of its profile are not: they are a linter's business.
"""
