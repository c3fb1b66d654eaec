"""The capabilities of S/MIME software: RFC 8551 section 2.5.2.

Used by `derlib.schemas.smime` and `derlib.schemas.ocsp`, and by `derlib.schemas.x509`: certificates can have them in an
extension with the OBJECT IDENTIFIER of the attribute (RFC 4262 section 2).

>>> SMIMECapabilities.decode(bytes.fromhex("300d300b060960864801650304012a"))[0].capability_id.name
'id-aes256-CBC'
"""

from typing import Annotated, Any

from derlib import DefinedBy, ObjectIdentifier, OpenTypes, Sequence, SequenceOf
from derlib.oids import register_known
from derlib.schemas.algorithms import AlgorithmIdentifier, RSAESOAEPParams, RSASSAPSSParams
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.extensions import known_extension

_COMPILE_AT_FIRST_USE = True

# The parameters of a capability. They differ from those of the algorithm itself for RC2.
SMIME_CAPABILITIES = OpenTypes("SMIME_CAPABILITIES")


class SMIMECapability(Sequence):
    """An algorithm that the software knows, or a preference (RFC 8551 section 2.5.2).

    ::

        SMIMECapability ::= SEQUENCE {
            capabilityID   OBJECT IDENTIFIER,
            parameters     ANY DEFINED BY capabilityID OPTIONAL }
    """

    capability_id: ObjectIdentifier
    parameters: Annotated[Any, DefinedBy("capability_id", SMIME_CAPABILITIES)] | None = None


class SMIMECapabilities(SequenceOf[SMIMECapability]):
    """The capabilities of the sender's software, the preferred first (RFC 8551 section 2.5.2).

    ::

        SMIMECapabilities ::= SEQUENCE OF SMIMECapability
    """


id_smime_capabilities = known_extension(
    "1.2.840.113549.1.9.15", "pkcs-9-at-smimeCapabilities", SMIMECapabilities, on_mismatch="opaque"
)
ATTRIBUTES.register(id_smime_capabilities, SMIMECapabilities)

register_known(
    {
        "1.2.840.113549.1.9.15.1": "preferSignedData",  # RFC 8551 section 2.5.2
        "1.2.840.113549.1.9.15.2": "canNotDecryptAny",  # RFC 5751 Appendix A
        "1.2.840.113549.1.9.15.3": "sMIMECapabilitiesVersions",  # RFC 8551 Appendix A
    }
)
# SMIMECapabilitiesParametersForRC2CBC ::= INTEGER (40 | 128, ...), the length of the key in bits: RFC 8551 Appendix A.
SMIME_CAPABILITIES.register(ObjectIdentifier("1.2.840.113549.3.2"), int)
# RFC 4055 sections 3.1 and 4.1. In RFC 6664 the parameters are sizes of keys, which are opaque here.
SMIME_CAPABILITIES.register(ObjectIdentifier("1.2.840.113549.1.1.7"), RSAESOAEPParams, on_mismatch="opaque")
SMIME_CAPABILITIES.register(ObjectIdentifier("1.2.840.113549.1.1.10"), RSASSAPSSParams, on_mismatch="opaque")
# Key agreement: the algorithm that wraps the key, RFC 5911 section 3.
SMIME_CAPABILITIES.register(ObjectIdentifier("1.2.840.113549.1.9.16.3.5"), AlgorithmIdentifier)
SMIME_CAPABILITIES.register(ObjectIdentifier("1.2.840.113549.1.9.16.3.10"), AlgorithmIdentifier)
