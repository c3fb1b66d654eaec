"""Properties of values that have extensions, such as certificates and requests for certificates.

Used by `derlib.schemas.x509`, `crl`, `csr` and `ocsp`. The property of an absent extension is empty, False or None. If
its value is opaque because `Deviation.OPEN_TYPE` was tolerated, the property raises the tolerated error: a program must
not take an invalid restriction for an absent one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from derlib import TLV
from derlib._contents import decode_contents
from derlib.schemas.extensions import (
    BasicConstraints,
    ExtKeyUsageSyntax,
    KeyIdentifier,
    KeyUsage,
    SubjectAltName,
    id_ce_subject_key_identifier,
)
from derlib.schemas.policies import CertificatePolicies

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from derlib import ObjectIdentifier
    from derlib.schemas.general import GeneralName
    from derlib.schemas.x509 import Extension, Extensions

T = TypeVar("T")


def typed_value(value: Any, value_type: Any, holder: Any) -> Any:
    """Return the value of an extension of `holder`, or None if it is absent.

    Raises:
        DecodeError: the value is opaque. The error is the one that was tolerated when the extension was decoded.
    """
    octets = value.der if isinstance(value, TLV) else value
    return decode_contents(holder, value_type, octets) if isinstance(octets, (bytes, memoryview)) else value


class HasExtensions:
    """The base of classes with the property `extensions`: the value of an extension by its type."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def extensions(self) -> Extensions | None: ...

    @overload
    def get(self, which: type[T]) -> T | None: ...
    @overload
    def get(self, which: ObjectIdentifier | str) -> Any: ...
    def get(self, which: Any) -> Any:
        """Return the value of an extension, or None if it is absent.

        Args:
            which: the type of the value, such as `BasicConstraints`, or an `ObjectIdentifier`, its dotted form or its
                name, such as "keyUsage", as for `Extensions.get`.

        A value that `Deviation.OPEN_TYPE` made opaque is `bytes`; the properties, such as `key_usage`, raise its error.

        Raises:
            TypeError: no extension has this type, or several have it: pass an OBJECT IDENTIFIER.
            ConstraintError: the name is not registered.
        """
        extensions = self.extensions
        return None if extensions is None else extensions.get(which)

    def get_extension(self, which: type[Any] | ObjectIdentifier | str) -> Extension | None:
        """Return an `Extension`, which has the criticality, or None if it is absent. `which` is as for `get`."""
        extensions = self.extensions
        return None if extensions is None else extensions.get_extension(which)

    def _typed(self, which: type[T]) -> T | None:
        """Return the value of an extension by its type, for a property. Raises DecodeError if it is opaque."""
        found: T | None = typed_value(self.get(which), which, self)
        return found

    def extensions_with(self, *extensions: Extension) -> tuple[Extension, ...]:
        """Return the extensions with others: each in the place of the one with its identifier, or else at the end.

        Use it to build a changed value: pass the result to `replace` or `Extensions`.
        """
        new = {each.extn_id: each for each in extensions}
        kept = [new.pop(each.extn_id, each) for each in self.extensions or ()]
        return (*kept, *new.values())


class HasFingerprint:
    """The base of classes whose values are known by the hash of their encoding."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def der(self) -> memoryview: ...

    def fingerprint(self, algorithm: str = "sha256") -> bytes:
        """Return the hash of `der`, as `bytes`; ``fingerprint().hex()`` is the form in hexadecimal.

        These are the bytes that were decoded, also with ``tolerate``. After ``rules="ber"`` they are the converted
        bytes, and programs that hash the BER get another result.

        Args:
            algorithm: a name that `hashlib.new` knows.

        Raises:
            ValueError: the algorithm is unknown.
        """
        import hashlib

        return hashlib.new(algorithm, self.der, usedforsecurity=False).digest()


class ExtensionProperties(HasExtensions):
    """The properties that certificates and requests for certificates have in common."""

    __slots__ = ()

    @property
    def is_ca(self) -> bool:
        """Whether the extension basicConstraints says that the subject is a CA (RFC 5280 section 4.2.1.9)."""
        constraints = self._typed(BasicConstraints)
        return constraints is not None and constraints.ca

    @property
    def max_path_length(self) -> int | None:
        """The largest number of CA certificates between this CA and a subject; None if it is not limited (4.2.1.9)."""
        constraints = self._typed(BasicConstraints)
        return None if constraints is None else constraints.path_len_constraint

    @property
    def key_usage(self) -> KeyUsage | None:
        """The purposes of the key; None if the extension is absent (RFC 5280 section 4.2.1.3)."""
        return self._typed(KeyUsage)

    @property
    def extended_key_usage(self) -> tuple[ObjectIdentifier, ...]:
        """The purposes of the key, such as `id_kp_server_auth`; empty if the extension is absent (section 4.2.1.12)."""
        return tuple(self._typed(ExtKeyUsageSyntax) or ())

    @property
    def subject_alt_names(self) -> tuple[GeneralName, ...]:
        """The alternative names of the subject; empty if the extension is absent (RFC 5280 section 4.2.1.6)."""
        return tuple(self._typed(SubjectAltName) or ())

    @property
    def dns_names(self) -> tuple[str, ...]:
        """The DNS names among the alternative names of the subject (RFC 5280 section 4.2.1.6)."""
        return self._alternatives("dns_name")

    @property
    def email_addresses(self) -> tuple[str, ...]:
        """The e-mail addresses among the alternative names of the subject, the form rfc822Name."""
        return self._alternatives("rfc822_name")

    @property
    def ip_addresses(self) -> tuple[IPv4Address | IPv6Address, ...]:
        """The IP addresses among the alternative names of the subject (RFC 5280 section 4.2.1.6).

        An address that has neither 4 nor 16 bytes is omitted; it is in `subject_alt_names`.
        """
        import ipaddress

        found: tuple[bytes, ...] = self._alternatives("ip_address")
        return tuple(ipaddress.ip_address(address) for address in found if len(address) in (4, 16))

    @property
    def uris(self) -> tuple[str, ...]:
        """The URIs among the alternative names of the subject, the form uniformResourceIdentifier."""
        return self._alternatives("uniform_resource_identifier")

    @property
    def policies(self) -> tuple[ObjectIdentifier, ...]:
        """The identifiers of the certificate policies; empty if the extension is absent (RFC 5280 section 4.2.1.4)."""
        return tuple(each.policy_identifier for each in self._typed(CertificatePolicies) or ())

    @property
    def key_identifier(self) -> bytes | None:
        """The identifier of the subject's key; None if the extension is absent (RFC 5280 section 4.2.1.2)."""
        extension = self.get_extension(id_ce_subject_key_identifier)
        # An opaque value is bytes, too, but not those of the identifier.
        return None if extension is None else decode_contents(self, KeyIdentifier, extension.raw("extn_value"))

    def _alternatives(self, form: str) -> tuple[Any, ...]:
        return tuple(name.value for name in self.subject_alt_names if name.alternative == form)
