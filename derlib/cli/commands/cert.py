"""`derlib cert`: show certificates."""

from __future__ import annotations

import hashlib

from derlib.cli import options
from derlib.cli.commands.base import DocumentCommand
from derlib.cli.documents.document_types import DOCUMENT_TYPES, command_hint
from derlib.cli.documents.files import Document
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.summary import (
    extensions_json,
    extensions_text,
    key_text,
    row,
    serial_json,
    serial_text,
    time_line,
    time_of,
    version_json,
    version_text,
)
from derlib.cli.rendering.values import oid_text, text_leaf
from derlib.schemas.x509 import Certificate

__all__ = ["Command"]


class Command(DocumentCommand[Certificate]):
    """Shows certificates."""

    help = """Show certificates.

    For each certificate: the version, the serial number, the names (RFC 4514), the validity, the
    public key, and each extension with its name and decoded value. From a PEM file, derlib shows all
    blocks labelled CERTIFICATE.

    \b
    Examples:
      derlib cert server.pem
      derlib cert chain.pem --json | jq -r '.[].certificate.subject'

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values: value, offset) and either
      error        message; path, offset, rule, kind if known; line for PEM
      certificate  version, serial_number, signature_algorithm, issuer,
                   not_before, not_after, subject, public_key (algorithm,
                   parameters, key), sha256, extensions (each: oid, name,
                   critical, value)
    Bytes are hexadecimal, times ISO 8601, serial numbers and other large
    integers "0x...", names RFC 4514 strings, object identifiers {"oid", "name"},
    bit strings {"hex", "unused_bits"}. Absent fields of extension values are
    omitted.
    """
    parameters = (options.FILES, *options.TEXT_OPTIONS)
    labels = DOCUMENT_TYPES["cert"].labels
    json_member = "certificate"
    type_name = "cert"

    def decode(self, document: Document) -> Certificate:
        return Certificate.decode(document.der, tolerate=self.tolerate)

    def hint(self, data: bytes) -> str:
        return command_hint(data, "crl")

    def write_text(self, document: Document, certificate: Certificate, out: Output) -> None:
        """Write a line for each field, then the extensions."""
        self.write_heading(document, out)
        tbs = certificate.tbs_certificate
        row(out, "version", version_text(tbs.version))
        row(out, "serial", serial_text(tbs.serial_number))
        row(out, "signature", oid_text(certificate.signature_algorithm.algorithm))
        row(out, "issuer", text_leaf(tbs.issuer))
        row(out, "not before", time_line(tbs.validity, "not_before"))
        row(out, "not after", time_line(tbs.validity, "not_after"))
        row(out, "subject", text_leaf(tbs.subject))
        row(out, "public key", key_text(tbs.subject_public_key_info))
        row(out, "sha256", hashlib.sha256(certificate.der).hexdigest())
        row(out, "extensions", "" if tbs.extensions else "none")
        extensions_text(out, tbs.extensions, "    ")

    def write_json(self, document: Document, certificate: Certificate, out: Output) -> None:
        """Write the members that the help of the command lists."""
        tbs = certificate.tbs_certificate
        key = tbs.subject_public_key_info
        json_text.write(
            out,
            {
                "version": version_json(tbs.version),
                "serial_number": serial_json(tbs.serial_number),
                "signature_algorithm": certificate.signature_algorithm.algorithm,
                "issuer": tbs.issuer,
                "not_before": time_of(tbs.validity, "not_before"),
                "not_after": time_of(tbs.validity, "not_after"),
                "subject": tbs.subject,
                "public_key": {
                    "algorithm": key.algorithm.algorithm,
                    "parameters": key.algorithm.parameters,
                    "key": key.subject_public_key,
                },
                "sha256": hashlib.sha256(certificate.der).hexdigest(),
                "extensions": extensions_json(tbs.extensions),
            },
        )
