"""Attributes that Windows adds to requests for certificates: [MS-WCCE] section 2.2.2.7.

Used by `derlib.schemas.csr`, which imports this module to register the attributes. A value of another type is decoded
as a generic `TLV`.

>>> import derlib
>>> from derlib.schemas.attributes import Attribute
>>> attribute = Attribute.of("szOID_OS_VERSION", "10.0.19041.2")
>>> Attribute.decode(attribute.encode()).values[0]
'10.0.19041.2'
"""

from __future__ import annotations

from typing import Any

from derlib import BitString, BMPString, IA5String, ObjectIdentifier, Sequence, UTF8String
from derlib._register import register_type
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.x509 import Certificate

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "CSPProvider",
    "ClientInformation",
    "EnrollmentNameValuePair",
    "szoid_enrollment_csp_provider",
    "szoid_enrollment_name_value_pair",
    "szoid_os_version",
    "szoid_renewal_certificate",
    "szoid_request_client_info",
]


class EnrollmentNameValuePair(Sequence):
    """A setting for the CA, such as ``CertificateTemplate`` with the name of a template.

    ::

        EnrollmentNameValuePair ::= SEQUENCE {
            name    BMPString,
            value   BMPString }
    """

    name: BMPString
    value: BMPString


class CSPProvider(Sequence):
    """The cryptographic service provider that made the key.

    ::

        CSPProvider ::= SEQUENCE {
            keySpec     INTEGER,
            cspName     BMPString,
            signature   BIT STRING }
    """

    key_spec: int
    csp_name: BMPString
    signature: BitString


class ClientInformation(Sequence):
    """The program that made the request, and its machine and user.

    ::

        ClientInformation ::= SEQUENCE {
            clientId      INTEGER,
            machineName   UTF8String,
            userName      UTF8String,
            processName   UTF8String }
    """

    client_id: int
    machine_name: UTF8String
    user_name: UTF8String
    process_name: UTF8String


def _attribute(number: str, name: str, syntax: Any) -> ObjectIdentifier:
    return register_type(ATTRIBUTES, f"1.3.6.1.4.1.311.{number}", name, syntax)


# The names of wincrypt.h.
szoid_renewal_certificate = _attribute("13.1", "szOID_RENEWAL_CERTIFICATE", Certificate)
szoid_enrollment_name_value_pair = _attribute("13.2.1", "szOID_ENROLLMENT_NAME_VALUE_PAIR", EnrollmentNameValuePair)
szoid_enrollment_csp_provider = _attribute("13.2.2", "szOID_ENROLLMENT_CSP_PROVIDER", CSPProvider)
szoid_os_version = _attribute("13.2.3", "szOID_OS_VERSION", IA5String)
szoid_request_client_info = _attribute("21.20", "szOID_REQUEST_CLIENT_INFO", ClientInformation)
