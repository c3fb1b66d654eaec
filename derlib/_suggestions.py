"""The nearest name, for messages about a name that does not exist.

The core imports this module when such a message is made, not before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from derlib._brief import brief
from derlib._core import Kind, Plan

__all__ = [
    "bytes_for",
    "nearest",
    "no_attribute",
    "no_class_attribute",
    "no_item",
    "no_module_attribute",
    "no_part",
    "remedy",
    "with_words_of",
    "wrong_bits",
]

#: A longer name is not compared: the time of a comparison grows with the square of the length.
_LONGEST = 64

#: Fields are searched in this many levels of nested structures, and at most this many are compared.
_LEVELS = 4
_MOST_FIELDS = 2000

#: Names of asn1crypto, cryptography and pyasn1, and the names for the same thing here: the first that a class has.
_ELSEWHERE: dict[str, tuple[str, ...]] = {
    # Methods
    "load": ("decode",),
    "loads": ("decode",),
    "from_bytes": ("decode",),
    "from_der": ("decode",),
    "from_pem": ("decode",),
    "parse": ("decode",),
    "dump": ("encode",),
    "dumps": ("encode",),
    "public_bytes": ("encode",),
    "to_der": ("encode",),
    "get_extension_for_class": ("get",),
    "get_extension_for_oid": ("get",),
    "get_attributes_for_oid": ("get_all",),
    "get_revoked_certificate_by_serial_number": ("find",),
    "lookup": ("find",),
    "to_dict": ("to_native",),
    "as_dict": ("to_native",),
    "model_dump": ("to_native",),
    "unarmor": ("decode",),
    "load_pem": ("decode",),
    "from_file": ("decode",),
    "read": ("decode",),
    "armor": ("derlib.pem.encode",),
    "to_pem": ("derlib.pem.encode",),
    "as_pem": ("derlib.pem.encode",),
    "pem": ("derlib.pem.encode",),
    "as_der": ("encode",),
    "as_bytes": ("encode",),
    "der_bytes": ("encode",),
    "contents": ("content", "raw"),
    "children": ("derlib.fields",),
    "native": ("to_native", "name", "value"),
    "prettyPrint": ("derlib.pretty",),
    "setComponentByName": ("replace",),
    # Alternatives
    "chosen": ("value", "content"),
    "getName": ("alternative",),
    "getComponent": ("value",),
    # Names
    "human_friendly": ("display",),
    "rdns": ("rdn_sequence",),
    "common_name": ('subject.get("CN")', 'get("CN")'),
    "CN": ('subject.get("CN")', 'get("CN")'),
    "organization": ('subject.get("O")', 'get("O")'),
    "organization_name": ('subject.get("O")', 'get("O")'),
    "country_name": ('subject.get("C")', 'get("C")'),
    "common_names": ('subject.get_all("CN")', 'get_all("CN")'),
    "as_text": ("display",),
    "oneline": ("display",),
    "text": ("display",),
    "components": ("attributes",),
    "subject_name": ("subject",),
    "issuer_name": ("issuer",),
    # Certificates
    "sha1": ('fingerprint("sha1")',),
    "sha256": ("fingerprint",),
    "sha1_fingerprint": ('fingerprint("sha1")',),
    "sha256_fingerprint": ("fingerprint",),
    "fingerprint_sha1": ('fingerprint("sha1")',),
    "fingerprint_sha256": ("fingerprint",),
    "digest": ("fingerprint",),
    "tbs_cert": ("tbs_certificate",),
    "load_der_x509_certificate": ("decode", "Certificate.decode"),
    "load_pem_x509_certificate": ("decode", "Certificate.decode"),
    "signature": ("signature_value",),
    "signature_algorithm_oid": ("signature_algorithm.algorithm",),
    "signature_hash_algo": ("signature_algorithm.hash_name",),
    "public_key_algorithm_oid": ("public_key.algorithm.algorithm",),
    "valid_from": ("not_before",),
    "valid_to": ("not_after",),
    "valid_until": ("not_after",),
    "expires": ("not_after",),
    "expiry": ("not_after",),
    "ski": ("key_identifier",),
    "aki": ("authority_key_identifier",),
    "aia": ("get(AuthorityInfoAccessSyntax)",),
    "ocsp": ("ocsp_urls",),
    "ocsp_server": ("ocsp_urls",),
    "requested_extensions": ("extensions",),
    "san": ("subject_alt_names",),
    "sans": ("subject_alt_names",),
    "serial": ("serial_number",),
    "valid_domains": ("dns_names",),
    "valid_ips": ("ip_addresses",),
    "self_signed": ("is_self_issued",),
    "not_valid_before_utc": ("not_before",),
    "not_valid_after_utc": ("not_after",),
    "ca": ("is_ca",),
    "path_length": ("max_path_length",),
    "basic_constraints": ("get(BasicConstraints)",),
    "basic_constraints_value": ("get(BasicConstraints)",),
    "name_constraints": ("get(NameConstraints)",),
    "name_constraints_value": ("get(NameConstraints)",),
    "certificate_policies": ("policies", "get(CertificatePolicies)"),
    "certificate_policies_value": ("policies", "get(CertificatePolicies)"),
    "crl_distribution_points": ("get(CRLDistributionPoints)",),
    "crl_distribution_points_value": ("get(CRLDistributionPoints)",),
    "authority_information_access_value": ("get(AuthorityInfoAccessSyntax)",),
    "tbs_certificate_bytes": ("tbs_certificate.der",),
    # Algorithms and keys
    "key_size": ("size", "public_key.size"),
    "bit_size": ("size", "public_key.size"),
    "bits": ("size",),
    "algorithm_name": ("kind", "name"),
    "hash_algo": ("hash_name", "signature_algorithm.hash_name"),
    "signature_algo": ("name", "signature_algorithm.name"),
    "algo": ("kind", "name"),
    "oid": ("extn_id", "algorithm", "type", "attr_type"),
    "public_numbers": ("subject_public_key",),
    "public_key": ("subject_public_key_info", "subject_public_key"),
    "public_exponent": ("subject_public_key.public_exponent",),
    "exponent": ("public_exponent", "subject_public_key.public_exponent"),
    "signature_hash_algorithm": ("signature_algorithm.hash_name",),
    "modulus": ("subject_public_key.modulus",),
    "n": ("modulus", "subject_public_key.modulus"),
    "e": ("public_exponent", "subject_public_key.public_exponent"),
    "d": ("private_exponent",),
    # CRLs
    "next_update_utc": ("next_update",),
    "last_update_utc": ("this_update",),
    "entries": ("revoked_certificates",),
    "revoked": ("revoked_certificates",),
    "crl_number_value": ("number",),
    "delta_crl_indicator": ("get(id_ce_delta_crl_indicator)",),
    "delta_crl_indicator_value": ("get(id_ce_delta_crl_indicator)",),
    # The number in this extension can be 0.
    "is_delta": ("get_extension(id_ce_delta_crl_indicator)",),
    "is_revoked": ("find",),
    "get_entry": ("find",),
    "serial_numbers": ('revoked_certificates.index_by("user_certificate")',),
    "issuing_distribution_point": ("get(IssuingDistributionPoint)",),
    "issuing_distribution_point_value": ("get(IssuingDistributionPoint)",),
    "tbs_certlist_bytes": ("tbs_cert_list.der",),
    "date": ("revocation_date",),
    "revocation_date_utc": ("revocation_date",),
    "crl_reason_value": ("reason",),
    "certificate_issuer": ("get(CertificateIssuer)",),
    "certificate_issuer_value": ("get(CertificateIssuer)",),
    # OCSP, CMS, PKCS #12
    "basic_ocsp_response": ("basic",),
    "response_data": ("basic.tbs_response_data",),
    "tbs_response_bytes": ("tbs_response_data.der",),
    "status": ("response_status",),
    "certificate_status": ("status", "responses"),
    "cert_status": ("responses[0].cert_status",),
    "this_update": ("responses[0].this_update",),
    "next_update": ("responses[0].next_update",),
    "revocation_time": ("responses[0].revocation_time",),
    "revocation_reason": ("responses[0].revocation_reason",),
    "reason": ("revocation_reason",),
    "serial_number": ("responses[0].serial_number", "requests[0].serial_number"),
    "hash_algorithm": ("responses[0].cert_id.hash_algorithm", "requests[0].req_cert.hash_algorithm"),
    "issuer_name_hash": ("responses[0].cert_id.issuer_name_hash", "requests[0].req_cert.issuer_name_hash"),
    "issuer_key_hash": ("responses[0].cert_id.issuer_key_hash", "requests[0].req_cert.issuer_key_hash"),
    "tbs_response_data": ("basic.tbs_response_data",),
    "nonce_value": ("nonce",),
    "responder_name": ("responder_id", "basic.responder_id"),
    "responder_id": ("basic.responder_id",),
    "produced_at": ("basic.produced_at",),
    "encap_content_info": ("signed_data.encap_content_info",),
    "certs": ("x509_certificates", "bags"),
    "cert": ("bags",),
    "additional_certs": ("bags",),
    "private_key": ("bags",),
    "key": ("bags",),
    "safe_bags": ("bags",),
    "friendly_name": ("bags[0].friendly_name",),
    "data": ("content",),
    "payload": ("content",),
    "message": ("content",),
    "signers": ("signer_infos", "signed_data.signer_infos"),
    "signed_attrs": ("signer_infos[0].signed_attrs",),
    "get_attribute_for_oid": ("get_attribute", "certification_request_info.attributes.get"),
    "parsed": ("extn_value", "parameters"),
    "certificates": ("signed_data.x509_certificates", "basic.certificates", "bags"),
    "signer_infos": ("signed_data.signer_infos",),
    "enveloped_data": ("content",),
    "encrypted_data": ("content",),
    # Object identifiers
    "dotted_string": ("dotted", "algorithm.dotted"),
    "name": ("extn_id.name",),
    "sid_value": ("sid",),
    # Names of the modules with certificates, CRLs and requests
    "CertificateBuilder": ("Certificate.signed",),
    "sign": ("signed",),
    "build": ("signed", "of"),
    "CertificateRevocationList": ("CertificateList", "derlib.schemas.crl.CertificateList"),
    "CertificateRevocationListBuilder": ("CertificateList.signed", "derlib.schemas.crl.CertificateList.signed"),
    "RevokedCertificateBuilder": ("RevokedCertificate", "derlib.schemas.crl.RevokedCertificate"),
    "load_der_x509_crl": ("CertificateList.decode", "derlib.schemas.crl.CertificateList.decode"),
    "load_pem_x509_crl": ("CertificateList.decode", "derlib.schemas.crl.CertificateList.decode"),
    "CertificateSigningRequest": ("CertificationRequest", "derlib.schemas.csr.CertificationRequest"),
    "CertificateSigningRequestBuilder": (
        "CertificationRequest.signed",
        "derlib.schemas.csr.CertificationRequest.signed",
    ),
    "load_der_x509_csr": ("CertificationRequest.decode", "derlib.schemas.csr.CertificationRequest.decode"),
    "load_pem_x509_csr": ("CertificationRequest.decode", "derlib.schemas.csr.CertificationRequest.decode"),
    "PublicKeyInfo": ("SubjectPublicKeyInfo",),
    "NameAttribute": ("Name.of",),
    "ExtendedKeyUsage": ("ExtKeyUsageSyntax",),
    "SubjectAlternativeName": ("SubjectAltName",),
    "IssuerAlternativeName": ("IssuerAltName",),
    "SubjectKeyIdentifier": ("id_ce_subject_key_identifier",),
    "AuthorityInformationAccess": ("AuthorityInfoAccessSyntax",),
    "SubjectInformationAccess": ("SubjectInfoAccessSyntax",),
    "TLSFeature": ("TLSFeatures",),
    "PrecertificateSignedCertificateTimestamps": ("id_sct_list",),
    "CRLNumber": ("id_ce_crl_number", "derlib.schemas.crl.id_ce_crl_number"),
    "DeltaCRLIndicator": ("id_ce_delta_crl_indicator", "derlib.schemas.crl.id_ce_delta_crl_indicator"),
    "DNSName": ("GeneralName",),
    "RFC822Name": ("GeneralName",),
    "UniformResourceIdentifier": ("GeneralName",),
    "DirectoryName": ("GeneralName",),
    "IPAddress": ("GeneralName.of_ip",),
    # Types
    "Integer": ("int",),
    "Boolean": ("bool",),
    "Any": ("TLV",),
    "OctetBitString": ("BitString",),
    "ParsableOctetString": ("Containing",),
}

#: Methods of other libraries for what is not a method here, and what to do instead.
_INSTEAD = {
    "getComponentByName": "its fields are attributes",
    "getComponentByPosition": "its fields are attributes",
    "rfc4514_string": "str(name) is in the form of RFC 4514",
    "issuer_serial": "two issuers can use one number; (issuer.comparison_key, serial_number) identifies a certificate",
    **dict.fromkeys(("expired", "is_expired", "has_expired"), "compare not_after with the current time"),
    **dict.fromkeys(
        ("verify", "verify_signature", "is_signature_valid", "verify_directly_issued_by"),
        "derlib does not verify signatures; docs/build-and-sign.md shows how a library such as cryptography does",
    ),
}

#: At most this many names are listed if none of them is near.
_MOST_LISTED = 16


def no_attribute(cls: type, name: str) -> str:
    """Return the message for an attribute that values of a class do not have.

    >>> from derlib.schemas.x509 import Certificate, Validity
    >>> no_attribute(Validity, "notBefore")
    "'Validity' object has no attribute 'notBefore'; did you mean 'not_before'?"
    >>> no_attribute(Certificate, "validity")
    "'Certificate' object has no attribute 'validity'; did you mean 'tbs_certificate.validity'?"
    """
    message = f"{cls.__name__!r} object has no attribute {brief(name)}"
    if name.startswith("_"):
        return message
    if name in _INSTEAD:
        return f"{message}: {_INSTEAD[name]}"
    return _with_suggestion(message, _attribute(cls, name))


def no_item(cls: type, key: object) -> str:
    """Return the message for an item of a value that has attributes instead.

    >>> from derlib.schemas.x509 import Certificate
    >>> no_item(Certificate, "tbsCertificate")
    "'Certificate' object is not subscriptable; did you mean '.tbs_certificate'?"
    """
    message = f"{cls.__name__!r} object is not subscriptable"
    near = _attribute(cls, key) if type(key) is str else None
    return f"{message}; did you mean '.{near}'?" if near else f"{message}: its fields are attributes"


def _with_suggestion(message: str, near: str | None) -> str:
    return f"{message}; did you mean {near!r}?" if near else message


def _attribute(cls: type, name: str) -> str | None:
    """Return the attribute of values of a class that is meant, or the path of a nested field."""
    plan = getattr(cls, "__plan__", None)
    if isinstance(plan, Plan):
        plan.ready()  # A class gets the attributes of its fields when it is compiled.
    own = [known for known in dir(cls) if not known.startswith("_")]
    return _elsewhere(name, own) or nearest(name, own, plan if isinstance(plan, Plan) else None)


def no_class_attribute(cls: type, name: str) -> str:
    """Return the message for an attribute that a class does not have.

    >>> from derlib.schemas.x509 import Certificate, KeyUsage
    >>> no_class_attribute(KeyUsage, "digitalSignature")
    "type object 'KeyUsage' has no attribute 'digitalSignature'; did you mean 'digital_signature'?"
    >>> no_class_attribute(Certificate, "load")
    "type object 'Certificate' has no attribute 'load'; did you mean 'decode'?"
    """
    message = f"type object {cls.__name__!r} has no attribute {brief(name)}"
    if name.startswith("_"):
        return message
    own = [known for known in dir(cls) if not known.startswith("_")]
    near = _elsewhere(name, own) or nearest(name, own)
    return _with_suggestion(message, near)


def no_module_attribute(module: str, name: str, names: Iterable[str]) -> str:
    """Return the message for a name that a module of derlib does not have.

    >>> no_module_attribute("derlib", "loads", ["decode", "encode"])
    "module 'derlib' has no attribute 'loads'; did you mean 'decode'?"
    >>> no_module_attribute("derlib", "Certificate", [])
    "module 'derlib' has no attribute 'Certificate'; did you mean 'derlib.schemas.x509.Certificate'?"
    """
    message = f"module {module!r} has no attribute {brief(name)}"
    if name.startswith("_"):
        return message
    public = [each for each in names if not each.startswith("_")]
    near = _elsewhere(name, [*public, "int", "bool"]) or _in_schemas(name)
    near = near or with_words_of(name, public) or nearest(name, public)
    return _with_suggestion(message, near)


def _in_schemas(name: str) -> str | None:
    """Return the path of a module of derlib.schemas, or of a class whose values files contain."""
    from derlib._document_types import DOCUMENT_TYPES

    for each in DOCUMENT_TYPES:
        if name == each.class_name:
            return f"derlib.schemas.{each.module}.{name}"
        if name and name == each.module:
            return f"derlib.schemas.{name}"
    return None


def _elsewhere(name: str, names: Iterable[str]) -> str | None:
    """Return the name for what is called `name` in another library, if the class has it."""
    known = set(names)
    wanted = _key(name)
    meant = (each for theirs, ours in _ELSEWHERE.items() if _key(theirs) == wanted for each in ours)
    return next((each for each in meant if each.startswith("derlib.") or re.split("[.([]", each)[0] in known), None)


def no_part(plan: Plan, name: object) -> str:
    """Return the remedy for a name that is not a field or alternative of a class: the nearest one, or all of them."""
    near = nearest(name, plan.names, plan)
    if near and near not in plan.names:
        return f"did you mean {near!r}? replace_at takes such a path"
    return f"did you mean {near!r}?" if near else _listed(plan.names)


def wrong_bits(cls: str, members: list[str], keywords: dict[str, object]) -> str:
    """Return the error for a call of a class of named bits with no value, several, or bits as keyword arguments.

    >>> wrong_bits("Usage", ["sign", "encipher"], {"encipher": True})
    'Usage takes one value, a combination of its members: write Usage.encipher'
    """
    unknown = next((name for name in keywords if name not in members), None)
    if unknown is not None:
        return f"{cls} has no bit {brief(unknown)}; {remedy(unknown, members)}"
    names = [name for name, is_set in keywords.items() if is_set] if keywords else members[:2]
    shown = " | ".join(f"{cls}.{name}" for name in names[:_MOST_LISTED]) or f"{cls}(0)"
    return f"{cls} takes one value, a combination of its members: write {shown}"


def remedy(name: object, names: Iterable[str]) -> str:
    """Return the remedy for a name that is not one of `names`: the nearest one, or the first of them.

    >>> remedy("keyCompromise", ["unspecified", "key_compromise"]), remedy("x", ["red", "green"])
    ("did you mean 'key_compromise'?", 'it has red, green')
    """
    known = list(names)
    near = nearest(name, known)
    return f"did you mean {near!r}?" if near else _listed(known)


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    return f"it has {', '.join(known[:_MOST_LISTED])}{', ...' if len(known) > _MOST_LISTED else ''}"


def nearest(name: object, names: Iterable[str], plan: Plan | None = None) -> str | None:
    """Return the name that is meant; with a plan also the path of a nested field. None if no name is near."""
    # A subclass of str could define its methods differently.
    if type(name) is not str or len(name) > _LONGEST:
        return None
    known = {_key(candidate): candidate for candidate in names}
    wanted = _key(name)
    if wanted in known:
        return known[wanted]
    if plan is not None:
        for path in _paths_below(plan):
            if _key(path[-1]) == wanted:
                return ".".join(path)
    # sha1 is not a misspelt sha256.
    near = get_close_matches(wanted, [key for key in known if _digits(key) == _digits(wanted)], 1, 0.7)
    return known[near[0]] if near else None


def bytes_for(value: object) -> str:
    """Return what an OCTET STRING expects in place of a value that is not bytes, with the remedy for an IP address.

    >>> bytes_for(5), bytes_for("192.0.2.1")
    ('bytes', 'bytes (GeneralName.of_ip or ipaddress converts the text)')
    """
    if hasattr(value, "packed"):  # an address of ipaddress
        return "bytes (its .packed)"
    if type(value) is not str or len(value) > _LONGEST:
        return "bytes"
    import ipaddress

    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return "bytes"
    return "bytes (GeneralName.of_ip or ipaddress converts the text)"


def with_words_of(name: str, names: Iterable[str]) -> str | None:
    """Return the shortest of the names that have all words of another; None if that has only one word.

    >>> with_words_of("sha256_ecdsa", ["ecdsa-with-SHA1", "ecdsa-with-SHA256"])
    'ecdsa-with-SHA256'
    """
    words = _words(name) if len(name) <= _LONGEST else set()
    if len(words) < 2:
        return None
    found = [known for known in names if words <= _words(known)]
    return min(found, key=lambda known: (len(known), known), default=None)


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", name)}


def _key(name: str) -> str:
    """Return the letters and digits of a name: the same for the spelling of ASN.1 and that of Python."""
    return name.replace("_", "").replace("-", "").lower()


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _paths_below(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the fields of nested structures, those of the first level first."""
    level: list[tuple[tuple[str, ...], Plan]] = [((), plan)]
    count = 0
    for depth in range(_LEVELS):
        below = []
        for path, around in level:
            around.ready()
            while around.kind == Kind.KIND_EXPLICIT:
                around = around.element
                around.ready()
            if around.kind not in (Kind.KIND_SEQUENCE, Kind.KIND_SET):
                continue
            for name, part in zip(around.names, around.plans, strict=True):
                count += 1
                if count > _MOST_FIELDS:
                    return
                if depth:
                    yield (*path, name)
                below.append(((*path, name), part))
        level = below
