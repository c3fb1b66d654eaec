"""Properties of certificates: what users ask of a certificate, in fewer words than the fields of RFC 5280 need.

The base of `derlib.schemas.x509.Certificate`. Each property is a field of `tbs_certificate` or of an extension. For
absent extensions see `derlib.schemas.extension_properties`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derlib.schemas.extension_properties import ExtensionProperties
from derlib.schemas.extensions import AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, CRLDistributionPoints
from derlib.schemas.purposes import id_ad_ca_issuers, id_ad_ocsp

if TYPE_CHECKING:
    from datetime import datetime
    from ipaddress import IPv4Address, IPv6Address

    from derlib import ObjectIdentifier
    from derlib.schemas.attributes import Name
    from derlib.schemas.public_keys import SubjectPublicKeyInfo
    from derlib.schemas.sct import OpaqueTimestamp, SignedCertificateTimestamp
    from derlib.schemas.x509 import Extensions, TBSCertificate, Version

_URL = "uniform_resource_identifier"


class CertificateProperties(ExtensionProperties):
    """The properties of a certificate."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def tbs_certificate(self) -> TBSCertificate: ...

    @property
    def version(self) -> Version:
        """The version; version 3 is the one with extensions (RFC 5280 section 4.1.2.1)."""
        return self.tbs_certificate.version

    @property
    def serial_number(self) -> int:
        """The serial number, which is unique for the issuer (RFC 5280 section 4.1.2.2)."""
        return self.tbs_certificate.serial_number

    @property
    def issuer(self) -> Name:
        """The name of the issuer (RFC 5280 section 4.1.2.4)."""
        return self.tbs_certificate.issuer

    @property
    def subject(self) -> Name:
        """The name of the subject; it can be empty (RFC 5280 section 4.1.2.6)."""
        return self.tbs_certificate.subject

    @property
    def not_before(self) -> datetime:
        """The first moment of the validity period, in UTC (RFC 5280 section 4.1.2.5).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.tbs_certificate.validity.not_before

    @property
    def not_after(self) -> datetime:
        """The last moment of the validity period, in UTC (RFC 5280 section 4.1.2.5).

        Raises:
            UnrepresentableError: `datetime` cannot represent the time.
        """
        return self.tbs_certificate.validity.not_after

    @property
    def public_key(self) -> SubjectPublicKeyInfo:
        """The public key of the subject, with its algorithm (RFC 5280 section 4.1.2.7)."""
        return self.tbs_certificate.subject_public_key_info

    @property
    def extensions(self) -> Extensions | None:
        """All extensions, or None if there are none; `get` returns the value of one (RFC 5280 section 4.1.2.9)."""
        return self.tbs_certificate.extensions

    @property
    def is_self_issued(self) -> bool:
        """Whether subject and issuer are the same name by RFC 5280 sections 6.1 and 7.1 (`Name.matches`)."""
        return self.subject.matches(self.issuer)

    def matches_host(self, host: str | IPv4Address | IPv6Address) -> bool:
        """Return whether the alternative names include a host (RFC 9525 section 6.3, RFC 5280 section 4.2.1.6).

        Args:
            host: a DNS name, or an IP address. `*.example.org` among the names matches one label before this domain.

        The common name of the subject does not count (RFC 9525 section 2). The certificate is not verified.

        Raises:
            TypeError: `host` is neither a string nor an address.
            ValueError: `host` is not the name of a host, or is not ASCII.

        >>> from pathlib import Path
        >>> from derlib import pem
        >>> from derlib.schemas.x509 import Certificate
        >>> certificate = Certificate.decode(pem.one(Path("docs/examples/server.pem").read_bytes()))
        >>> certificate.matches_host("www.example.org"), certificate.matches_host("192.0.2.1")
        (True, False)
        """
        from derlib._host_names import includes_host

        return includes_host(host, self.dns_names, self.ip_addresses)

    @property
    def authority_key_identifier(self) -> bytes | None:
        """The identifier of the issuer's key; None if it is absent (RFC 5280 section 4.2.1.1)."""
        found = self._typed(AuthorityKeyIdentifier)
        return None if found is None else found.key_identifier

    @property
    def ocsp_urls(self) -> tuple[str, ...]:
        """The URLs of OCSP responders (RFC 5280 section 4.2.2.1)."""
        return self._access_urls(id_ad_ocsp)

    @property
    def ca_issuer_urls(self) -> tuple[str, ...]:
        """The URLs of certificates of the issuer (RFC 5280 section 4.2.2.1)."""
        return self._access_urls(id_ad_ca_issuers)

    @property
    def crl_urls(self) -> tuple[str, ...]:
        """The URLs of CRLs (RFC 5280 section 4.2.1.13)."""
        points = [point.distribution_point for point in self._typed(CRLDistributionPoints) or ()]
        lists = [point.value for point in points if point is not None and point.alternative == "full_name"]
        return tuple(name.value for names in lists for name in names if name.alternative == _URL)

    @property
    def signed_certificate_timestamps(self) -> tuple[SignedCertificateTimestamp | OpaqueTimestamp, ...]:
        """The timestamps of Certificate Transparency logs, as of `Extensions`; empty if there are none (RFC 6962)."""
        extensions = self.extensions
        return () if extensions is None else extensions.signed_certificate_timestamps

    def _access_urls(self, method: ObjectIdentifier) -> tuple[str, ...]:
        descriptions = self._typed(AuthorityInfoAccessSyntax) or ()
        names = [found.access_location for found in descriptions if found.access_method == method]
        return tuple(name.value for name in names if name.alternative == _URL)
