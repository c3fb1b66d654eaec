"""The table of names that `derlib.oids` registers on import.

A row is an arc, and pairs of the remaining arcs and a name. Names are spelled as in the document that the comment above
the row cites. Schema modules register the object identifiers that they define themselves, with the same names.
"""

from __future__ import annotations

# Rows of (arc, "suffix name suffix name ...").
TABLE: tuple[tuple[str, str], ...] = (
    # Hash functions: RFC 8017 B.1, NIST CSOR, RFC 8702, RFC 7693, ISO/IEC 10118-3, GM/T 0006.
    ("1.2.840.113549.2", "2 id-md2 4 md4 5 id-md5"),
    ("1.3.14.3.2", "26 id-sha1"),
    ("1.3.36.3.2", "1 ripemd160 2 ripemd128 3 ripemd256"),
    (
        "2.16.840.1.101.3.4.2",
        """
        1 id-sha256 2 id-sha384 3 id-sha512 4 id-sha224 5 id-sha512-224 6 id-sha512-256
        7 id-sha3-224 8 id-sha3-256 9 id-sha3-384 10 id-sha3-512 11 id-shake128 12 id-shake256
        13 id-hmacWithSHA3-224 14 id-hmacWithSHA3-256 15 id-hmacWithSHA3-384
        16 id-hmacWithSHA3-512 17 id-shake128-len 18 id-shake256-len
        19 id-KMACWithSHAKE128 20 id-KMACWithSHAKE256
        """,
    ),
    ("1.0.10118.3.0", "55 whirlpool"),
    ("1.3.6.1.4.1.1722.12.2", "1.16 id-blake2b512 2.8 id-blake2s256"),
    ("1.2.156.10197.1", "401 sm3 301 sm2p256v1 501 sm2sign-with-sm3"),
    # Message authentication: RFC 8018 B.1, RFC 2104 and 4210.
    (
        "1.2.840.113549.2",
        """
        7 id-hmacWithSHA1 8 id-hmacWithSHA224 9 id-hmacWithSHA256 10 id-hmacWithSHA384
        11 id-hmacWithSHA512 12 id-hmacWithSHA512-224 13 id-hmacWithSHA512-256
        """,
    ),
    ("1.3.6.1.5.5.8.1", "1 hMAC-MD5 2 hMAC-SHA1"),
    ("1.2.840.113533.7", "65.0 entrustVersInfo 66.13 id-PasswordBasedMac 66.30 id-DHBasedMac"),
    # RSA: RFC 8017 Appendix C, RFC 8692, NIST CSOR; old root certificates still have the OIW form.
    (
        "1.2.840.113549.1.1",
        """
        1 rsaEncryption 2 md2WithRSAEncryption 3 md4WithRSAEncryption 4 md5WithRSAEncryption
        5 sha1WithRSAEncryption 7 id-RSAES-OAEP 8 id-mgf1 9 id-pSpecified 10 id-RSASSA-PSS
        11 sha256WithRSAEncryption 12 sha384WithRSAEncryption 13 sha512WithRSAEncryption
        14 sha224WithRSAEncryption 15 sha512-224WithRSAEncryption 16 sha512-256WithRSAEncryption
        """,
    ),
    ("1.3.14.3.2", "3 md5WithRSA 7 desCBC 12 dsa 13 dsaWithSHA 27 dsaWithSHA1 29 sha1WithRSA"),
    ("1.3.36.3.3.1", "2 rsaSignatureWithripemd160"),
    # DSA, ECDSA, RSA with SHA-2 and SHA-3, and FIPS 204 and 205: NIST CSOR, RFC 5758, 9881, 9909.
    ("1.2.840.10040", "4.1 id-dsa 4.3 id-dsa-with-sha1"),
    (
        "2.16.840.1.101.3.4.3",
        """
        1 id-dsa-with-sha224 2 id-dsa-with-sha256 3 id-dsa-with-sha384 4 id-dsa-with-sha512
        5 id-dsa-with-sha3-224 6 id-dsa-with-sha3-256
        7 id-dsa-with-sha3-384 8 id-dsa-with-sha3-512
        9 id-ecdsa-with-sha3-224 10 id-ecdsa-with-sha3-256
        11 id-ecdsa-with-sha3-384 12 id-ecdsa-with-sha3-512
        13 id-rsassa-pkcs1-v1_5-with-sha3-224 14 id-rsassa-pkcs1-v1_5-with-sha3-256
        15 id-rsassa-pkcs1-v1_5-with-sha3-384 16 id-rsassa-pkcs1-v1_5-with-sha3-512
        17 id-ml-dsa-44 18 id-ml-dsa-65 19 id-ml-dsa-87
        20 id-slh-dsa-sha2-128s 21 id-slh-dsa-sha2-128f 22 id-slh-dsa-sha2-192s
        23 id-slh-dsa-sha2-192f 24 id-slh-dsa-sha2-256s 25 id-slh-dsa-sha2-256f
        26 id-slh-dsa-shake-128s 27 id-slh-dsa-shake-128f 28 id-slh-dsa-shake-192s
        29 id-slh-dsa-shake-192f 30 id-slh-dsa-shake-256s 31 id-slh-dsa-shake-256f
        32 id-hash-ml-dsa-44-with-sha512 33 id-hash-ml-dsa-65-with-sha512
        34 id-hash-ml-dsa-87-with-sha512
        35 id-hash-slh-dsa-sha2-128s-with-sha256 36 id-hash-slh-dsa-sha2-128f-with-sha256
        37 id-hash-slh-dsa-sha2-192s-with-sha512 38 id-hash-slh-dsa-sha2-192f-with-sha512
        39 id-hash-slh-dsa-sha2-256s-with-sha512 40 id-hash-slh-dsa-sha2-256f-with-sha512
        41 id-hash-slh-dsa-shake-128s-with-shake128 42 id-hash-slh-dsa-shake-128f-with-shake128
        43 id-hash-slh-dsa-shake-192s-with-shake256 44 id-hash-slh-dsa-shake-192f-with-shake256
        45 id-hash-slh-dsa-shake-256s-with-shake256 46 id-hash-slh-dsa-shake-256f-with-shake256
        """,
    ),
    ("2.16.840.1.101.3.4.4", "1 id-alg-ml-kem-512 2 id-alg-ml-kem-768 3 id-alg-ml-kem-1024"),
    (
        "1.3.6.1.5.5.7.6",
        """
        30 id-RSASSA-PSS-SHAKE128 31 id-RSASSA-PSS-SHAKE256
        32 id-ecdsa-with-shake128 33 id-ecdsa-with-shake256
        34 id-alg-xmss-hashsig 35 id-alg-xmssmt-hashsig 36 id-alg-unsigned
        """,
    ),
    # Diffie-Hellman and key agreement: RFC 3279 2.3, PKCS #3, RFC 5753, RFC 5480 2.1.
    ("1.2.840.10046", "2.1 dhpublicnumber"),
    ("1.2.840.113549.1.3", "1 dhKeyAgreement"),
    ("2.16.840.1.101.2.1.1", "22 id-keyExchangeAlgorithm"),
    (
        "1.3.133.16.840.63.0",
        """
        2 dhSinglePass-stdDH-sha1kdf-scheme 3 dhSinglePass-cofactorDH-sha1kdf-scheme
        16 mqvSinglePass-sha1kdf-scheme
        """,
    ),
    (
        "1.3.132.1",
        """
        11.0 dhSinglePass-stdDH-sha224kdf-scheme 11.1 dhSinglePass-stdDH-sha256kdf-scheme
        11.2 dhSinglePass-stdDH-sha384kdf-scheme 11.3 dhSinglePass-stdDH-sha512kdf-scheme
        12 id-ecDH 13 id-ecMQV
        14.0 dhSinglePass-cofactorDH-sha224kdf-scheme 14.1 dhSinglePass-cofactorDH-sha256kdf-scheme
        14.2 dhSinglePass-cofactorDH-sha384kdf-scheme 14.3 dhSinglePass-cofactorDH-sha512kdf-scheme
        15.0 mqvSinglePass-sha224kdf-scheme 15.1 mqvSinglePass-sha256kdf-scheme
        15.2 mqvSinglePass-sha384kdf-scheme 15.3 mqvSinglePass-sha512kdf-scheme
        """,
    ),
    # Elliptic curves: X9.62 as in RFC 3279 2.3.5 and 5480; SEC 2; RFC 5639; WAP-261-WTLS;
    # RFC 8410.
    (
        "1.2.840.10045",
        """
        1.1 prime-field 1.2 characteristic-two-field
        1.2.3.1 gnBasis 1.2.3.2 tpBasis 1.2.3.3 ppBasis 2.1 id-ecPublicKey
        3.0.1 c2pnb163v1 3.0.2 c2pnb163v2 3.0.3 c2pnb163v3 3.0.4 c2pnb176w1
        3.0.5 c2tnb191v1 3.0.6 c2tnb191v2 3.0.7 c2tnb191v3 3.0.8 c2onb191v4 3.0.9 c2onb191v5
        3.0.10 c2pnb208w1 3.0.11 c2tnb239v1 3.0.12 c2tnb239v2 3.0.13 c2tnb239v3
        3.0.14 c2onb239v4 3.0.15 c2onb239v5 3.0.16 c2pnb272w1 3.0.17 c2pnb304w1
        3.0.18 c2tnb359v1 3.0.19 c2pnb368w1 3.0.20 c2tnb431r1
        3.1.1 secp192r1 3.1.2 prime192v2 3.1.3 prime192v3
        3.1.4 prime239v1 3.1.5 prime239v2 3.1.6 prime239v3 3.1.7 secp256r1
        4.1 ecdsa-with-SHA1 4.2 ecdsa-with-Recommended 4.3 ecdsa-with-Specified
        4.3.1 ecdsa-with-SHA224 4.3.2 ecdsa-with-SHA256
        4.3.3 ecdsa-with-SHA384 4.3.4 ecdsa-with-SHA512
        """,
    ),
    (
        "1.3.132.0",
        """
        1 sect163k1 2 sect163r1 3 sect239k1 4 sect113r1 5 sect113r2 6 secp112r1 7 secp112r2
        8 secp160r1 9 secp160k1 10 secp256k1 15 sect163r2 16 sect283k1 17 sect283r1
        22 sect131r1 23 sect131r2 24 sect193r1 25 sect193r2 26 sect233k1 27 sect233r1
        28 secp128r1 29 secp128r2 30 secp160r2 31 secp192k1 32 secp224k1 33 secp224r1
        34 secp384r1 35 secp521r1 36 sect409k1 37 sect409r1 38 sect571k1 39 sect571r1
        """,
    ),
    (
        "1.3.36.3.3.2.8.1.1",
        """
        1 brainpoolP160r1 2 brainpoolP160t1 3 brainpoolP192r1 4 brainpoolP192t1
        5 brainpoolP224r1 6 brainpoolP224t1 7 brainpoolP256r1 8 brainpoolP256t1
        9 brainpoolP320r1 10 brainpoolP320t1 11 brainpoolP384r1 12 brainpoolP384t1
        13 brainpoolP512r1 14 brainpoolP512t1
        """,
    ),
    (
        "2.23.43.1.4",
        """
        1 wap-wsg-idm-ecid-wtls1 3 wap-wsg-idm-ecid-wtls3 4 wap-wsg-idm-ecid-wtls4
        5 wap-wsg-idm-ecid-wtls5 6 wap-wsg-idm-ecid-wtls6 7 wap-wsg-idm-ecid-wtls7
        8 wap-wsg-idm-ecid-wtls8 9 wap-wsg-idm-ecid-wtls9 10 wap-wsg-idm-ecid-wtls10
        11 wap-wsg-idm-ecid-wtls11 12 wap-wsg-idm-ecid-wtls12
        """,
    ),
    ("1.3.101", "110 id-X25519 111 id-X448 112 id-Ed25519 113 id-Ed448"),
    # GOST: RFC 4357, 4491, 7836 and 9215; the attribute types of Russian qualified certificates.
    (
        "1.2.643.2.2",
        """
        3 id-GostR3411-94-with-GostR3410-2001 4 id-GostR3411-94-with-GostR3410-94
        9 id-GostR3411-94 10 id-HMACGostR3411-94 19 id-GostR3410-2001 20 id-GostR3410-94
        21 id-Gost28147-89 30.0 id-GostR3411-94-TestParamSet
        30.1 id-GostR3411-94-CryptoProParamSet 31.1 id-Gost28147-89-CryptoPro-A-ParamSet
        31.2 id-Gost28147-89-CryptoPro-B-ParamSet 31.3 id-Gost28147-89-CryptoPro-C-ParamSet
        31.4 id-Gost28147-89-CryptoPro-D-ParamSet 35.0 id-GostR3410-2001-TestParamSet
        35.1 id-GostR3410-2001-CryptoPro-A-ParamSet 35.2 id-GostR3410-2001-CryptoPro-B-ParamSet
        35.3 id-GostR3410-2001-CryptoPro-C-ParamSet
        36.0 id-GostR3410-2001-CryptoPro-XchA-ParamSet
        36.1 id-GostR3410-2001-CryptoPro-XchB-ParamSet
        """,
    ),
    (
        "1.2.643.7.1",
        """
        1.1.1 id-tc26-gost3410-12-256 1.1.2 id-tc26-gost3410-12-512
        1.2.2 id-tc26-gost3411-12-256 1.2.3 id-tc26-gost3411-12-512
        1.3.2 id-tc26-signwithdigest-gost3410-12-256
        1.3.3 id-tc26-signwithdigest-gost3410-12-512
        2.1.1.1 id-tc26-gost-3410-2012-256-paramSetA 2.1.1.2 id-tc26-gost-3410-2012-256-paramSetB
        2.1.1.3 id-tc26-gost-3410-2012-256-paramSetC 2.1.1.4 id-tc26-gost-3410-2012-256-paramSetD
        2.1.2.0 id-tc26-gost-3410-2012-512-paramSetTest
        2.1.2.1 id-tc26-gost-3410-2012-512-paramSetA 2.1.2.2 id-tc26-gost-3410-2012-512-paramSetB
        2.1.2.3 id-tc26-gost-3410-2012-512-paramSetC
        """,
    ),
    ("1.2.643", "100.1 OGRN 100.3 SNILS 100.4 INNLE 100.5 OGRNIP 3.131.1.1 INN"),
    ("1.2.643.100", "111 subjectSignTool 112 issuerSignTool"),
    # Ciphers and password-based encryption: NIST CSOR, RFC 8018, 7292, 7914, 3370, 3657, 8103.
    (
        "2.16.840.1.101.3.4.1",
        """
        1 id-aes128-ECB 2 id-aes128-CBC 3 id-aes128-OFB 4 id-aes128-CFB 5 id-aes128-wrap
        6 id-aes128-GCM 7 id-aes128-CCM 8 id-aes128-wrap-pad
        21 id-aes192-ECB 22 id-aes192-CBC 23 id-aes192-OFB 24 id-aes192-CFB 25 id-aes192-wrap
        26 id-aes192-GCM 27 id-aes192-CCM 28 id-aes192-wrap-pad
        41 id-aes256-ECB 42 id-aes256-CBC 43 id-aes256-OFB 44 id-aes256-CFB 45 id-aes256-wrap
        46 id-aes256-GCM 47 id-aes256-CCM 48 id-aes256-wrap-pad
        """,
    ),
    ("1.2.840.113549.3", "2 rc2CBC 4 rc4 7 des-EDE3-CBC 9 rc5-CBC-PAD"),
    ("1.2.392.200011.61.1.1.1", "2 id-camellia128-cbc 3 id-camellia192-cbc 4 id-camellia256-cbc"),
    (
        "1.2.840.113549.1.5",
        """
        1 pbeWithMD2AndDES-CBC 3 pbeWithMD5AndDES-CBC 4 pbeWithMD2AndRC2-CBC
        6 pbeWithMD5AndRC2-CBC 10 pbeWithSHA1AndDES-CBC 11 pbeWithSHA1AndRC2-CBC
        12 id-PBKDF2 13 id-PBES2 14 id-PBMAC1
        """,
    ),
    ("1.3.6.1.4.1.11591.4", "11 id-scrypt"),
    (
        "1.2.840.113549.1.12",
        """
        1.1 pbeWithSHAAnd128BitRC4 1.2 pbeWithSHAAnd40BitRC4 1.3 pbeWithSHAAnd3-KeyTripleDES-CBC
        1.4 pbeWithSHAAnd2-KeyTripleDES-CBC 1.5 pbeWithSHAAnd128BitRC2-CBC
        1.6 pbewithSHAAnd40BitRC2-CBC 10.1.1 keyBag 10.1.2 pkcs8ShroudedKeyBag 10.1.3 certBag
        10.1.4 crlBag 10.1.5 secretBag 10.1.6 safeContentsBag
        """,
    ),
    # Content types: PKCS #7 and CMS (RFC 5652, 3161, 3274, 4108, 5083, 9286, 9582).
    (
        "1.2.840.113549.1.7",
        """
        1 id-data 2 id-signedData 3 id-envelopedData 4 signedAndEnvelopedData
        5 id-digestedData 6 id-encryptedData
        """,
    ),
    (
        "1.2.840.113549.1.9.16.1",
        """
        1 id-ct-receipt 2 id-ct-authData 4 id-ct-TSTInfo 6 id-ct-contentInfo
        9 id-ct-compressedData 16 id-ct-firmwarePackage 23 id-ct-authEnvelopedData
        24 id-ct-routeOriginAuthz 26 id-ct-rpkiManifest 27 id-ct-asciiTextWithCRLF
        28 id-ct-xml 35 id-ct-rpkiGhostbusters
        """,
    ),
    # PKCS #9 attributes: RFC 2985; S/MIME and signature attributes: RFC 2634, 5035, 5126, 6019,
    # 6211; recipients: RFC 9629.
    (
        "1.2.840.113549.1.9",
        """
        1 id-emailAddress 2 pkcs-9-at-unstructuredName 3 id-contentType 4 id-messageDigest
        5 id-signingTime 6 id-countersignature 7 pkcs-9-at-challengePassword
        8 pkcs-9-at-unstructuredAddress 9 pkcs-9-at-extendedCertificateAttributes
        13 pkcs-9-at-signingDescription 14 pkcs-9-at-extensionRequest
        15 pkcs-9-at-smimeCapabilities 20 pkcs-9-at-friendlyName 21 pkcs-9-at-localKeyId
        22.1 x509Certificate 22.2 sdsiCertificate 23.1 x509CRL 25.3 pkcs-9-at-randomNonce
        25.4 pkcs-9-at-sequenceNumber 52 id-aa-CMSAlgorithmProtection
        """,
    ),
    (
        "1.2.840.113549.1.9.16.2",
        """
        1 id-aa-receiptRequest 2 id-aa-securityLabel 3 id-aa-mlExpandHistory 4 id-aa-contentHint
        5 id-aa-msgSigDigest 7 id-aa-contentIdentifier 9 id-aa-equivalentLabels
        10 id-aa-contentReference 11 id-aa-encrypKeyPref 12 id-aa-signingCertificate
        14 id-aa-timeStampToken 15 id-aa-ets-sigPolicyId 16 id-aa-ets-commitmentType
        17 id-aa-ets-signerLocation 18 id-aa-ets-signerAttr 19 id-aa-ets-otherSigCert
        20 id-aa-ets-contentTimestamp 21 id-aa-ets-certificateRefs 22 id-aa-ets-revocationRefs
        23 id-aa-ets-certValues 24 id-aa-ets-revocationValues 25 id-aa-ets-escTimeStamp
        26 id-aa-ets-certCRLTimestamp 27 id-aa-ets-archiveTimestamp 46 id-aa-binarySigningTime
        47 id-aa-signingCertificateV2
        """,
    ),
    ("1.2.840.113549.1.9.16.13", "3 id-ori-kem"),
    (
        "1.2.840.113549.1.9.16.3",
        """
        5 id-alg-ESDH 6 id-alg-CMS3DESwrap 7 id-alg-CMSRC2wrap 8 id-alg-zlibCompress
        9 id-alg-PWRI-KEK 10 id-alg-SSDH 17 id-alg-hss-lms-hashsig
        18 id-alg-AEADChaCha20Poly1305 19 dhSinglePass-stdDH-hkdf-sha256-scheme
        20 dhSinglePass-stdDH-hkdf-sha384-scheme 21 dhSinglePass-stdDH-hkdf-sha512-scheme
        28 id-alg-hkdf-with-sha256 29 id-alg-hkdf-with-sha384 30 id-alg-hkdf-with-sha512
        """,
    ),
    # Attribute types of names: X.520, RFC 5280 Appendix A.1, RFC 4519; the EV jurisdiction ones.
    (
        "2.5.4",
        """
        3 id-at-commonName 4 id-at-surname 5 id-at-serialNumber 6 id-at-countryName
        7 id-at-localityName 8 id-at-stateOrProvinceName 9 id-at-streetAddress
        10 id-at-organizationName 11 id-at-organizationalUnitName 12 id-at-title
        13 id-at-description 14 id-at-searchGuide 15 id-at-businessCategory 16 id-at-postalAddress
        17 id-at-postalCode 18 id-at-postOfficeBox 19 id-at-physicalDeliveryOfficeName
        20 id-at-telephoneNumber 23 id-at-facsimileTelephoneNumber 26 id-at-registeredAddress
        31 id-at-member 32 id-at-owner 33 id-at-roleOccupant 36 id-at-userCertificate
        41 id-at-name 42 id-at-givenName 43 id-at-initials 44 id-at-generationQualifier
        45 id-at-uniqueIdentifier 46 id-at-dnQualifier 49 id-at-distinguishedName
        51 id-at-houseIdentifier 54 id-at-dmdName 65 id-at-pseudonym 72 id-at-role
        97 id-at-organizationIdentifier
        """,
    ),
    ("0.9.2342.19200300.100.1", "1 uid 3 mail 25 id-domainComponent"),
    (
        "1.3.6.1.4.1.311.60.2.1",
        """
        1 jurisdictionLocalityName 2 jurisdictionStateOrProvinceName 3 jurisdictionCountryName
        """,
    ),
    # Extensions of certificates, CRLs and CRL entries: RFC 5280 Appendix A.2, X.509, RFC 9608.
    (
        "2.5.29",
        """
        9 id-ce-subjectDirectoryAttributes 14 id-ce-subjectKeyIdentifier 15 id-ce-keyUsage
        16 id-ce-privateKeyUsagePeriod 17 id-ce-subjectAltName 18 id-ce-issuerAltName
        19 id-ce-basicConstraints 20 id-ce-cRLNumber 21 id-ce-cRLReasons
        23 id-ce-holdInstructionCode 24 id-ce-invalidityDate 27 id-ce-deltaCRLIndicator
        28 id-ce-issuingDistributionPoint 29 id-ce-certificateIssuer 30 id-ce-nameConstraints
        31 id-ce-cRLDistributionPoints 32 id-ce-certificatePolicies 32.0 anyPolicy
        33 id-ce-policyMappings 35 id-ce-authorityKeyIdentifier 36 id-ce-policyConstraints
        37 id-ce-extKeyUsage 37.0 anyExtendedKeyUsage 46 id-ce-freshestCRL
        54 id-ce-inhibitAnyPolicy 55 id-ce-targetInformation 56 id-ce-noRevAvail
        60 id-ce-expiredCertsOnCRL
        """,
    ),
    (
        "1.2.840.10040.2",
        "1 id-holdinstruction-none 2 id-holdinstruction-callissuer 3 id-holdinstruction-reject",
    ),
    # PKIX (1.3.6.1.5.5.7): the registry of RFC 7299 and the RFCs after it.
    (
        "1.3.6.1.5.5.7.1",
        """
        1 id-pe-authorityInfoAccess 2 id-pe-biometricInfo 3 id-pe-qcStatements
        4 id-pe-ac-auditIdentity 6 id-pe-aaControls 7 id-pe-ipAddrBlocks
        8 id-pe-autonomousSysIds 10 id-pe-ac-proxying 11 id-pe-subjectInfoAccess
        12 id-pe-logotype 14 id-pe-proxyCertInfo 21 id-pe-clearanceConstraints
        24 id-pe-tlsfeature 26 id-pe-TNAuthList 28 id-pe-ipAddrBlocks-v2
        29 id-pe-autonomousSysIds-v2 31 id-pe-acmeIdentifier
        """,
    ),
    ("1.3.6.1.5.5.7.2", "1 id-qt-cps 2 id-qt-unotice"),
    (
        "1.3.6.1.5.5.7.3",
        """
        1 id-kp-serverAuth 2 id-kp-clientAuth 3 id-kp-codeSigning 4 id-kp-emailProtection
        5 id-kp-ipsecEndSystem 6 id-kp-ipsecTunnel 7 id-kp-ipsecUser 8 id-kp-timeStamping
        9 id-kp-OCSPSigning 10 id-kp-dvcs 13 id-kp-eapOverPPP 14 id-kp-eapOverLAN
        15 id-kp-scvpServer 16 id-kp-scvpClient 17 id-kp-ipsecIKE
        21 id-kp-secureShellClient 22 id-kp-secureShellServer 23 id-kp-sendRouter
        24 id-kp-sendProxiedRouter 25 id-kp-sendOwner 26 id-kp-sendProxiedOwner
        27 id-kp-cmcCA 28 id-kp-cmcRA 29 id-kp-cmcArchive 30 id-kp-bgpsec-router
        31 id-kp-BrandIndicatorforMessageIdentification 35 id-kp-bundleSecurity
        36 id-kp-documentSigning
        """,
    ),
    (
        "1.3.6.1.5.5.7.8",
        """
        1 id-on-personalData 3 id-on-permanentIdentifier 4 id-on-hardwareModuleName
        5 id-on-xmppAddr 7 id-on-dnsSRV 8 id-on-naiRealm 9 id-on-SmtpUTF8Mailbox
        """,
    ),
    (
        "1.3.6.1.5.5.7.9",
        """
        1 id-pda-dateOfBirth 2 id-pda-placeOfBirth 3 id-pda-gender
        4 id-pda-countryOfCitizenship 5 id-pda-countryOfResidence
        """,
    ),
    (
        "1.3.6.1.5.5.7",
        """
        10.1 id-aca-authenticationInfo 10.2 id-aca-accessIdentity 10.3 id-aca-chargingIdentity
        10.4 id-aca-group 10.6 id-aca-encAttrs 11.1 id-qcs-pkixQCSyntax-v1
        11.2 id-qcs-pkixQCSyntax-v2 14.2 id-cp-ipAddr-asNumber 14.3 id-cp-ipAddr-asNumber-v2
        48.1 id-ad-ocsp 48.2 id-ad-caIssuers 48.3 id-ad-timeStamping 48.5 id-ad-caRepository
        48.10 id-ad-rpkiManifest 48.11 id-ad-signedObject 48.13 id-ad-rpkiNotify
        """,
    ),
    (
        "1.3.6.1.5.5.7.48.1",
        """
        1 id-pkix-ocsp-basic 2 id-pkix-ocsp-nonce 3 id-pkix-ocsp-crl 4 id-pkix-ocsp-response
        5 id-pkix-ocsp-nocheck 6 id-pkix-ocsp-archive-cutoff 7 id-pkix-ocsp-service-locator
        8 id-pkix-ocsp-pref-sig-algs 9 id-pkix-ocsp-extended-revoke
        """,
    ),
    # Kerberos: RFC 4121, 4120 and 4556.
    ("1.2.840.113554.1.2", "2 krb5"),
    ("1.3.6.1.5", "2 id-krb5"),
    ("1.3.6.1.5.2", "2 id-pkinit-san 3.4 id-pkinit-KPClientAuth 3.5 id-pkinit-KPKdc"),
    # Certificate Transparency (RFC 6962 3.1 to 3.3, which gives numbers only; the names are ours).
    (
        "1.3.6.1.4.1.11129.2.4",
        """
        2 signedCertificateTimestampList 3 precertificatePoison 4 precertificateSigning
        5 ocspSignedCertificateTimestampList
        """,
    ),
    # CA/Browser Forum: its object registry (TLS, code signing and S/MIME requirements).
    (
        "2.23.140",
        """
        1.1 ev-guidelines 1.2.1 domain-validated 1.2.2 organization-validated
        1.2.3 individual-validated 1.3 extended-validation-codesigning 1.4.1 code-signing
        1.4.2 code-signing-timestamping 1.5.1.1 mailbox-validated-legacy
        1.5.1.2 mailbox-validated-multipurpose 1.5.1.3 mailbox-validated-strict
        1.5.2.1 organization-validated-legacy 1.5.2.2 organization-validated-multipurpose
        1.5.2.3 organization-validated-strict 1.5.3.1 sponsor-validated-legacy
        1.5.3.2 sponsor-validated-multipurpose 1.5.3.3 sponsor-validated-strict
        1.5.4.1 individual-validated-legacy 1.5.4.2 individual-validated-multipurpose
        1.5.4.3 individual-validated-strict 1.31 cabf-TorServiceDescriptor
        3.1 cabf-organizationIdentifier 41 cabf-caSigningNonce 42 cabf-applicantSigningNonce
        """,
    ),
    # Policies of certification authorities in the certificates of the public web.
    ("1.3.6.1.4.1.44947.1.1", "1 isrg-domain-validated"),
    ("1.3.6.1.4.1.4146.1", "1 globalsign-ev-policy"),
    ("1.3.6.1.4.1.6449.1.2.1.5", "1 sectigo-ev-policy"),
    ("2.16.840.1.114412.2", "1 digicert-ev-policy"),
    ("2.16.840.1.114028.10.1", "2 entrust-ev-policy"),
    ("2.16.840.1.114413.1.7.23", "3 godaddy-ev-policy"),
    ("2.16.840.1.114414.1.7.23", "3 starfield-ev-policy"),
    # Qualified certificates: ETSI EN 319 412-5 and -1, EN 319 411-1 and -2, TS 119 495;
    # Common PKI (ISIS-MTT).
    (
        "0.4.0.1862.1",
        """
        1 id-etsi-qcs-QcCompliance 2 id-etsi-qcs-QcLimitValue 3 id-etsi-qcs-QcRetentionPeriod
        4 id-etsi-qcs-QcSSCD 5 id-etsi-qcs-QcPDS 6 id-etsi-qcs-QcType 6.1 id-etsi-qct-esign
        6.2 id-etsi-qct-eseal 6.3 id-etsi-qct-web 7 id-etsi-qcs-QcCClegislation
        """,
    ),
    (
        "0.4.0.194121.1",
        """
        1 id-etsi-qcs-semanticsId-Natural 2 id-etsi-qcs-semanticsId-Legal
        3 id-etsi-qcs-semanticsId-eIDASNatural 4 id-etsi-qcs-semanticsId-eIDASLegal
        """,
    ),
    ("0.4.0.2042.1", "1 ncp 2 ncpplus 3 lcp 4 evcp 6 dvcp 7 ovcp"),
    (
        "0.4.0.194112.1",
        "0 qcp-natural 1 qcp-legal 2 qcp-natural-qscd 3 qcp-legal-qscd 4 qcp-web",
    ),
    ("1.3.36.8.3", "3 id-isismtt-at-admission"),
    (
        "0.4.0.19495",
        """
        1.0 id-psd2-role-psp-unspecified 1.1 id-psd2-role-psp-as 1.2 id-psd2-role-psp-pi
        1.3 id-psd2-role-psp-ai 1.4 id-psd2-role-psp-ic 2 id-etsi-psd2-qcStatement
        3.1 qcp-web-psd2
        """,
    ),
    # Microsoft: the names of its wincrypt.h and wintrust.h.
    (
        "1.3.6.1.4.1.311",
        """
        2.1.4 SPC_INDIRECT_DATA_OBJID 2.1.11 SPC_STATEMENT_TYPE_OBJID
        2.1.12 SPC_SP_OPUS_INFO_OBJID 2.1.14 szOID_CERT_EXTENSIONS
        2.1.15 SPC_PE_IMAGE_DATA_OBJID 2.1.21 SPC_INDIVIDUAL_SP_KEY_PURPOSE_OBJID
        2.1.22 SPC_COMMERCIAL_SP_KEY_PURPOSE_OBJID 3.3.1 SPC_RFC3161_OBJID
        10.1 szOID_CTL 10.3.1 szOID_KP_CTL_USAGE_SIGNING 10.3.3 szOID_SERVER_GATED_CRYPTO
        10.3.4 szOID_KP_EFS 10.3.4.1 szOID_EFS_RECOVERY 10.3.12 szOID_KP_DOCUMENT_SIGNING
        13.2.3 szOID_OS_VERSION 20.2 szOID_ENROLL_CERTTYPE_EXTENSION
        20.2.1 szOID_ENROLLMENT_AGENT 20.2.2 szOID_KP_SMARTCARD_LOGON
        20.2.3 szOID_NT_PRINCIPAL_NAME 21.1 szOID_CERTSRV_CA_VERSION
        21.2 szOID_CERTSRV_PREVIOUS_CERT_HASH 21.3 szOID_CRL_VIRTUAL_BASE
        21.4 szOID_CRL_NEXT_PUBLISH 21.5 szOID_KP_CA_EXCHANGE
        21.6 szOID_KP_KEY_RECOVERY_AGENT 21.7 szOID_CERTIFICATE_TEMPLATE
        21.10 szOID_APPLICATION_CERT_POLICIES 21.14 szOID_CRL_SELF_CDP
        25.1 szOID_NTDS_REPLICATION 25.2 szOID_NTDS_CA_SECURITY_EXT
        25.2.1 szOID_NTDS_OBJECTSID
        """,
    ),
    # Netscape's certificate extensions.
    (
        "2.16.840.1.113730",
        """
        1.1 netscape-cert-type 1.2 netscape-base-url 1.3 netscape-revocation-url
        1.4 netscape-ca-revocation-url 1.7 netscape-cert-renewal-url
        1.8 netscape-ca-policy-url 1.12 netscape-ssl-server-name 1.13 netscape-comment
        2.5 netscape-cert-sequence 4.1 netscape-server-gated-crypto
        """,
    ),
    # RFC 8894 (SCEP) under VeriSign's arc.
    (
        "2.16.840.1.113733.1.9",
        """
        2 id-messageType 3 id-pkiStatus 4 id-failInfo 5 id-senderNonce 6 id-recipientNonce
        7 id-transactionID
        """,
    ),
    # Adobe: signatures in PDF documents (ISO 32000-1, 12.8.3.3.2).
    ("1.2.840.113583.1.1", "5 adobe-authenticDocumentsTrust 8 adbe-revocationInfoArchival"),
    # Machine-readable travel documents (ICAO 9303-12), PIV (FIPS 201), TPM (TCG EK profile).
    (
        "2.23.136.1.1",
        """
        1 id-icao-ldsSecurityObject 2 id-icao-cscaMasterList 3 id-icao-cscaMasterListSigningKey
        6.1 id-icao-mrtd-security-extensions-nameChange
        6.2 id-icao-mrtd-security-extensions-documentTypeList
        """,
    ),
    ("2.16.840.1.101.3.6", "6 pivFASC-N 7 id-PIV-content-signing 8 id-PIV-cardAuth"),
    (
        "2.23.133",
        """
        2.1 tcg-at-tpmManufacturer 2.2 tcg-at-tpmModel 2.3 tcg-at-tpmVersion
        8.1 tcg-kp-EKCertificate 8.3 tcg-kp-AIKCertificate
        """,
    ),
)

# Other names that `oid_of` accepts; `name_of` never returns them.
ALIASES: tuple[tuple[str, str], ...] = (
    (
        "1.2.840.10045.3.1",
        "1 prime192v1 7 prime256v1 1 ansix9p192r1 7 ansix9p256r1 7 P-256",
    ),
    ("1.3.132.0", "33 P-224 34 P-384 35 P-521"),
    ("1.3.101", "110 x25519 111 x448 112 ed25519 113 ed448"),
    ("2.16.840.1.101.3.4.2", "1 sha256 2 sha384 3 sha512 4 sha224"),
    ("1.3.14.3.2", "26 sha1"),
    ("1.2.840.113549.2", "2 md2 5 md5"),
)
