"""The OBJECT IDENTIFIERs that certificates have as values: purposes of keys, kinds of access, and anyPolicy.

Used by `derlib.schemas.x509`, which exports them.

>>> id_kp_server_auth.dotted, id_ad_ocsp.name
('1.3.6.1.5.5.7.3.1', 'id-ad-ocsp')
"""

from derlib._register import named_oid

# Purposes of keys, for ExtKeyUsageSyntax: RFC 5280 section 4.2.1.12.
id_kp_server_auth = named_oid("1.3.6.1.5.5.7.3.1", "id-kp-serverAuth")
id_kp_client_auth = named_oid("1.3.6.1.5.5.7.3.2", "id-kp-clientAuth")
id_kp_code_signing = named_oid("1.3.6.1.5.5.7.3.3", "id-kp-codeSigning")
id_kp_email_protection = named_oid("1.3.6.1.5.5.7.3.4", "id-kp-emailProtection")
id_kp_time_stamping = named_oid("1.3.6.1.5.5.7.3.8", "id-kp-timeStamping")
id_kp_ocsp_signing = named_oid("1.3.6.1.5.5.7.3.9", "id-kp-OCSPSigning")
any_extended_key_usage = named_oid("2.5.29.37.0", "anyExtendedKeyUsage")

# Kinds of access, for AccessDescription: RFC 5280 sections 4.2.2.1 and 4.2.2.2.
id_ad_ocsp = named_oid("1.3.6.1.5.5.7.48.1", "id-ad-ocsp")
id_ad_ca_issuers = named_oid("1.3.6.1.5.5.7.48.2", "id-ad-caIssuers")
id_ad_time_stamping = named_oid("1.3.6.1.5.5.7.48.3", "id-ad-timeStamping")
id_ad_ca_repository = named_oid("1.3.6.1.5.5.7.48.5", "id-ad-caRepository")

# The policy that means every policy: RFC 5280 section 4.2.1.4.
any_policy = named_oid("2.5.29.32.0", "anyPolicy")
