"""`derlib cert`: show certificates."""

from __future__ import annotations

from derlib.cli import options
from derlib.cli.commands.base import DocumentCommand
from derlib.cli.documents.document_types import TYPES
from derlib.cli.documents.files import Document
from derlib.cli.documents.known_contents import import_types
from derlib.cli.output.standard_output import Output
from derlib.cli.rendering import json_text
from derlib.cli.rendering.certificate import certificate_json, certificate_text
from derlib.schemas.x509 import Certificate

__all__ = ["Command"]


class Command(DocumentCommand[Certificate]):
    """Shows certificates."""

    help = """Show certificates.

    For each certificate: the version, the serial number, the signature algorithm, the names (RFC 4514),
    the validity, the public key, and each extension with its name and decoded value. From a PEM file,
    derlib shows all blocks labelled CERTIFICATE; from a .p7b file or another CMS SignedData, also in
    PEM, all certificates in it; from a .pfx or .p12 file, those that are not encrypted.

    \b
    Examples:
      derlib cert server.pem
      derlib cert --ber windows.p7b
      derlib cert chain.pem --json | jq -r '.[].certificate.subject_display'

    \b
    With --json, each member has file (PEM: block, label, line; one of
    several DER values, or in a .p7b or .pfx file: value, offset) and either
      error        message; path, offset, rule, kind if known; line for PEM
      certificate  version, serial_number, signature_algorithm,
                   signature_parameters, issuer, issuer_display, not_before,
                   not_after, subject, subject_display, public_key
                   (algorithm, parameters, key, kind, size, curve),
                   issuer_unique_id, subject_unique_id, sha256, extensions
                   (each: oid, name, critical, value), signature_value
    Bytes are hexadecimal, IP addresses as 192.0.2.1, in name constraints with
    their mask as 10.0.0.0/255.0.0.0, times ISO 8601, serial numbers and other
    large integers "0x...", names RFC 4514 strings, object identifiers
    {"oid", "name"}, bit strings {"hex", "unused_bits"}. Absent members of the
    certificate are null, absent fields of extension values are omitted. Each
    name has a second member, as subject_display of subject, with
    emailAddress=... in place of 1.2.840.113549.1.9.1=#16...
    """
    parameters = (options.FILES, *options.TEXT_OPTIONS)
    labels = TYPES["cert"].labels
    json_member = "certificate"
    type_name = "cert"
    unpacks = ("cert",)

    def decode(self, document: Document) -> Certificate:
        import_types(document.der)
        return Certificate.decode(document.der, tolerate=self.tolerate)

    def write_text(self, document: Document, certificate: Certificate, out: Output) -> None:
        self.write_heading(document, out)
        certificate_text(out, certificate, document.ber)

    def write_json(self, document: Document, certificate: Certificate, out: Output) -> None:
        json_text.write(out, certificate_json(certificate, document.ber))
