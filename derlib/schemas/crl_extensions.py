"""The extensions of RFC 5280 section 5 that only CRLs and their entries have.

Used by `derlib.schemas.crl`. The syntax is from RFC 5280 Appendix A.2, a module with implicit tags.

>>> import derlib
>>> derlib.decode(CRLReason, bytes.fromhex("0a0101"))
<CRLReason.key_compromise: 1>
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from derlib import Enumerated, Explicit, GeneralizedTime, Implicit, ObjectIdentifier, Range, Sequence
from derlib.schemas.extensions import DistributionPointName, ReasonFlags, known_extension
from derlib.schemas.general import GeneralNames

_COMPILE_AT_FIRST_USE = True

CRLNumber: TypeAlias = Annotated[int, Range(0, None)]  # INTEGER (0..MAX), section 5.2.3
BaseCRLNumber: TypeAlias = CRLNumber  # section 5.2.4
InvalidityDate: TypeAlias = GeneralizedTime  # section 5.3.2
HoldInstructionCode: TypeAlias = ObjectIdentifier  # RFC 3280 section 5.3.2


class IssuingDistributionPoint(Sequence):
    """The certificates and reasons that a CRL covers (RFC 5280 section 5.2.5).

    ::

        IssuingDistributionPoint ::= SEQUENCE {
            distributionPoint            [0] DistributionPointName OPTIONAL,
            onlyContainsUserCerts        [1] BOOLEAN DEFAULT FALSE,
            onlyContainsCACerts          [2] BOOLEAN DEFAULT FALSE,
            onlySomeReasons              [3] ReasonFlags OPTIONAL,
            indirectCRL                  [4] BOOLEAN DEFAULT FALSE,
            onlyContainsAttributeCerts   [5] BOOLEAN DEFAULT FALSE }

    A reader that ignores this extension must not take a certificate for valid because the CRL does not list it.

    >>> point = IssuingDistributionPoint(only_contains_ca_certs=True)
    >>> point.encode().hex(), point.indirect_crl, point.only_some_reasons
    ('30038201ff', False, None)
    """

    distribution_point: Annotated[DistributionPointName, Explicit(0)] | None = None
    only_contains_user_certs: Annotated[bool, Implicit(1)] = False
    only_contains_ca_certs: Annotated[bool, Implicit(2)] = False
    only_some_reasons: Annotated[ReasonFlags, Implicit(3)] | None = None
    indirect_crl: Annotated[bool, Implicit(4)] = False
    only_contains_attribute_certs: Annotated[bool, Implicit(5)] = False


class CRLReason(Enumerated, extensible=True):
    """The reason for a revocation (RFC 5280 section 5.3.1).

    ::

        CRLReason ::= ENUMERATED {
            unspecified (0), keyCompromise (1), cACompromise (2), affiliationChanged (3),
            superseded (4), cessationOfOperation (5), certificateHold (6),
            -- value 7 is not used
            removeFromCRL (8), privilegeWithdrawn (9), aACompromise (10) }

    In X.509 (2019) 9.5.3.1 the type is extensible: "..." follows aACompromise, then weakAlgorithmOrKey (11). RFC 5280
    does not allow a reader to reject a CRL because of an unknown reason. So any other number, such as 7 and 11, is
    decoded as a member of this class without a name, which equals the number.

    >>> import derlib
    >>> later = derlib.decode(CRLReason, bytes.fromhex("0a010b"))
    >>> later, later == 11, later.name, CRLReason.key_compromise.name
    (<CRLReason: 11>, True, 'unknown (11)', 'key_compromise')
    """

    unspecified = 0
    key_compromise = 1
    ca_compromise = 2
    affiliation_changed = 3
    superseded = 4
    cessation_of_operation = 5
    certificate_hold = 6
    remove_from_crl = 8
    privilege_withdrawn = 9
    aa_compromise = 10


class CertificateIssuer(GeneralNames):
    """The issuer of the certificate of an entry in an indirect CRL (RFC 5280 section 5.3.3).

    ::

        CertificateIssuer ::= GeneralNames

    Entries after it without this extension have the same issuer.

    >>> from derlib.schemas.attributes import Name
    >>> issuer = CertificateIssuer([{"directory_name": Name.of({"CN": "Example CA"})}])
    >>> str(issuer[0].directory_name)
    'CN=Example CA'
    """


id_ce_crl_number = known_extension("2.5.29.20", "id-ce-cRLNumber", CRLNumber)
id_ce_crl_reasons = known_extension("2.5.29.21", "id-ce-cRLReasons", CRLReason)
id_ce_hold_instruction_code = known_extension("2.5.29.23", "id-ce-holdInstructionCode", HoldInstructionCode)
id_ce_invalidity_date = known_extension("2.5.29.24", "id-ce-invalidityDate", InvalidityDate)
id_ce_delta_crl_indicator = known_extension("2.5.29.27", "id-ce-deltaCRLIndicator", BaseCRLNumber)
id_ce_issuing_distribution_point = known_extension(
    "2.5.29.28", "id-ce-issuingDistributionPoint", IssuingDistributionPoint
)
id_ce_certificate_issuer = known_extension("2.5.29.29", "id-ce-certificateIssuer", CertificateIssuer)
# ExpiredCertsOnCRL ::= GeneralizedTime, X.509 section 9.5.2.8.
id_ce_expired_certs_on_crl = known_extension("2.5.29.60", "id-ce-expiredCertsOnCRL", GeneralizedTime)
