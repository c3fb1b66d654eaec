"""The nearest name, for messages about a name that does not exist.

The core imports this module when such a message is made, not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from derlib._brief import brief
from derlib._core import Kind, Plan

__all__ = ["nearest", "no_attribute", "no_class_attribute", "no_part", "remedy"]

#: A longer name is not compared: the time of a comparison grows with the square of the length.
_LONGEST = 64

#: Fields are searched in this many levels of nested structures, and at most this many are compared.
_LEVELS = 4
_MOST_FIELDS = 2000

#: Names of asn1crypto, cryptography and pyasn1, and the names for the same thing here.
_ELSEWHERE = {
    "load": "decode",
    "from_bytes": "decode",
    "from_der": "decode",
    "from_pem": "decode",
    "parse": "decode",
    "dump": "encode",
    "public_bytes": "encode",
    "chosen": "value",
    "getName": "alternative",
    "getComponent": "value",
    "sha1": "fingerprint",
    "sha256": "fingerprint",
    "sha1_fingerprint": "fingerprint",
    "sha256_fingerprint": "fingerprint",
    "key_size": "size",
    "bit_size": "size",
    "bits": "size",
    "san": "subject_alt_names",
    "rfc4514_string": "display",
    "human_friendly": "display",
    "serial": "serial_number",
    "issuer_serial": "serial_number",
    "valid_domains": "dns_names",
    "valid_ips": "ip_addresses",
    "self_signed": "is_self_issued",
    "not_valid_before_utc": "not_before",
    "not_valid_after_utc": "not_after",
    "next_update_utc": "next_update",
    "last_update_utc": "this_update",
    "revocation_date_utc": "revocation_date",
    "entries": "revoked_certificates",
    "revoked": "revoked_certificates",
    "hash_algo": "signature_algorithm.hash_name",
    "signature_hash_algorithm": "signature_algorithm.hash_name",
    "dotted_string": "dotted",
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
    plan = getattr(cls, "__plan__", None)
    if isinstance(plan, Plan):
        plan.ready()  # A class gets the attributes of its fields when it is compiled.
    own = [known for known in dir(cls) if not known.startswith("_")]
    near = _elsewhere(name, own) or nearest(name, own, plan if isinstance(plan, Plan) else None)
    return f"{message}; did you mean {near!r}?" if near else message


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
    return f"{message}; did you mean {near!r}?" if near else message


def _elsewhere(name: str, names: Iterable[str]) -> str | None:
    """Return the name for what is called `name` in another library, if the class has it."""
    known = _ELSEWHERE.get(name)
    return known if known is not None and known.partition(".")[0] in names else None


def no_part(plan: Plan, name: object) -> str:
    """Return the remedy for a name that is not a field or alternative of a class: the nearest one, or all of them."""
    near = nearest(name, plan.names, plan)
    return f"did you mean {near!r}?" if near else _listed(plan.names)


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
