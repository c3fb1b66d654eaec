"""The signer in CAdES: RFC 5126 section 5.11, ETSI EN 319 122-1 clauses 5.2.3 to 5.2.6.

Used by `derlib.schemas.cades`: what the signer commits to, where the signer is, and the attributes of the signer, such
as a role. Tags are explicit.

>>> CommitmentTypeIndication(commitment_type_id=id_cti_ets_proof_of_approval).encode().hex()
'300d060b2a864886f70d0109100605'
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from derlib import Choice, DefinedBy, Explicit, ObjectIdentifier, OctetString, OpenTypes, Sequence, SequenceOf, Size
from derlib._register import named_oid
from derlib.schemas.attribute_cert import AttributeCertificate
from derlib.schemas.attributes import Attribute, DirectoryString

_COMPILE_AT_FIRST_USE = True

#: The types of `qualifier` in `CommitmentTypeQualifier`, by `commitment_type_identifier`. The standards define none.
COMMITMENT_QUALIFIERS = OpenTypes("COMMITMENT_QUALIFIERS")

#: The types of `other_attribute_cert`, by `other_attribute_cert_id`. The standards define none.
OTHER_ATTRIBUTE_CERTS = OpenTypes("OTHER_ATTRIBUTE_CERTS")

#: The types of `signed_assertion`, by `signed_assertion_id`.
SIGNED_ASSERTIONS = OpenTypes("SIGNED_ASSERTIONS")

CommitmentTypeIdentifier: TypeAlias = ObjectIdentifier  # RFC 5126 section 5.11.1
ClaimedSAMLAssertion: TypeAlias = OctetString  # EN 319 122-1 clause 5.2.6.2
SignedSAMLAssertion: TypeAlias = OctetString  # EN 319 122-1 clause 5.2.6.3


class CommitmentTypeQualifier(Sequence):
    """Additional information about a commitment (RFC 5126 section 5.11.1).

    ::

        CommitmentTypeQualifier ::= SEQUENCE {
            commitmentTypeIdentifier   CommitmentTypeIdentifier,   -- OBJECT IDENTIFIER
            qualifier                  ANY DEFINED BY commitmentTypeIdentifier }

    In ETSI EN 319 122-1 clause 5.2.3, the first field is called ``commitmentQualifierId``, and ``qualifier`` is
    OPTIONAL, as it is here.
    """

    commitment_type_identifier: CommitmentTypeIdentifier
    qualifier: Annotated[Any, DefinedBy("commitment_type_identifier", COMMITMENT_QUALIFIERS)] | None = None


class CommitmentTypeIndication(Sequence):
    """What the signer means by the signature, such as the approval of the content (RFC 5126 section 5.11.1).

    ::

        CommitmentTypeIndication ::= SEQUENCE {
            commitmentTypeId          CommitmentTypeIdentifier,   -- OBJECT IDENTIFIER
            commitmentTypeQualifier   SEQUENCE SIZE (1..MAX) OF CommitmentTypeQualifier OPTIONAL }
    """

    commitment_type_id: CommitmentTypeIdentifier
    commitment_type_qualifier: Annotated[SequenceOf[CommitmentTypeQualifier], Size(1, None)] | None = None


class PostalAddress(SequenceOf[DirectoryString], size=Size(1, 6)):
    """The lines of an address (RFC 5126 section 5.11.2).

    ::

        PostalAddress ::= SEQUENCE SIZE (1..6) OF DirectoryString
    """


class SignerLocation(Sequence):
    """Where the signer signed (RFC 5126 section 5.11.2).

    ::

        SignerLocation ::= SEQUENCE {   -- at least one of the following must be present
            countryName     [0] DirectoryString OPTIONAL,
            localityName    [1] DirectoryString OPTIONAL,
            postalAddress   [2] PostalAddress OPTIONAL }
    """

    country_name: Annotated[DirectoryString, Explicit(0)] | None = None
    locality_name: Annotated[DirectoryString, Explicit(1)] | None = None
    postal_address: Annotated[PostalAddress, Explicit(2)] | None = None


class ClaimedAttributes(SequenceOf[Attribute]):
    """Attributes that the signer claims to have, such as a role (RFC 5126 section 5.11.3).

    ::

        ClaimedAttributes ::= SEQUENCE OF Attribute
    """


class SignerAttributeElement(Choice):
    """Claimed or certified attributes (RFC 5126 section 5.11.3, where the CHOICE has no name).

    ::

        CHOICE {
            claimedAttributes     [0] ClaimedAttributes,
            certifiedAttributes   [1] CertifiedAttributes }   -- AttributeCertificate
    """

    claimed_attributes: Annotated[ClaimedAttributes, Explicit(0)]
    certified_attributes: Annotated[AttributeCertificate, Explicit(1)]


class SignerAttribute(SequenceOf[SignerAttributeElement]):
    """Attributes of the signer (RFC 5126 section 5.11.3); see `SignerAttributeV2`.

    ::

        SignerAttribute ::= SEQUENCE OF CHOICE {
            claimedAttributes     [0] ClaimedAttributes,
            certifiedAttributes   [1] CertifiedAttributes }
    """


class OtherAttributeCertificate(Sequence):
    """A certificate for attributes in another format (ETSI EN 319 122-1 clause 5.2.6.1).

    ::

        OtherAttributeCertificate ::= SEQUENCE {
            otherAttributeCertID   OTHER-ATTRIBUTE-CERT.&id,
            otherAttributeCert     OTHER-ATTRIBUTE-CERT.&OtherAttributeCert OPTIONAL }
    """

    other_attribute_cert_id: ObjectIdentifier
    other_attribute_cert: Annotated[Any, DefinedBy("other_attribute_cert_id", OTHER_ATTRIBUTE_CERTS)] | None = None


class CertifiedAttributesV2Element(Choice):
    """A certificate for attributes (ETSI EN 319 122-1 clause 5.2.6.1, where the CHOICE has no name).

    ::

        CHOICE {
            attributeCertificate        [0] AttributeCertificate,
            otherAttributeCertificate   [1] OtherAttributeCertificate }
    """

    attribute_certificate: Annotated[AttributeCertificate, Explicit(0)]
    other_attribute_certificate: Annotated[OtherAttributeCertificate, Explicit(1)]


class CertifiedAttributesV2(SequenceOf[CertifiedAttributesV2Element]):
    """Certificates for attributes (ETSI EN 319 122-1 clause 5.2.6.1).

    ::

        CertifiedAttributesV2 ::= SEQUENCE OF CHOICE {
            attributeCertificate        [0] AttributeCertificate,
            otherAttributeCertificate   [1] OtherAttributeCertificate }
    """


class SignedAssertion(Sequence):
    """An assertion about the signer that a third party signed (ETSI EN 319 122-1 clause 5.2.6.1).

    ::

        SignedAssertion ::= SEQUENCE {
            signedAssertionID   SIGNED-ASSERTION.&id,
            signedAssertion     SIGNED-ASSERTION.&Assertion OPTIONAL }
    """

    signed_assertion_id: ObjectIdentifier
    signed_assertion: Annotated[Any, DefinedBy("signed_assertion_id", SIGNED_ASSERTIONS)] | None = None


class SignedAssertions(SequenceOf[SignedAssertion]):
    """Assertions about the signer (ETSI EN 319 122-1 clause 5.2.6.1).

    ::

        SignedAssertions ::= SEQUENCE OF SignedAssertion
    """


class SignerAttributeV2(Sequence):
    """Attributes of the signer (ETSI EN 319 122-1 clause 5.2.6.1).

    ::

        SignerAttributeV2 ::= SEQUENCE {
            claimedAttributes       [0] ClaimedAttributes OPTIONAL,
            certifiedAttributesV2   [1] CertifiedAttributesV2 OPTIONAL,
            signedAssertions        [2] SignedAssertions OPTIONAL }
    """

    claimed_attributes: Annotated[ClaimedAttributes, Explicit(0)] | None = None
    certified_attributes_v2: Annotated[CertifiedAttributesV2, Explicit(1)] | None = None
    signed_assertions: Annotated[SignedAssertions, Explicit(2)] | None = None


# RFC 5126 section 5.11.1.
id_cti_ets_proof_of_origin = named_oid("1.2.840.113549.1.9.16.6.1", "id-cti-ets-proofOfOrigin")
id_cti_ets_proof_of_receipt = named_oid("1.2.840.113549.1.9.16.6.2", "id-cti-ets-proofOfReceipt")
id_cti_ets_proof_of_delivery = named_oid("1.2.840.113549.1.9.16.6.3", "id-cti-ets-proofOfDelivery")
id_cti_ets_proof_of_sender = named_oid("1.2.840.113549.1.9.16.6.4", "id-cti-ets-proofOfSender")
id_cti_ets_proof_of_approval = named_oid("1.2.840.113549.1.9.16.6.5", "id-cti-ets-proofOfApproval")
id_cti_ets_proof_of_creation = named_oid("1.2.840.113549.1.9.16.6.6", "id-cti-ets-proofOfCreation")

id_ets_signed_saml = named_oid("0.4.0.19122.3.0", "id-ets-signedSAML")  # EN 319 122-1 annex D
SIGNED_ASSERTIONS.register(id_ets_signed_saml, SignedSAMLAssertion)
