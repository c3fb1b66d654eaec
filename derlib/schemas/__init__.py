"""Schemas of certificates, certificate revocation lists, CMS objects and PKCS #12 files.

Import `derlib.schemas.x509` for certificates, `derlib.schemas.crl` for certificate revocation lists,
`derlib.schemas.cms` for signed and encrypted objects, and `derlib.schemas.pkcs12` for PKCS #12 files. `keys` has
private keys, and `attribute_cert` attribute certificates. The other modules define parts: names (`attributes`,
`general`, `x400`), `algorithms`, `curves` and `ciphers`, extensions (`extensions`, `crl_extensions`, `policies`,
`vendor`, `sct`), and the parts of CMS (`cms_attributes`, `cms_certificates`, `cms_recipients`, `cms_signed`).

Classes have the names of the RFC, fields have the names of the RFC in snake_case, and the docstring of each class has
its ASN.1. derlib enforces the ASN.1 syntax, including constraints such as SIZE (1..MAX). It does not enforce the upper
bounds ub-* and the certificate profile of RFC 5280, which a linter checks.
"""
