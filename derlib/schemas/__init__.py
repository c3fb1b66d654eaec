"""Schemas of certificates, revocation lists, requests, CMS objects, time stamps, PKCS #12 files and protocols.

| module of `derlib.schemas` | for |
| --- | --- |
| `x509`, `crl` | certificates, certificate revocation lists |
| `csr` | requests for certificates (PKCS #10) |
| `crmf`, `cmp` | requests in the format of RFC 4211, the messages of the Certificate Management Protocol |
| `ocsp` | the status of certificates |
| `cms`, `ess`, `smime` | signed and encrypted objects, and the attributes of signed mail |
| `tsp`, `ers` | time stamps, evidence records |
| `rpki` | signed objects of the RPKI, and certificates with IP addresses and AS numbers |
| `pkcs12`, `keys` | PKCS #12 files, private keys |
| `cmc` | requests and responses of Certificate Management over CMS |
| `scvp` | requests to validate certificates, and their responses |
| `x509_2016` | extensions and assertions of X.509 that RFC 5280 does not have |
| `kerberos`, `kerberos_preauth` | messages of Kerberos, with PKINIT and FAST |
| `attribute_cert`, `attribute_cert_values` | attribute certificates, with their attributes and extensions |
| `spnego` | tokens of SPNEGO and GSS-API |
| `ldap`, `snmp` | the messages of directories and of network management |
| `authenticode`, `trust_list` | signatures of Windows programs, trust lists and catalogs |
| `attestation`, `tcg` | extensions about keys in devices of Android, and about TPMs |
| `icao` | security objects of passports, lists of certificates and of deviations |
| `trust_anchors`, `tamp` | trust anchors, and the messages that change them |
| `ct` | the bytes that a log of Certificate Transparency signed |
| `cades`, `pdf` | attributes of advanced electronic signatures, and of signatures in PDF documents |
| `openssl` | trust settings, sessions of TLS and SPKAC, as OpenSSL writes them |

The other modules define parts: names (`attributes`, `general`, `x400`), `algorithms`, `curves` and `ciphers`,
extensions (`extensions`, `crl_extensions`, `policies`, `vendor`, `sct`), the parts of CMS (`cms_attributes`,
`cms_certificates`, `cms_recipients`, `cms_signed`), the parts of requests (`crmf_controls`, `cmp_body`,
`cmp_certificates`, `cmp_info`, `cmp_status`, `vendor_attributes`), private keys of ML-DSA and ML-KEM (`keys_pq`),
`ip_resources`, and `smime_capabilities`.

Classes have the names of the RFC, fields have the names of the RFC in snake_case, and the docstring of each class has
its ASN.1. derlib enforces the ASN.1 syntax, including constraints such as SIZE (1..MAX). It does not enforce the upper
bounds ub-* and the certificate profile of RFC 5280, which a linter checks.
"""

from typing import TYPE_CHECKING

if not TYPE_CHECKING:

    def __getattr__(name):
        """Import a module of this package when its name is first used."""
        from importlib import import_module

        module = f"{__name__}.{name}"
        try:
            if name.isidentifier() and not name.startswith("_"):
                return import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
        from pkgutil import iter_modules

        from derlib._suggestions import no_module_attribute

        names = [each.name for each in iter_modules(__path__)]
        raise AttributeError(no_module_attribute(__name__, name, names), name=name)
