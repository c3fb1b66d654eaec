"""The OBJECT IDENTIFIERs and the tables of SCVP: RFC 5055 sections 3 and 4.

Used by `derlib.schemas.scvp`.

>>> id_swb_pkc_cert.name
'id-swb-pkc-cert'
"""

from __future__ import annotations

from derlib import (
    ObjectIdentifier,
    OpenTypes,
)
from derlib.oids import register_known

_COMPILE_AT_FIRST_USE = True


#: The types of `value` in `ReplyWantBack`, by `wb`.
WANT_BACKS = OpenTypes("WANT_BACKS")

#: The parameters of validation algorithms, by `val_alg_id`.
VALIDATION_ALGS = OpenTypes("VALIDATION_ALGS")

id_ct_scvp_cert_val_request = ObjectIdentifier("1.2.840.113549.1.9.16.1.10")
id_ct_scvp_cert_val_response = ObjectIdentifier("1.2.840.113549.1.9.16.1.11")
id_ct_scvp_val_pol_request = ObjectIdentifier("1.2.840.113549.1.9.16.1.12")
id_ct_scvp_val_pol_response = ObjectIdentifier("1.2.840.113549.1.9.16.1.13")
id_stc_build_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.1")
id_stc_build_valid_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.2")
id_stc_build_status_checked_pkc_path = ObjectIdentifier("1.3.6.1.5.5.7.17.3")
id_stc_build_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.4")
id_stc_build_valid_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.5")
id_stc_build_status_checked_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.6")
id_stc_status_check_ac_and_build_status_checked_aa_path = ObjectIdentifier("1.3.6.1.5.5.7.17.7")
id_swb_pkc_best_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.18.1")
id_swb_pkc_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.2")
id_swb_pkc_public_key_info = ObjectIdentifier("1.3.6.1.5.5.7.18.4")
id_swb_aa_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.18.5")
id_swb_aa_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.6")
id_swb_ac_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.7")
id_swb_relayed_responses = ObjectIdentifier("1.3.6.1.5.5.7.18.9")
id_swb_pkc_all_cert_paths = ObjectIdentifier("1.3.6.1.5.5.7.18.12")
id_swb_pkc_ee_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.13")
id_swb_pkc_cas_revocation_info = ObjectIdentifier("1.3.6.1.5.5.7.18.14")
id_swb_pkc_cert = ObjectIdentifier("1.3.6.1.5.5.7.18.10")
id_swb_ac_cert = ObjectIdentifier("1.3.6.1.5.5.7.18.11")
id_svp_default_val_policy = ObjectIdentifier("1.3.6.1.5.5.7.19.1")
id_svp_basic_val_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.3")
id_bvae_expired = ObjectIdentifier("1.3.6.1.5.5.7.19.3.1")
id_bvae_not_yet_valid = ObjectIdentifier("1.3.6.1.5.5.7.19.3.2")
id_bvae_wrong_trust_anchor = ObjectIdentifier("1.3.6.1.5.5.7.19.3.3")
id_bvae_no_valid_cert_path = ObjectIdentifier("1.3.6.1.5.5.7.19.3.4")
id_bvae_revoked = ObjectIdentifier("1.3.6.1.5.5.7.19.3.5")
id_bvae_invalid_key_purpose = ObjectIdentifier("1.3.6.1.5.5.7.19.3.9")
id_bvae_invalid_key_usage = ObjectIdentifier("1.3.6.1.5.5.7.19.3.10")
id_bvae_invalid_cert_policy = ObjectIdentifier("1.3.6.1.5.5.7.19.3.11")
id_svp_name_val_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.2")
id_nva_dn_comp_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.4")
id_nvae_name_mismatch = ObjectIdentifier("1.3.6.1.5.5.7.19.2.1")
id_nvae_no_name = ObjectIdentifier("1.3.6.1.5.5.7.19.2.2")
id_nvae_unknown_alg = ObjectIdentifier("1.3.6.1.5.5.7.19.2.3")
id_nvae_bad_name = ObjectIdentifier("1.3.6.1.5.5.7.19.2.4")
id_nvae_bad_name_type = ObjectIdentifier("1.3.6.1.5.5.7.19.2.5")
id_nvae_mixed_names = ObjectIdentifier("1.3.6.1.5.5.7.19.2.6")
id_kp_scvp_server = ObjectIdentifier("1.3.6.1.5.5.7.3.15")
id_kp_scvp_client = ObjectIdentifier("1.3.6.1.5.5.7.3.16")
register_known(
    {
        "1.2.840.113549.1.9.16.1.10": "id-ct-scvp-certValRequest",
        "1.2.840.113549.1.9.16.1.11": "id-ct-scvp-certValResponse",
        "1.2.840.113549.1.9.16.1.12": "id-ct-scvp-valPolRequest",
        "1.2.840.113549.1.9.16.1.13": "id-ct-scvp-valPolResponse",
        "1.3.6.1.5.5.7.17.1": "id-stc-build-pkc-path",
        "1.3.6.1.5.5.7.17.2": "id-stc-build-valid-pkc-path",
        "1.3.6.1.5.5.7.17.3": "id-stc-build-status-checked-pkc-path",
        "1.3.6.1.5.5.7.17.4": "id-stc-build-aa-path",
        "1.3.6.1.5.5.7.17.5": "id-stc-build-valid-aa-path",
        "1.3.6.1.5.5.7.17.6": "id-stc-build-status-checked-aa-path",
        "1.3.6.1.5.5.7.17.7": "id-stc-status-check-ac-and-build-status-checked-aa-path",
        "1.3.6.1.5.5.7.18.1": "id-swb-pkc-best-cert-path",
        "1.3.6.1.5.5.7.18.2": "id-swb-pkc-revocation-info",
        "1.3.6.1.5.5.7.18.4": "id-swb-pkc-public-key-info",
        "1.3.6.1.5.5.7.18.5": "id-swb-aa-cert-path",
        "1.3.6.1.5.5.7.18.6": "id-swb-aa-revocation-info",
        "1.3.6.1.5.5.7.18.7": "id-swb-ac-revocation-info",
        "1.3.6.1.5.5.7.18.9": "id-swb-relayed-responses",
        "1.3.6.1.5.5.7.18.12": "id-swb-pkc-all-cert-paths",
        "1.3.6.1.5.5.7.18.13": "id-swb-pkc-ee-revocation-info",
        "1.3.6.1.5.5.7.18.14": "id-swb-pkc-CAs-revocation-info",
        "1.3.6.1.5.5.7.18.10": "id-swb-pkc-cert",
        "1.3.6.1.5.5.7.18.11": "id-swb-ac-cert",
        "1.3.6.1.5.5.7.19.1": "id-svp-defaultValPolicy",
        "1.3.6.1.5.5.7.19.3.1": "id-bvae-expired",
        "1.3.6.1.5.5.7.19.3.2": "id-bvae-not-yet-valid",
        "1.3.6.1.5.5.7.19.3.3": "id-bvae-wrongTrustAnchor",
        "1.3.6.1.5.5.7.19.3.4": "id-bvae-noValidCertPath",
        "1.3.6.1.5.5.7.19.3.5": "id-bvae-revoked",
        "1.3.6.1.5.5.7.19.3.9": "id-bvae-invalidKeyPurpose",
        "1.3.6.1.5.5.7.19.3.10": "id-bvae-invalidKeyUsage",
        "1.3.6.1.5.5.7.19.3.11": "id-bvae-invalidCertPolicy",
        "1.3.6.1.5.5.7.19.2": "id-svp-nameValAlg",
        "1.3.6.1.5.5.7.19.4": "id-nva-dnCompAlg",
        "1.3.6.1.5.5.7.19.2.1": "id-nvae-name-mismatch",
        "1.3.6.1.5.5.7.19.2.2": "id-nvae-no-name",
        "1.3.6.1.5.5.7.19.2.3": "id-nvae-unknown-alg",
        "1.3.6.1.5.5.7.19.2.4": "id-nvae-bad-name",
        "1.3.6.1.5.5.7.19.2.5": "id-nvae-bad-name-type",
        "1.3.6.1.5.5.7.19.2.6": "id-nvae-mixed-names",
        "1.3.6.1.5.5.7.3.15": "id-kp-scvpServer",
        "1.3.6.1.5.5.7.3.16": "id-kp-scvpClient",
    }
)
