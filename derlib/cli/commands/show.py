"""`derlib show`: find out what a file contains, and show it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import click

from derlib import ASN1Error, DecodeError, Tolerated, parse
from derlib._identify import is_secret
from derlib.cli import options
from derlib.cli.commands.base import DocumentCommand
from derlib.cli.documents.ber import as_der
from derlib.cli.documents.contents import content_errors, tolerated_contents
from derlib.cli.documents.document_types import DER, TYPE, TYPES, DocumentType, type_of
from derlib.cli.documents.elements import Element
from derlib.cli.documents.files import Document, offsets_in_file
from derlib.cli.documents.key_forms import looks_like_key
from derlib.cli.documents.secret_parts import HIDDEN, hide_key
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.certificate import certificate_json, certificate_text
from derlib.cli.rendering.crl_entries import entry_json
from derlib.cli.rendering.crl_summary import DEFAULT_ENTRIES, crl_json, crl_text, first_entries
from derlib.cli.rendering.element_tree import TreeWriter
from derlib.cli.rendering.for_people import for_people
from derlib.cli.rendering.summary import row
from derlib.cli.rendering.values import lines

__all__ = ["Command"]

#: The most lines that are shown of a value.
_MAX_LINES = 1000


#: PEM labels of contents that are not ASN.1, and what they are.
_OTHER_LABELS = {
    "OPENSSH PRIVATE KEY": "a private key of OpenSSH",
    "OpenVPN Static key V1": "a static key of OpenVPN",
}

#: DER of an unknown type that can be a private key.
_HIDDEN_DER = DocumentType("der", f"DER of an unknown type that can be a private key {HIDDEN}", "", "")

#: The properties of keys.
_KEY = ("kind", "size", "curve")


def _is_further(one: ASN1Error, other: ASN1Error) -> bool:
    """Return whether an error is of a later fault than another, or of a different one at the same offset."""
    (first, kind), (second, other_kind) = (
        (getattr(error, "offset", -1), getattr(error, "kind", "")) for error in (one, other)
    )
    return first > second or (first == second and kind != other_kind)


class _Found(NamedTuple):
    """What a document is: its type, its value, the number of changes if it is BER, and the value that follows it.

    `document` is the one that was decoded: the result of the conversion if the file is BER.
    """

    type: DocumentType
    document: Document
    value: Any = None
    changes: int = 0
    settings: Any = None


class Command(DocumentCommand[_Found]):
    """Shows what each document of the files is, with its fields."""

    help = """Find out what files contain, and show it.

    derlib finds out whether a document is a certificate, a CRL, a request, a CMS object, a PKCS #12
    file, a key, an OCSP request or response, a time stamp, an attribute certificate, or another
    type that --type names. Certificates and CRLs are shown as by `derlib cert` and `derlib crl`,
    others with the fields of their RFC, and unknown DER as by `derlib dump`. DER and BER need no
    option. A PEM file can have blocks of several kinds.

    If a certificate in a PKCS #12 file or other contents of a string are damaged, the rest is
    shown, too. Private keys are not shown without --secrets. Keys of OpenSSH are not ASN.1, and only named.

    \b
    Examples:
      derlib show server.pem
      derlib show mail.p7m bundle.p12 answer.tsr
      derlib show chain.pem --block 2

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values: value, offset) and either
      error   message; path, offset, rule, kind if known; line for PEM
      object  type (as for --type), changes_from_ber (the number of changes
              for DER), and value, which has the members of `derlib cert` and
              `derlib crl`, the element of `derlib dump`, or the fields; with
              trust settings of OpenSSL also settings; of a key also key (kind,
              size in bits, curve); other has no ASN.1
    and, for damaged contents of strings that the type opens
      errors  each as error
    """
    parameters = (
        options.FILES,
        *(option for option in options.TEXT_OPTIONS if option is not options.BER),
        click.Option(["--ber"], is_flag=True, help="Accepted as by other commands; BER needs no option here."),
        options.BLOCK,
        TYPE,
        options.SECRETS,
    )
    json_member = "object"
    shows_ber = True
    tolerates = True

    def __init__(self, *, type_name: str | None, secrets: bool, ber: bool, **common: Any) -> None:
        # It reads BER without the option, too.
        super().__init__(ber=True, **common)
        self.type_name = type_name
        self._secrets = secrets
        self._tree = TreeWriter(None, into=True)

    def decode(self, document: Document) -> _Found:
        if document.label in _OTHER_LABELS:
            return _Found(DocumentType("other", _OTHER_LABELS[document.label], "", ""), document)
        type_ = type_of(document, self.type_name)
        try:
            return self._decode(document, type_)
        except DecodeError as error:
            if not self._secrets:
                hide_key(error, document, type_)
            if type_ is not DER and self.type_name is None and error.path:
                error.detail += f", in {type_.title}"
            raise

    def _decode(self, document: Document, type_: DocumentType) -> _Found:
        try:
            with offsets_in_file(document):
                return self._found(document, type_)
        except ASN1Error as error:
            try:
                converted = as_der(document, self.type_name, accepts_damaged=bool(self.tolerate))
            except ASN1Error as ber_error:
                # The first error can be of a form that BER allows.
                raise (ber_error if _is_further(ber_error, error) else error) from None
            if not converted.converted or not converted.converted.changes:
                raise
        with offsets_in_file(converted):
            return self._found(converted, type_of(converted, self.type_name))

    def _found(self, document: Document, type_: DocumentType) -> _Found:
        changes = len(document.converted.changes) if document.converted else 0
        if type_ is DER:
            tree = parse(document.der, tolerate=self.tolerate)
            # A string beside other values can be part of a key whose first octets are damaged.
            is_part = bool(document.value) and not tree.tag.constructed
            if not self._secrets and (is_secret(document.label) or is_part or looks_like_key(tree)):
                return _Found(_HIDDEN_DER, document, None, changes)
            return _Found(type_, document, Element(tree, 0), changes)
        if type_.has_settings:
            value, settings = type_.decode_both(document.der, self.tolerate)
            return _Found(type_, document, value, changes, settings)
        return _Found(type_, document, type_.decode(document.der, self.tolerate), changes)

    def deviations(self, document: Document, result: _Found) -> Iterator[Tolerated]:
        inside = tolerated_contents(result.document, result.value, self.tolerate)
        return chain(super().deviations(result.document, result.value), inside)

    def content_errors(self, document: Document, result: _Found) -> Iterator[Exception]:
        return content_errors(result.document, result.value, self.tolerate, secrets=self._secrets)

    def write_text(self, document: Document, result: _Found, out: Output) -> None:
        """Write the type, then the fields."""
        self.write_heading(document, out)
        row(out, "type", result.type.title)
        if result.changes:
            count = f"{result.changes:,} change makes" if result.changes == 1 else f"{result.changes:,} changes make"
            row(out, "encoding", f"BER, not DER; {count} it DER (derlib convert --from ber --check lists them)")
        if result.value is None:
            return
        if result.type in (TYPES["cert"], TYPES["trusted-cert"]):
            certificate_text(out, result.value, document.der if result.changes else b"")
            self._write_fields({} if result.settings is None else {"settings": result.settings}, out)
        elif result.type is TYPES["crl"]:
            crl_text(out, result.value, DEFAULT_ENTRIES, bool(result.changes))
        elif result.type is DER:
            self._tree.write_text(result.value, out, place=result.document.place)
        else:
            self._write_fields(result.value, out)

    def _write_fields(self, value: Any, out: Output) -> None:
        """Write the fields of a value, each on its own line, up to a limit."""
        rest = lines(value, for_people(secrets=self._secrets, short=True))
        for text in islice(rest, _MAX_LINES):
            out.line(f"  {text}")
        if next(rest, None) is not None:
            out.line("  and more (--json shows all)")

    def write_json(self, document: Document, result: _Found, out: Output) -> None:
        """Write the members that the help of the command lists."""
        type_, read, value, changes, settings = result
        head: dict[str, object] = {"type": type_.name, "changes_from_ber": changes}
        if value is None:
            json_text.write(out, {"type": type_.name, "title": type_.title})
            return
        if type_ is DER:
            out.write(f'{{"type": "der", "changes_from_ber": {changes}, "value": ')
            self._tree.write_json(value, out, place=read.place)
            out.write("}")
            return
        shown: object
        if type_ in (TYPES["cert"], TYPES["trusted-cert"]):
            shown = certificate_json(value, document.der if changes else b"")
        elif type_ is TYPES["crl"]:
            shown = {**crl_json(value), "entries": map(entry_json, first_entries(value, None))}
        else:
            shown = value
        if all(hasattr(value, name) for name in _KEY):
            head["key"] = {name: getattr(value, name) for name in _KEY}
        after = {} if settings is None else {"settings": settings}
        level = for_people(secrets=self._secrets, short=False)
        json_text.write(out, {**head, "value": shown, **after}, level=level)
