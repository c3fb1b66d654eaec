"""The option `--type`, and the detection of a document's type."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from derlib import ASN1Error, _identify, pem
from derlib._document_types import DOCUMENT_TYPES, DocumentType
from derlib._identify import TOLERATED
from derlib._outlines import looks_like
from derlib.cli.documents.files import Document
from derlib.cli.documents.known_contents import import_types
from derlib.cli.documents.suggestions import unknown_name
from derlib.cli.documents.text_forms import decoded_text

__all__ = [
    "DER",
    "TYPE",
    "TYPES",
    "TYPE_OR_NAME",
    "DocumentType",
    "candidates",
    "check_type",
    "command_hint",
    "nearest_type",
    "type_of",
    "type_of_label",
]

#: The types that have a command of the same name.
_COMMANDS = frozenset({"cert", "crl"})

#: The properties of a SignedData with what these commands read, and the words for it.
_PARTS = {"cert": ("x509_certificates", "certificates"), "crl": ("certificate_lists", "CRLs")}

#: Any DER: the type of a document that has no other.
DER = DocumentType("der", "DER of an unknown type", "", "")

#: The usual largest size of identifier and length octets.
_LONGEST_HEADER = 6

#: The types by name.
TYPES = {type_.name: type_ for type_ in (*DOCUMENT_TYPES, DER)}


def _type_name(value: str) -> str:
    if value not in TYPES:
        raise unknown_name(value, value, TYPES)
    return value


def check_type(name: str | None) -> None:
    """Raise BadParameter if a type with this name does not exist."""
    if name is not None:
        try:
            _type_name(name)
        except click.BadParameter as error:
            raise click.BadParameter(error.message, param_hint="'--type'") from None


def _complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in TYPES if name.startswith(incomplete)]


#: The option `--type`; its parameter is `type_name`.
TYPE = click.Option(
    ["--type", "type_name"],
    type=_type_name,
    shell_complete=_complete,
    metavar="TYPE",
    help=f"The type of the documents: {', '.join(TYPES)}. By default it is detected.",
)
#: The same with `--schema`: then, the value is the name of a type of the modules. Otherwise, use `check_type`.
TYPE_OR_NAME = click.Option(
    ["--type", "type_name"],
    shell_complete=_complete,
    metavar="TYPE",
    help=f"The type of the documents: {', '.join(TYPES)}. By default it is detected. With --schema, a type of the "
    "modules, such as Order.",
)

#: The modules that register types of attributes of signers. They are imported when such an object occurs.
_ATTRIBUTE_MODULES = {
    "cms": ("cades", "ess", "pdf", "smime"),
    "pkcs7": ("cades", "ess", "pdf", "smime"),
    "time-stamp-response": ("cades", "ess"),
}

#: The types with certificates, or with extensions for one.
_WITH_CERTIFICATES = frozenset({"cert", "trusted-cert", "csr", "cms", "attribute-cert", "cert-path"})


def type_of(document: Document, name: str | None = None) -> DocumentType:
    """Return the type with this name; without a name, the type of the PEM label, or the first that decodes.

    A block of another type than that of its label has its own type.
    """
    found = _type_of(document, name)
    for module in _ATTRIBUTE_MODULES.get(found.name, ()):
        import_module(f"derlib.schemas.{module}")
    if found.name in _WITH_CERTIFICATES:
        import_types(document.der)
    return found


def _type_of(document: Document, name: str | None) -> DocumentType:
    possible = candidates(document, name)
    if name is None and document.label in possible[0].labels:
        other = _identify.with_wrong_label(document.label, document.der)
        if other is not None:
            return other
    if len(possible) == 1:
        return possible[0]
    failures: dict[str, Exception] = {}
    for tolerate in TOLERATED:
        for type_ in possible:
            # Any DER comes last. A fault that no deviation covers remains one.
            if type_ is DER and tolerate is TOLERATED[0]:
                continue
            if type_.name in failures and getattr(failures[type_.name], "deviation", None) is None:
                continue
            try:
                type_.recognize(document.der, tolerate)
            except (ASN1Error, MemoryError) as error:
                # The first error has the longest path: with TOLERATED[1], faults in open types have that of the type.
                failures.setdefault(type_.name, error)
            else:
                return _resembled(document.der, failures) if type_ is DER else type_
    return nearest_type(failures)


def _resembled(der: bytes, failures: dict[str, Exception]) -> DocumentType:
    """Return the type that DER of no type looks like and fails to be at a component: one of its elements is damaged.

    Otherwise, return DER. `failures` has the errors of the types by name. Other structures begin with the same tags, so
    the fault is not at the first component, nor one that follows the last.
    """
    name = looks_like(der)
    error = failures.get(name)
    return TYPES[name] if getattr(error, "path", ()) and getattr(error, "offset", 0) > _LONGEST_HEADER else DER


def candidates(document: Document, name: str | None) -> list[DocumentType]:
    """Return the type with this name; without a name, those of the PEM label, or all types that need no label."""
    if name is not None:
        return [TYPES[name]]
    possible = list(_identify.candidates(document.label, document.der))
    # The label decides; without one that is known, the document can be any DER.
    is_labelled = possible and document.label in possible[0].labels
    return possible if is_labelled else [*possible, DER]


def type_of_label(document: Document) -> DocumentType | None:
    """Return the first type whose PEM label a document has; None if the label is not known, or if there is none."""
    return next((type_ for type_ in DOCUMENT_TYPES if document.label in type_.labels), None)


def nearest_type(failures: dict[str, Exception], start: int = 0) -> DocumentType:
    """Return the type whose decoding got furthest, given the errors of all types by name.

    Offsets in the errors count from `start` bytes before the data.

    If the data are not even DER, it got furthest if it found the fault that the check of DER finds: a type that fails
    before it does not fit. Types of different structure that all find it, such as certificates and CRLs whose fault is
    in the issuer, cannot be distinguished: the result is DER.
    """
    check = failures.get(DER.name)
    if check is None:
        progress = {name: _progress(TYPES[name], error) for name, error in failures.items()}
        longest = max(progress, key=lambda name: progress[name])
        return TYPES[longest] if progress[longest] > (0, 0) else DER
    paths = {
        name: path
        for name, error in failures.items()
        if _fault(error) == _fault(check)
        # At the very start, only headers precede the fault, and any structure fits.
        and getattr(error, "offset", 0) - start > _LONGEST_HEADER * len(path := getattr(error, "path", ())) > 0
    }
    return TYPES[next(iter(paths))] if len(set(paths.values())) == 1 else DER


def command_hint(data: bytes, name: str) -> str:
    """Return a text that says what the data are, DER, BER or PEM, and which command shows them.

    It is empty if they are of the type `name`, or of no known type. `name` can also be that of a type in a module.
    """
    if name == DER.name:
        return ""
    try:
        first = next(pem.blocks(data), None) if pem.is_pem(data) else None
    except ASN1Error:
        return ""
    der = first.der if first else decoded_text(data) or data
    own = (TYPES[name],) if name in TYPES else ()
    if first and own and own[0].labels and first.label not in own[0].labels:
        # A TRUSTED CERTIFICATE, for example, begins with a certificate.
        own = ()
    for type_ in (*own, *_identify.candidates(first.label if first else None)):
        found = _decoded(type_, der)
        if found is not None:
            break
    else:
        return ""
    if type_.name == name:
        return ""
    title = f"a CMS {_content_name(found)}" if type_.name == "cms" else type_.title
    command = type_.name if type_.name in _COMMANDS else "show"
    attribute, noun = _PARTS.get(name, ("", ""))
    parts = getattr(getattr(found, "content", None), attribute, None) if attribute else None
    if parts is None:
        return f"it is {title}: use derlib {command}"
    if not parts:
        return f"it is {title} without {noun}: use derlib {command}"
    # Commands with --type, such as `derlib show`, do not look for them.
    return f"it is {title}: use derlib {command}, or derlib {name} for its {noun}"


def _decoded(type_: DocumentType, data: bytes) -> Any:
    """Return the value of DER or BER, or None if it is not of this type."""
    for tolerate in (TOLERATED[0], None):
        with suppress(ASN1Error, MemoryError):
            return type_.recognize(data, tolerate)
    return None


def _content_name(value: Any) -> str:
    """Return the name of the type in a CMS object, such as SignedData."""
    name = str(value.content_type.name).removeprefix("id-").removeprefix("ct-")
    return name[:1].upper() + name[1:]


def _fault(error: Exception) -> tuple[object, object]:
    """Return the position and the kind of a fault."""
    return getattr(error, "offset", None), getattr(error, "kind", None)


def _progress(type_: DocumentType, error: Exception) -> tuple[int, int]:
    """Return the offset and the depth at which decoding as `type_` failed.

    A failure in the outermost element or in one of its components returns (0, 0): other structures get as far, too.
    """
    if isinstance(error, MemoryError):
        return (-1, 0)
    path: tuple[object, ...] = getattr(error, "path", ())
    return (getattr(error, "offset", 0), len(path)) if len(path) > 1 and type_.schema else (0, 0)
