"""S/MIME version 4.0: RFC 8551, the attributes that mail programs add to signatures.

Import this module, besides `derlib.schemas.cms`, to read them: importing it registers their types.

>>> from derlib.schemas.cms import SignedAttributes
>>> attributes = SignedAttributes.decode(bytes.fromhex(
...     "311e301c06092a864886f70d01090f310f300d300b060960864801650304012a"))
>>> attributes.get(id_smime_capabilities)[0].capability_id.name
'id-aes256-CBC'
"""

from typing import Annotated

from derlib import Choice, Implicit, ObjectIdentifier
from derlib.oids import register_known
from derlib.schemas.attributes import ATTRIBUTES
from derlib.schemas.cms_certificates import IssuerAndSerialNumber
from derlib.schemas.cms_recipients import RecipientKeyIdentifier
from derlib.schemas.extensions import SubjectKeyIdentifier
from derlib.schemas.smime_capabilities import SMIMECapabilities, SMIMECapability, id_smime_capabilities

_COMPILE_AT_FIRST_USE = True

__all__ = [
    "IssuerAndSerialNumber",
    "RecipientKeyIdentifier",
    "SMIMECapabilities",
    "SMIMECapability",
    "SMIMEEncryptionKeyPreference",
    "id_aa_encryp_key_pref",
    "id_smime_capabilities",
]


class SMIMEEncryptionKeyPreference(Choice):
    """The certificate with which others should encrypt for the signer (RFC 8551 section 2.5.3).

    ::

        SMIMEEncryptionKeyPreference ::= CHOICE {
            issuerAndSerialNumber   [0] IssuerAndSerialNumber,
            receipentKeyId          [1] RecipientKeyIdentifier,
            subjectAltKeyIdentifier [2] SubjectKeyIdentifier }

    The misspelt name `receipentKeyId` is that of the RFC.
    """

    issuer_and_serial_number: Annotated[IssuerAndSerialNumber, Implicit(0)]
    receipent_key_id: Annotated[RecipientKeyIdentifier, Implicit(1)]
    subject_alt_key_identifier: Annotated[SubjectKeyIdentifier, Implicit(2)]


id_aa_encryp_key_pref = ObjectIdentifier("1.2.840.113549.1.9.16.2.11")
_MS_ENCRYPTION_KEY_PREFERENCE = ObjectIdentifier("1.3.6.1.4.1.311.16.4")

register_known(
    {
        id_aa_encryp_key_pref.dotted: "id-aa-encrypKeyPref",
        _MS_ENCRYPTION_KEY_PREFERENCE.dotted: "microsoftRecipientInfo",
    }
)
ATTRIBUTES.register(id_aa_encryp_key_pref, SMIMEEncryptionKeyPreference)
# Microsoft Outlook names its certificate this way, too.
ATTRIBUTES.register(_MS_ENCRYPTION_KEY_PREFERENCE, IssuerAndSerialNumber)
