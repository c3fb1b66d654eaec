"""The OBJECT IDENTIFIERs and the tables of CMC: RFC 5272 and 6402.

Used by `derlib.schemas.cmc`.

>>> id_cmc_get_cert.name
'id-cmc-getCert'
"""

from __future__ import annotations

from derlib import (
    ObjectIdentifier,
    OpenTypes,
)
from derlib.oids import register_known

_COMPILE_AT_FIRST_USE = True


#: The types of controls, by `attr_type`.
CMC_CONTROLS = OpenTypes("CMC_CONTROLS")

#: The types of other requests and messages, by their identifiers. The RFCs define none.
OTHER_REQUESTS = OpenTypes("OTHER_REQUESTS")
OTHER_MESSAGES = OpenTypes("OTHER_MESSAGES")

#: The types of `fail_info_value`, by `fail_info_oid`. The RFCs define none.
EXTENDED_FAILURES = OpenTypes("EXTENDED_FAILURES")

#: The types of the contents of `CMCUnsignedData`, by `identifier`. The RFCs define none.
UNSIGNED_DATA = OpenTypes("UNSIGNED_DATA")

id_cct_pki_data = ObjectIdentifier("1.3.6.1.5.5.7.12.2")
id_cct_pki_response = ObjectIdentifier("1.3.6.1.5.5.7.12.3")
id_cmc_identity_proof = ObjectIdentifier("1.3.6.1.5.5.7.7.3")
id_cmc_data_return = ObjectIdentifier("1.3.6.1.5.5.7.7.4")
id_cmc_reg_info = ObjectIdentifier("1.3.6.1.5.5.7.7.18")
id_cmc_response_info = ObjectIdentifier("1.3.6.1.5.5.7.7.19")
id_cmc_query_pending = ObjectIdentifier("1.3.6.1.5.5.7.7.21")
id_cmc_pop_link_random = ObjectIdentifier("1.3.6.1.5.5.7.7.22")
id_cmc_pop_link_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.23")
id_cmc_identification = ObjectIdentifier("1.3.6.1.5.5.7.7.2")
id_cmc_transaction_id = ObjectIdentifier("1.3.6.1.5.5.7.7.5")
id_cmc_sender_nonce = ObjectIdentifier("1.3.6.1.5.5.7.7.6")
id_cmc_recipient_nonce = ObjectIdentifier("1.3.6.1.5.5.7.7.7")
id_cmc_status_info = ObjectIdentifier("1.3.6.1.5.5.7.7.1")
id_cmc_add_extensions = ObjectIdentifier("1.3.6.1.5.5.7.7.8")
id_cmc_encrypted_pop = ObjectIdentifier("1.3.6.1.5.5.7.7.9")
id_cmc_decrypted_pop = ObjectIdentifier("1.3.6.1.5.5.7.7.10")
id_cmc_lra_pop_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.11")
id_cmc_get_cert = ObjectIdentifier("1.3.6.1.5.5.7.7.15")
id_cmc_get_crl = ObjectIdentifier("1.3.6.1.5.5.7.7.16")
id_cmc_revoke_request = ObjectIdentifier("1.3.6.1.5.5.7.7.17")
id_cmc_confirm_cert_acceptance = ObjectIdentifier("1.3.6.1.5.5.7.7.24")
id_alg_no_signature = ObjectIdentifier("1.3.6.1.5.5.7.6.2")
id_aa_cmc_unsigned_data = ObjectIdentifier("1.2.840.113549.1.9.16.2.34")
id_cmc_status_info_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.25")
id_cmc_trusted_anchors = ObjectIdentifier("1.3.6.1.5.5.7.7.26")
id_cmc_auth_data = ObjectIdentifier("1.3.6.1.5.5.7.7.27")
id_cmc_batch_requests = ObjectIdentifier("1.3.6.1.5.5.7.7.28")
id_cmc_batch_responses = ObjectIdentifier("1.3.6.1.5.5.7.7.29")
id_cmc_publish_cert = ObjectIdentifier("1.3.6.1.5.5.7.7.30")
id_cmc_mod_cert_template = ObjectIdentifier("1.3.6.1.5.5.7.7.31")
id_cmc_control_processed = ObjectIdentifier("1.3.6.1.5.5.7.7.32")
id_cmc_identity_proof_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.33")
id_cmc_pop_link_witness_v2 = ObjectIdentifier("1.3.6.1.5.5.7.7.34")
id_cmc_ra_identity_witness = ObjectIdentifier("1.3.6.1.5.5.7.7.35")
id_cmc_change_subject_name = ObjectIdentifier("1.3.6.1.5.5.7.7.36")
id_cmc_response_body = ObjectIdentifier("1.3.6.1.5.5.7.7.37")
register_known(
    {
        "1.3.6.1.5.5.7.12.2": "id-cct-PKIData",
        "1.3.6.1.5.5.7.12.3": "id-cct-PKIResponse",
        "1.3.6.1.5.5.7.7.3": "id-cmc-identityProof",
        "1.3.6.1.5.5.7.7.4": "id-cmc-dataReturn",
        "1.3.6.1.5.5.7.7.18": "id-cmc-regInfo",
        "1.3.6.1.5.5.7.7.19": "id-cmc-responseInfo",
        "1.3.6.1.5.5.7.7.21": "id-cmc-queryPending",
        "1.3.6.1.5.5.7.7.22": "id-cmc-popLinkRandom",
        "1.3.6.1.5.5.7.7.23": "id-cmc-popLinkWitness",
        "1.3.6.1.5.5.7.7.2": "id-cmc-identification",
        "1.3.6.1.5.5.7.7.5": "id-cmc-transactionId",
        "1.3.6.1.5.5.7.7.6": "id-cmc-senderNonce",
        "1.3.6.1.5.5.7.7.7": "id-cmc-recipientNonce",
        "1.3.6.1.5.5.7.7.1": "id-cmc-statusInfo",
        "1.3.6.1.5.5.7.7.8": "id-cmc-addExtensions",
        "1.3.6.1.5.5.7.7.9": "id-cmc-encryptedPOP",
        "1.3.6.1.5.5.7.7.10": "id-cmc-decryptedPOP",
        "1.3.6.1.5.5.7.7.11": "id-cmc-lraPOPWitness",
        "1.3.6.1.5.5.7.7.15": "id-cmc-getCert",
        "1.3.6.1.5.5.7.7.16": "id-cmc-getCRL",
        "1.3.6.1.5.5.7.7.17": "id-cmc-revokeRequest",
        "1.3.6.1.5.5.7.7.24": "id-cmc-confirmCertAcceptance",
        "1.3.6.1.5.5.7.6.2": "id-alg-noSignature",
        "1.2.840.113549.1.9.16.2.34": "id-aa-cmc-unsignedData",
        "1.3.6.1.5.5.7.7.25": "id-cmc-statusInfoV2",
        "1.3.6.1.5.5.7.7.26": "id-cmc-trustedAnchors",
        "1.3.6.1.5.5.7.7.27": "id-cmc-authData",
        "1.3.6.1.5.5.7.7.28": "id-cmc-batchRequests",
        "1.3.6.1.5.5.7.7.29": "id-cmc-batchResponses",
        "1.3.6.1.5.5.7.7.30": "id-cmc-publishCert",
        "1.3.6.1.5.5.7.7.31": "id-cmc-modCertTemplate",
        "1.3.6.1.5.5.7.7.32": "id-cmc-controlProcessed",
        "1.3.6.1.5.5.7.7.33": "id-cmc-identityProofV2",
        "1.3.6.1.5.5.7.7.34": "id-cmc-popLinkWitnessV2",
        "1.3.6.1.5.5.7.7.35": "id-cmc-raIdentityWitness",
        "1.3.6.1.5.5.7.7.36": "id-cmc-changeSubjectName",
        "1.3.6.1.5.5.7.7.37": "id-cmc-responseBody",
    }
)
